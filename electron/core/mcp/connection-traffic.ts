import { Emitter } from '../emitter.ts';
import { ownIdOf } from './message-form.ts';
import type { Asker, OnTraffic, TrafficMessage, PeerTransport } from './peer-transport.ts';

/** Every message that passes over one connection, both ways, for whoever listens. */
export class ConnectionTraffic {
  readonly #passed = new Emitter<TrafficMessage>();
  /** Askers of the requests that are just being sent, by their ids. */
  readonly #askers = new Map<number, Asker>();

  constructor(transport: PeerTransport) {
    transport.onpassed = (direction, message, content) => {
      if (this.#passed.size > 0) this.#pass(direction, message, content);
    };
  }

  /** Returns the undo. */
  subscribe(listener: (passed: TrafficMessage) => void): () => void {
    return this.#passed.subscribe(listener);
  }

  /** Has `send` send the request of this id before it returns, and tells whose it is. */
  whoAsks<T>(id: number, asker: Asker, send: () => T): T {
    this.#askers.set(id, asker);
    try {
      return send();
    } finally {
      this.#askers.delete(id);
    }
  }

  #pass(...[direction, message, content]: Parameters<OnTraffic>): void {
    const isOurs = direction === 'to-server' && 'method' in message && 'id' in message;
    const id = isOurs ? ownIdOf(message.id) : undefined;
    const asker = id === undefined ? undefined : this.#askers.get(id);
    this.#passed.emit({ direction, message, content, asker });
  }
}

/** The content of a message that did not come as text, or whose text is gone; undefined where it is nested too deeply to be written. */
export function contentOf(message: unknown): string | undefined {
  try {
    return JSON.stringify(message);
  } catch {
    return undefined; // It was read: parsing takes less of the stack.
  }
}

/** The same for people, who are told why there is none. */
export const contentWords = (message: unknown): string =>
  contentOf(message) ?? '(nested too deeply to be written)';
