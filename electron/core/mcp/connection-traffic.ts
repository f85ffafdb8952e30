import { Emitter } from '../emitter.ts';
import type { CallLedger } from './call-ledger.ts';
import type { Caller } from './open-call.ts';
import type { Asker, TrafficMessage, PeerTransport } from './peer-transport.ts';

/** Reports every message of one connection, in both directions, to its listeners. */
export class ConnectionTraffic {
  readonly #passed = new Emitter<TrafficMessage>();

  constructor(transport: PeerTransport, ledger: CallLedger) {
    transport.onpassed = (direction, message, content) => {
      if (this.#passed.size === 0) return;
      const isOurs = direction === 'to-server' && 'method' in message && 'id' in message;
      const asker = isOurs ? askerOf(ledger.callerOf(message.id)) : undefined;
      this.#passed.emit({ direction, message, content, asker });
    };
  }

  /** Subscribes to the messages. Returns the unsubscribe function. */
  subscribe(listener: (passed: TrafficMessage) => void): () => void {
    return this.#passed.subscribe(listener);
  }
}

const askerOf = ({ by, client }: Caller): Asker => ({
  client: by === 'window' ? by : client,
  isOwn: by === 'panel',
});

/** Serializes a message whose original JSON text is not available. Returns undefined if it is nested too deeply. */
export function contentOf(message: unknown): string | undefined {
  try {
    return JSON.stringify(message);
  } catch {
    return undefined; // The message is nested too deeply: `JSON.stringify` needs more stack than `JSON.parse` did.
  }
}

/** Returns the JSON text of a message for the user; if it cannot be serialized, the reason instead. */
export const contentWords = (message: unknown): string =>
  contentOf(message) ?? '(nested too deeply to be written)';
