import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { LongMessage } from '../../mcp/long-message.ts';

const KEY = 'mcp-control-panel/long-message';

/**
 * Long messages on their way past the SDK, whose transports parse whatever they read. Each gets a small message in its place,
 * so that order, ids of events and what the SDK makes of an answer stay as they are.
 */
export class StandIns {
  readonly #waiting = new Map<number, LongMessage>();
  #next = 0;

  /** Keeps a message; returns the JSON text that stands for it. */
  of(message: LongMessage): string {
    const number = this.#next;
    this.#next += 1;
    this.#waiting.set(number, message);
    const { outline } = message;
    return JSON.stringify(
      !('method' in outline) && outline.id !== undefined
        ? { jsonrpc: '2.0', id: outline.id, result: { [KEY]: number } }
        : { jsonrpc: '2.0', method: KEY, params: { [KEY]: number } },
    );
  }

  /** The message that this one stands for, which is kept no longer; undefined for any other. */
  take(message: JSONRPCMessage): LongMessage | undefined {
    const body = 'result' in message ? message.result : 'method' in message ? message.params : undefined;
    const number = body?.[KEY];
    if (typeof number !== 'number') return undefined;
    const long = this.#waiting.get(number);
    this.#waiting.delete(number);
    return long;
  }
}
