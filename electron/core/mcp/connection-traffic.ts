import { Emitter } from '../emitter.ts';
import type { Asker, TrafficMessage, PeerTransport } from './peer-transport.ts';

/** Reports every message of one connection, in both directions, to its listeners. */
export class ConnectionTraffic {
  readonly #passed = new Emitter<TrafficMessage>();
  /** The request that was sent last, and its caller. */
  #sent: { readonly id: number; readonly asker: Asker } | undefined;

  constructor(transport: PeerTransport) {
    transport.onpassed = (direction, message, content) => {
      if (this.#passed.size === 0) return;
      const isOurs = direction === 'to-server' && 'method' in message && 'id' in message;
      const asker = isOurs && this.#sent?.id === message.id ? this.#sent.asker : undefined;
      this.#passed.emit({ direction, message, content, asker });
    };
  }

  /** Returns the unsubscribe function. */
  subscribe(listener: (passed: TrafficMessage) => void): () => void {
    return this.#passed.subscribe(listener);
  }

  /** Notes the caller of the request that is sent next. */
  asks(id: number, asker: Asker): void {
    this.#sent = { id, asker };
  }
}

/** JSON text of a message whose text was not received or is gone; undefined where it is nested too deeply to serialize. */
export function contentOf(message: unknown): string | undefined {
  try {
    return JSON.stringify(message);
  } catch {
    return undefined; // Nested too deeply: parsing takes less of the stack than serializing.
  }
}

/** Text of the content for the user; a message without content gets the reason instead. */
export const contentWords = (message: unknown): string =>
  contentOf(message) ?? '(nested too deeply to be written)';
