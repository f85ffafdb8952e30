import type { ServerStateView, ServerView } from '../../shared/domain.ts';
import type { ErrorReport } from '../../shared/error-codes.ts';
import { needsAttention, type StateKind } from '../../shared/server-states.ts';
import { silenceWords } from '../../shared/silence.ts';
import { formatAgo, formatDuration, formatUntil } from './durations.ts';
import { withoutFullStop } from './error-words.ts';
import { formatPlural } from './figures.ts';

export type DescribedServer = Pick<
  ServerView,
  | 'state'
  | 'busy'
  | 'health'
  | 'unansweredSince'
  | 'failingSince'
  | 'disabled'
  | 'generation'
  | 'restartAttempt'
  | 'maxRestartAttempts'
>;

/**
 * Words after the state word: why, until when, since when; a column cuts them from the end. Empty when there
 * is nothing to add.
 */
export function describeState(server: DescribedServer, now: number): string {
  const { kind, since } = server.state;
  if (kind === 'failed') return describeFailed(server, now);
  // A server that never started shows no time because its moment is that of the panel's own start.
  const isPast = kind === 'stopped' && server.generation > 0;
  return joinWords(explainKind(server, now), isPast ? formatAgo(now - since) : undefined);
}

/** The time that it has been down names itself, because the time of the next try stands beside it. */
const describeFailed = (server: DescribedServer, now: number): string =>
  joinWords(
    shownReason(server.state),
    `down for ${formatDuration(now - (server.failingSince ?? server.state.since))}`,
    describeRetry(server, now),
  );

/**
 * Words for a server that needs attention, whose last error is told in full and whose moment stands by
 * itself.
 */
export function describeTrouble(
  server: DescribedServer & Pick<ServerView, 'lastError'>,
  now: number,
): string {
  const { state, lastError } = server;
  const why = lastError === undefined ? reasonPhrase(state) : errorPhrase(lastError);
  switch (state.kind) {
    case 'starting':
      return joinWords(explainKind(server, now), why);
    case 'backoff':
    case 'failed':
      return joinWords(why, describeRetry(server, now));
    default:
      return describeState(server, now);
  }
}

function explainKind(server: DescribedServer, now: number): string {
  const { state } = server;
  const elapsed = formatDuration(now - state.since);
  switch (state.kind) {
    case 'running':
      return joinWords(state.reason, describeWork(server, now));
    case 'starting':
      return joinWords(
        server.restartAttempt > 0 ? attemptOf(server.restartAttempt, server) : undefined,
        `${state.reason ?? 'waiting for its handshake'}… ${elapsed}`,
      );
    case 'stopping':
      return `${state.reason ?? 'waiting for it to exit'}… ${elapsed}`;
    case 'suspect':
      return joinWords(upToNow(state, now) ?? 'no answer', describeWork(server, now));
    case 'stalled':
      return joinWords(upToNow(state, now) ?? `no answer for ${elapsed}`, describeWork(server, now));
    case 'backoff':
    case 'failed':
      return joinWords(shownReason(state), describeRetry(server, now));
    case 'stopped':
      return state.reason ?? (server.disabled === true ? 'disabled in servers.json' : '');
  }
}

/** Meaning of the words above for a server whose silence proves nothing; empty for any other. */
export function explainState({ state, busy, health, unansweredSince }: DescribedServer): string {
  if (state.kind !== 'running') return '';
  if (health === 'paused') return 'A debugger is attached, so it is not checked until that is gone.';
  if (unansweredSince !== undefined && health !== 'unknown')
    return 'It answers no check and has been computing since: it may be loading a model or building an index. It is given time for that.';
  if (unansweredSince !== undefined)
    return 'It owes the answer to a check. It is not restarted for that alone: it may not be ready yet, or still sends messages, which are a sign of life.';
  if (health === 'unknown')
    return 'No kind of check works with this server: whether it responds shows in calls only.';
  return busy === undefined || busy.calls === 0
    ? ''
    : 'A server at work may be silent: it counts as not responding only on the evidence of checks, or past the deadline of its calls.';
}

/** Whether the words above already tell how long it has been so. */
export const saysSince = (kind: StateKind): boolean =>
  kind === 'failed' || kind === 'stopped' || kind === 'starting' || kind === 'stopping';

/** Reason as of now, because its counts were made when the state was entered, and have gone on since. */
function upToNow({ reason, reasonData, since }: ServerStateView, now: number): string | undefined {
  const silence = reasonData?.silence;
  if (silence === undefined) return reason;
  return silenceWords({ ...silence, forMs: silence.forMs + now - since }, formatDuration);
}

function describeRetry(server: DescribedServer, now: number): string | undefined {
  const { nextRetryAt, kind } = server.state;
  if (nextRetryAt === undefined && kind === 'failed') return undefined;
  const due = nextRetryAt === undefined ? 'soon' : `in ${formatUntil(nextRetryAt - now)}`;
  // Starts made are counted; the one that is due is the next.
  return kind === 'failed'
    ? `tries again ${due}`
    : `${due} · ${attemptOf(server.restartAttempt + 1, server)}`;
}

const attemptOf = (attempt: number, { maxRestartAttempts }: DescribedServer): string =>
  `attempt ${attempt} of ${Math.max(attempt, maxRestartAttempts)}`;

function describeWork({ busy, health, unansweredSince }: DescribedServer, now: number): string | undefined {
  if (busy !== undefined && busy.calls > 0) {
    // Calls of tools are named by the tool alone because they are what servers are for.
    const name = busy.oldest?.replace(/^tools\/call /, '');
    const which = [busy.calls > 1 ? 'oldest' : undefined, name]
      .filter((word) => word !== undefined)
      .join(' ');
    const silence = busy.silentMs === undefined ? '' : `, silent for ${formatDuration(busy.silentMs)}`;
    return `busy · ${formatPlural(busy.calls, 'call')}${which && `, ${which}`} for ${formatDuration(busy.oldestMs)}${silence}`;
  }
  if (health === 'paused') return 'checks paused';
  if (unansweredSince !== undefined) {
    const silence = `for ${formatDuration(now - unansweredSince)}`;
    return health === 'unknown'
      ? `health unknown · has not answered a check ${silence}`
      : `working · no answer ${silence}`;
  }
  return health === 'unknown' ? 'health unknown' : undefined;
}

/** Whether the words of a state tell the last error in full, so that it need not be repeated beside them. */
export function tellsLastError({ state, lastError }: Pick<ServerView, 'state' | 'lastError'>): boolean {
  if (lastError === undefined || !needsAttention(state.kind)) return false;
  return lastError.data?.hasMore !== true && shownReason(state) === errorPhrase(lastError);
}

/**
 * Reason as the words of a state begin with it. A restart has a short one because a long cause would cut off
 * the countdown.
 */
export function shownReason(state: ServerStateView): string | undefined {
  const phrase = reasonPhrase(state);
  return state.kind === 'backoff' && phrase !== undefined
    ? inShort(state.reasonData?.brief ?? phrase)
    : phrase;
}

const reasonPhrase = ({ reason, reasonData }: ServerStateView): string | undefined =>
  reasonData?.phrase ?? (reason === undefined ? undefined : withoutFullStop(reason));

const errorPhrase = ({ message, data }: ErrorReport): string => data?.phrase ?? withoutFullStop(message);

const LONGEST_IN_SHORT = 80;

/** First sentence of a cause, or as much of it as leaves room for a countdown. */
function inShort(cause: string): string {
  const [text = ''] = cause.split('. ', 1);
  return text.length <= LONGEST_IN_SHORT ? text : `${text.slice(0, LONGEST_IN_SHORT - 1).trimEnd()}…`;
}

/** Joins the words there are with middle dots. */
function joinWords(...words: readonly (string | undefined)[]): string {
  return words.filter((word) => word !== undefined && word !== '').join(' · ');
}
