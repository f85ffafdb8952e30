import type { ServerView } from '../../shared/domain.ts';
import type { ErrorReport } from '../../shared/error-codes.ts';
import { shownState } from '../../shared/server-states.ts';

/** Error as shown at the top of a page: the cause first, then the rest of the message. */
interface ErrorStory {
  readonly headline: string;
  /** Rest of the message; undefined if the headline contains all of it. */
  readonly more: string | undefined;
  readonly lines: readonly { readonly text: string; readonly isCause: boolean }[];
}

export function tellError({ message, data, causeLines = [] }: ErrorReport): ErrorStory {
  const { brief, phrase, hasMore } = data ?? {};
  const lines = linesOf(causeLines, brief);
  // Server output is shown unchanged. The panel's own phrase is written for the middle of a sentence, so its first letter is
  // capitalized.
  const cause = brief ?? (hasMore === true && phrase !== undefined ? asHeadline(phrase) : undefined);
  if (cause === undefined) return { headline: message, more: undefined, lines };
  const rest = message.startsWith(cause) ? withoutJoint(message.slice(cause.length)) : message;
  return { headline: cause, more: rest === '' ? undefined : rest, lines };
}

/**
 * Turns the rest of a message, after its cause, into a sentence. The rest is in parentheses if it says how the process ended;
 * otherwise it follows a full stop.
 */
function withoutJoint(rest: string): string {
  const text = rest.trim();
  if (text.startsWith('(') && text.endsWith(')')) return `${asHeadline(text.slice(1, -1))}.`;
  return text.startsWith('. ') ? text.slice(2) : text;
}

/** Returns the lines of stderr with the cause marked; empty if the headline is the only line. */
function linesOf(lines: readonly string[], cause: string | undefined): ErrorStory['lines'] {
  if (lines.length === 1 && lines[0] === cause) return [];
  const at = cause === undefined ? -1 : causeAt(lines, cause);
  return lines.map((text, index) => ({ text, isCause: index === at }));
}

/** Returns the index of the line with the cause, or -1. If the cause was made from several lines, this is the first of them. */
function causeAt(lines: readonly string[], cause: string): number {
  const exact = lines.indexOf(cause);
  if (exact >= 0) return exact;
  return lines.findIndex((line) => line.length > 3 && (line.includes(cause) || cause.includes(line)));
}

const asHeadline = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** True if the last error of a server describes its current state, rather than the past of a server that is running again. */
export function isInTrouble(server: Pick<ServerView, 'state' | 'restartAttempt' | 'lastError'>): boolean {
  if (server.lastError === undefined) return false;
  const kind = shownState(server);
  if (kind === 'stopped') return server.lastError.code === 'LIMIT_BREACHED';
  return kind === 'failed' || kind === 'backoff' || kind === 'stalled';
}
