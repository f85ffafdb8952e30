import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/sdk/types.js';
import { PanelError } from '../../../../shared/error-codes.ts';
import { excerptOf } from './frame-reader.ts';

/** Of a server's own requests, which are answered at once, so many are remembered. */
const MAX_OWN = 1000;

/**
 * Tells which of our requests a server calls off. By the specification only a request's sender cancels it, and the ids of
 * both sides are numbers that begin at 0: one that the server has asked something under itself is its own.
 */
export class ServerCancellations {
  readonly #own = new Set<RequestId>();

  /** A message came. Undefined unless it calls a request of ours off. */
  namedIn(message: JSONRPCMessage): { readonly id: RequestId; readonly reason?: string } | undefined {
    if (!('method' in message)) return undefined;
    if ('id' in message) this.#remember(message.id);
    if (message.method !== 'notifications/cancelled') return undefined;
    const { requestId: id, reason } = message.params ?? {};
    if ((typeof id !== 'number' && typeof id !== 'string') || this.#own.has(id)) return undefined;
    return { id, ...(typeof reason === 'string' && { reason: excerptOf(Buffer.from(reason)) }) };
  }

  #remember(id: RequestId): void {
    this.#own.add(id);
    if (this.#own.size <= MAX_OWN) return;
    for (const oldest of this.#own) return void this.#own.delete(oldest);
  }
}

/** What the caller gets of a call that the server works on no longer. */
export function cancelledByServer(method: string, reason: string | undefined): PanelError {
  const why = reason ? `: ${reason}` : ', and gave no reason.';
  return new PanelError('CANCELLED', `The server cancelled ${method}${why}`, {
    data: { cancelledBy: 'server', ...(reason !== undefined && { reason }) },
    remedy: 'Look whether it took effect before you repeat it.',
  });
}
