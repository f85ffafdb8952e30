import type { ServerView } from '../../shared/domain.ts';
import type { ErrorReport } from '../../shared/error-codes.ts';
import { shownState } from '../../shared/server-states.ts';

/** Error as it is told at the head of a page: why first, then how it ended. */
export interface ErrorStory {
  readonly headline: string;
  /** The rest of the message; undefined where the headline says all of it. */
  readonly more: string | undefined;
  readonly lines: readonly { readonly text: string; readonly isCause: boolean }[];
}

export function tellError({ message, data, causeLines = [] }: ErrorReport): ErrorStory {
  const { brief, phrase, hasMore } = data ?? {};
  const lines = linesOf(causeLines, brief);
  // What a server wrote is shown as it wrote it; a phrase of ours is made for the middle of a sentence.
  const cause = brief ?? (hasMore === true && phrase !== undefined ? asHeadline(phrase) : undefined);
  if (cause === undefined) return { headline: message, more: undefined, lines };
  const rest = message.startsWith(cause) ? withoutJoint(message.slice(cause.length)) : message;
  return { headline: cause, more: rest === '' ? undefined : rest, lines };
}

/** The rest of a message as a sentence: how it ended stands in brackets, more behind a full stop. */
function withoutJoint(rest: string): string {
  const text = rest.trim();
  if (text.startsWith('(') && text.endsWith(')')) return `${asHeadline(text.slice(1, -1))}.`;
  return text.startsWith('. ') ? text.slice(2) : text;
}

/** Lines of stderr with the one that says why; none where the headline is all that there was. */
function linesOf(lines: readonly string[], cause: string | undefined): ErrorStory['lines'] {
  if (lines.length === 1 && lines[0] === cause) return [];
  const at = cause === undefined ? -1 : causeAt(lines, cause);
  return lines.map((text, index) => ({ text, isCause: index === at }));
}

/** A cause may be put together from several lines, and then begins with the first of them. */
function causeAt(lines: readonly string[], cause: string): number {
  const exact = lines.indexOf(cause);
  if (exact >= 0) return exact;
  return lines.findIndex((line) => line.length > 3 && (line.includes(cause) || cause.includes(line)));
}

const asHeadline = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Whether the last error of a server is what its page is about now, and not the past of one that runs. */
export function isInTrouble(server: Pick<ServerView, 'state' | 'restartAttempt' | 'lastError'>): boolean {
  if (server.lastError === undefined) return false;
  const kind = shownState(server);
  if (kind === 'stopped') return server.lastError.code === 'LIMIT_BREACHED';
  return kind === 'failed' || kind === 'backoff' || kind === 'stalled';
}
