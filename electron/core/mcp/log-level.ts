import type { LoggingLevel } from '@modelcontextprotocol/sdk/types.js';
import { logLevels } from '../../../shared/log-kinds.ts';

export type { LoggingLevel } from '@modelcontextprotocol/sdk/types.js';

/**
 * The one owner of a server's log level, of which a connection has only one: the most verbose of all wishes. When nobody
 * wishes anything any more it stays, because the protocol has no word for a server's own default.
 */
export class ProtocolLogLevel {
  readonly #set: (level: LoggingLevel) => Promise<unknown>;
  readonly #wishes = new Set<{ readonly level: LoggingLevel }>();
  #asked: LoggingLevel | undefined;
  #isAsking = false;

  /** @param set asks the server; a rejection is a refusal, and no failure */
  constructor(set: (level: LoggingLevel) => Promise<unknown>) {
    this.#set = set;
  }

  /** Only of a server that declares `logging`, after the handshake. Returns the undo. */
  want(level: LoggingLevel): () => void {
    const wish = { level };
    this.#wishes.add(wish);
    void this.#settle();
    return () => {
      this.#wishes.delete(wish);
      void this.#settle();
    };
  }

  /** One request at a time, because a remote server may answer two in any order. */
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

/** Undefined of none. */
export function mostVerbose(levels: readonly LoggingLevel[]): LoggingLevel | undefined {
  return logLevels.find((level) => levels.includes(level));
}
