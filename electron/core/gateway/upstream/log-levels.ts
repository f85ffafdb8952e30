import type { ServerLink } from '../../sessions/server-link.ts';
import { logLevels } from '../../../../shared/log-kinds.ts';
import { mostVerbose, type LoggingLevel } from '../../mcp/log-level.ts';

export type { LoggingLevel } from '../../mcp/log-level.ts';

/** Log level of a session that set none. It prevents another session's more verbose level from flooding this session. */
const UNASKED: LoggingLevel = 'info';

/**
 * Log levels of the client sessions at one upstream (a server and slot), kept across restarts of the server. The server gets
 * the most verbose of these levels; the connection combines it with the level that the panel's own supervision needs. Each
 * session gets only the messages of its own level and above.
 */
export class LevelArbiter {
  readonly #wishes = new Map<string, LoggingLevel>();
  #link: ServerLink | undefined;
  #asked: { readonly level: LoggingLevel; readonly undo: () => void } | undefined;

  /** Applies the levels to a new connection. */
  attach(link: ServerLink): void {
    if (this.#link === link) return;
    this.#link = link;
    this.#asked?.undo();
    this.#asked = undefined;
    this.#settle();
  }

  /** Sets the log level of a session. @param session nonce of the session */
  set(session: string, level: LoggingLevel): void {
    this.#wishes.set(session, level);
    this.#settle();
  }

  /** Returns the level that the session set; undefined if it set none. */
  wishOf(session: string): LoggingLevel | undefined {
    return this.#wishes.get(session);
  }

  /** Drops the level of an ended session. */
  forget(session: string): void {
    if (this.#wishes.delete(session)) this.#settle();
  }

  /** True if a log message is sent to the session. An unknown level passes, because the server may define its own levels. */
  passes(session: string, level: unknown): boolean {
    const wanted = this.#wishes.get(session) ?? UNASKED;
    return !isLoggingLevel(level) || logLevels.indexOf(level) >= logLevels.indexOf(wanted);
  }

  dispose(): void {
    this.#wishes.clear();
    this.#settle();
  }

  /** Applies the most verbose level. Requests it before releasing the old one, so that the server gets only one request. */
  #settle(): void {
    const level = mostVerbose([...this.#wishes.values()]);
    if (level === this.#asked?.level) return;
    const former = this.#asked;
    const link = this.#link?.greeting.capabilities.logging ? this.#link : undefined;
    this.#asked = level && link && { level, undo: link.wantLogLevel(level) };
    former?.undo();
  }
}

export function isLoggingLevel(value: unknown): value is LoggingLevel {
  return logLevels.some((level) => level === value);
}
