import type { LoggingLevel } from '@modelcontextprotocol/sdk/types.js';
import { logLevels } from '../../../shared/log-kinds.ts';

export type { LoggingLevel } from '@modelcontextprotocol/sdk/types.js';

/**
 * The only code that sets a server's log level. A connection has one level: the most verbose that a subscriber wants. It stays
 * when the last subscriber leaves, because the protocol cannot restore a server's own default.
 */
export class ProtocolLogLevel {
  readonly #set: (level: LoggingLevel) => Promise<unknown>;
  readonly #wishes = new Set<{ readonly level: LoggingLevel }>();
  #asked: LoggingLevel | undefined;
  #isAsking = false;

  /** @param set sends the level to the server; a rejection means that the server refused it, and is not a failure */
  constructor(set: (level: LoggingLevel) => Promise<unknown>) {
    this.#set = set;
  }

  /** Subscribes to logs of `level`, after the handshake, if the server declares `logging`. Returns the unsubscribe function. */
  want(level: LoggingLevel): () => void {
    const wish = { level };
    this.#wishes.add(wish);
    void this.#settle();
    return () => {
      this.#wishes.delete(wish);
      void this.#settle();
    };
  }

  /** Sends one request at a time, because a remote server may process two in any order. */
  async #settle(): Promise<void> {
    if (this.#isAsking) return;
    this.#isAsking = true;
    for (let level = this.#wanted; level !== undefined && level !== this.#asked; level = this.#wanted) {
      this.#asked = level;
      await this.#set(level).catch(() => undefined);
    }
    this.#isAsking = false;
  }

  get #wanted(): LoggingLevel | undefined {
    return mostVerbose([...this.#wishes].map((wish) => wish.level));
  }
}

/** Returns the most verbose of `levels`; undefined if there are none. */
export function mostVerbose(levels: readonly LoggingLevel[]): LoggingLevel | undefined {
  return logLevels.find((level) => levels.includes(level));
}
