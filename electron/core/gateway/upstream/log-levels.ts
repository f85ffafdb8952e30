import type { UpstreamLink } from '../../sessions/server-link.ts';
import { logLevels } from '../../../../shared/log-kinds.ts';
import { mostVerbose, type LoggingLevel } from '../../mcp/log-level.ts';

export type { LoggingLevel } from '../../mcp/log-level.ts';

/** What a session hears that never said how much: another one's wish for more must not flood it. */
const UNASKED: LoggingLevel = 'info';

/**
 * The levels that the clients of one place (a server and slot) want of its logs, across restarts. The server is asked for
 * the most verbose; how the supervision's own wish adds to it is the connection's affair. Each client is told its own part.
 */
export class LevelArbiter {
  readonly #wishes = new Map<string, LoggingLevel>();
  #link: UpstreamLink | undefined;
  #asked: { readonly level: LoggingLevel; readonly undo: () => void } | undefined;

  /** The place has a link: the wishes hold for it from now on. */
  attach(link: UpstreamLink): void {
    if (this.#link === link) return;
    this.#link = link;
    this.#asked?.undo();
    this.#asked = undefined;
    this.#settle();
  }

  /** @param session its nonce */
  set(session: string, level: LoggingLevel): void {
    this.#wishes.set(session, level);
    this.#settle();
  }

  /** What the session asked for; undefined where it said nothing. */
  wishOf(session: string): LoggingLevel | undefined {
    return this.#wishes.get(session);
  }

  /** The session is over. */
  forget(session: string): void {
    if (this.#wishes.delete(session)) this.#settle();
  }

  /** Whether a log message goes to the session. A level that is none passes, because it is the server's own affair. */
  passes(session: string, level: unknown): boolean {
    const wanted = this.#wishes.get(session) ?? UNASKED;
    return !isLoggingLevel(level) || logLevels.indexOf(level) >= logLevels.indexOf(wanted);
  }

  dispose(): void {
    this.#wishes.clear();
    this.#settle();
  }

  /** The new wish comes before the old one goes, so that the server is told once. */
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
