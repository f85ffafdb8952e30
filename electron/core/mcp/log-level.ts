import type { LoggingLevel } from '@modelcontextprotocol/sdk/types.js';
import { logLevels } from '../../../shared/log-kinds.ts';

export type { LoggingLevel } from '@modelcontextprotocol/sdk/types.js';

/**
 * Sets the log level of a server; no other code does. A connection has one level: the most verbose that any subscriber wants.
 * The level stays when the last subscriber leaves, because the protocol cannot restore the server's default.
 */
export class ProtocolLogLevel {
  readonly #set: (level: LoggingLevel) => Promise<unknown>;
  readonly #wishes = new Set<{ readonly level: LoggingLevel }>();
  #asked: LoggingLevel | undefined;
  #isAsking = false;

  /** @param set sends the level to the server. A rejection means that the server refused the level, and is ignored */
  constructor(set: (level: LoggingLevel) => Promise<unknown>) {
    this.#set = set;
  }

  /** Subscribes to logs of `level`. Requires a completed handshake that declares `logging`. Returns the unsubscribe function. */
  want(level: LoggingLevel): () => void {
    const wish = { level };
    this.#wishes.add(wish);
    void this.#settle();
    return () => {
      this.#wishes.delete(wish);
      void this.#settle();
    };
  }

  /**
   * Sends the level that subscribers want. Waits for each answer before sending the next request, because a remote server may
   * process two requests in any order.
   */
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
