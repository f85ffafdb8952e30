import type { ServerStateView, ServerView } from '../../shared/domain.ts';
import type { ErrorReport } from '../../shared/error-codes.ts';
import { needsAttention, type StateKind } from '../../shared/server-states.ts';
import { silenceWords } from '../../shared/silence.ts';
import { formatAgo, formatDuration, formatUntil } from './durations.ts';
import { withoutFullStop } from './error-words.ts';
import { formatPlural } from './figures.ts';

type DescribedServer = Pick<
  ServerView,
  | 'state'
  | 'busy'
  | 'health'
  | 'unansweredSince'
  | 'failingSince'
  | 'host'
  | 'isUnseen'
  | 'overdue'
  | 'disabled'
  | 'generation'
  | 'restartAttempt'
  | 'maxRestartAttempts'
>;

/**
 * Returns the text after the state's name: the reason, and until when or since when. A table column cuts this text off at its
 * end. Empty if there is nothing to add.
 */
export function describeState(server: DescribedServer, now: number): string {
  const { kind, since } = server.state;
  if (kind === 'failed') return describeFailed(server, now);
  // A server that never started has no time, because its state is as old as the app's start.
  const isPast = kind === 'asleep' || (kind === 'stopped' && server.generation > 0);
  return joinWords(explainKind(server, now), isPast ? formatAgo(now - since) : undefined);
}

/** Labels the time since the failure, because the time of the next try is shown beside it. */
const describeFailed = (server: DescribedServer, now: number): string =>
  joinWords(
    shownReason(server.state),
    `down for ${formatDuration(now - (server.failingSince ?? server.state.since))}`,
    describeRetry(server, now),
  );

/**
 * Returns the text for a server that needs attention. It contains the full last error, but not the time of the state, which is
 * shown separately.
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
    case 'asleep':
      return state.reason ?? '';
    case 'stopped':
      return state.reason ?? (server.disabled === true ? 'disabled in servers.json' : '');
  }
}

/** Explains the text of `describeState` for a server whose silence does not prove a stall; empty for other servers. */
export function explainState(server: DescribedServer): string {
  const { state, busy, health, host, unansweredSince, isUnseen, overdue } = server;
  if (state.kind !== 'running') return '';
  if (host?.isOutOfReach === true)
    return 'Its engine is out of reach, and the server goes on there. Calls wait until the engine is back, or for their time.';
  if (health === 'paused') return 'A debugger holds the server process, so its silence does not count.';
  if (overdue !== undefined) return overdueMeanings[overdue.what];
  if (isUnseen === true)
    return 'It answers no health check. Its work is done in a container or on another machine, so the panel cannot see whether it is busy, and gives it the time of a server that computes.';
  if (unansweredSince !== undefined && health !== 'unknown')
    return 'It answers no health check and has been computing since: it may be loading a model or building an index. It is given time for that.';
  if (unansweredSince !== undefined)
    return 'It has not answered a health check. It is not restarted for that alone: it may not be ready yet, or still sends messages, which are a sign of life.';
  if (health === 'unknown')
    return 'This server answers no health checks: whether it responds shows in calls only.';
  return busy === undefined || busy.calls === 0
    ? ''
    : 'A server at work may be silent: a call within its timeout is never counted against it. Restart it if you know better.';
}

type Overdue = NonNullable<ServerView['overdue']>;

const overdueMeanings: Readonly<Record<Overdue['what'], string>> = {
  silent:
    'All its calls have timed out and it is silent. Unless it answers or uses CPU, it soon counts as not responding.',
  computing:
    'All its calls have timed out, but its processes use CPU, so it may still finish. It is given time for that. Restart it if you know better.',
  unseen:
    'All its calls have timed out. Its work is done in a container or on another machine, so the panel cannot see whether it is busy. Restart it if you know better.',
  'answers-checks':
    'It answers health checks but no calls: a part of it may be dead. It is not restarted for that. Restart it if you know better.',
};

/** Whether the text of `describeState` already contains the time since the state began. */
export const saysSince = (kind: StateKind): boolean =>
  kind === 'failed' || kind === 'stopped' || kind === 'asleep' || kind === 'starting' || kind === 'stopping';

/** Returns the reason with its times updated to now, because they were measured when the state was entered. */
function upToNow({ reason, reasonData, since }: ServerStateView, now: number): string | undefined {
  const silence = reasonData?.silence;
  if (silence === undefined) return reason;
  return silenceWords({ ...silence, forMs: silence.forMs + now - since }, formatDuration);
}

function describeRetry(server: DescribedServer, now: number): string | undefined {
  const { nextRetryAt, kind } = server.state;
  if (nextRetryAt === undefined && kind === 'failed') return undefined;
  const due = nextRetryAt === undefined ? 'soon' : `in ${formatUntil(nextRetryAt - now)}`;
  // `restartAttempt` counts the starts already made, so the next start is one higher.
  return kind === 'failed'
    ? `tries again ${due}`
    : `${due} · ${attemptOf(server.restartAttempt + 1, server)}`;
}

const attemptOf = (attempt: number, { maxRestartAttempts }: DescribedServer): string =>
  `attempt ${attempt} of ${Math.max(attempt, maxRestartAttempts)}`;

function describeWork(server: DescribedServer, now: number): string | undefined {
  const { busy, health, host, unansweredSince, isUnseen, overdue } = server;
  if (host?.isOutOfReach === true) return 'engine out of reach';
  if (busy !== undefined && busy.calls > 0) return describeCalls(busy);
  if (health === 'paused') return 'held by a debugger';
  if (overdue !== undefined) return describeOverdue(overdue);
  if (unansweredSince !== undefined) {
    const silence = `for ${formatDuration(now - unansweredSince)}`;
    if (health === 'unknown') return `health unknown, has not answered a check ${silence}`;
    return `working, no answer ${silence}${isUnseen === true ? '; what it does cannot be seen from here' : ''}`;
  }
  return health === 'unknown' ? 'health unknown' : undefined;
}

function describeCalls({ calls, oldest, oldestMs, silentMs }: NonNullable<ServerView['busy']>): string {
  // Tool calls are named only by their tool, because they are the usual kind of call.
  const name = oldest === undefined ? undefined : `"${oldest.replace(/^tools\/call /, '')}"`;
  const which = calls === 1 ? (name ?? '1 call') : `${formatPlural(calls, 'call')}, longest ${name ?? ''}`;
  const silence = silentMs === undefined ? '' : `, silent for ${formatDuration(silentMs)}`;
  return `busy: ${which.trimEnd()} for ${formatDuration(oldestMs)}${silence}`;
}

function describeOverdue({ what, calls }: Overdue): string {
  switch (what) {
    case 'answers-checks':
      return `answers checks, not its last ${calls === 1 ? 'call' : formatPlural(calls, 'call')}`;
    case 'computing':
      return 'past its deadline, still computing';
    case 'unseen':
      return 'past its deadline; what it does cannot be seen from here';
    case 'silent':
      return 'past its deadline, no answer yet';
  }
}

/** Whether the text of the state contains the last error in full, so that the error need not be repeated beside it. */
export function tellsLastError({ state, lastError }: Pick<ServerView, 'state' | 'lastError'>): boolean {
  if (lastError === undefined || !needsAttention(state.kind)) return false;
  return lastError.data?.hasMore !== true && shownReason(state) === errorPhrase(lastError);
}

/**
 * Returns the reason at the beginning of the state's text. It is shortened for a scheduled restart, because a long reason would
 * cut off the countdown.
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

/** Returns the first sentence of a cause, cut to leave room for a countdown. */
function inShort(cause: string): string {
  const [text = ''] = cause.split('. ', 1);
  return text.length <= LONGEST_IN_SHORT ? text : `${text.slice(0, LONGEST_IN_SHORT - 1).trimEnd()}…`;
}

/** Joins the non-empty texts with middle dots. */
function joinWords(...words: readonly (string | undefined)[]): string {
  return words.filter((word) => word !== undefined && word !== '').join(' · ');
}
