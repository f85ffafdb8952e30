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
 * Returns the text shown after the state's name: the reason for the state, and when the state ends or how long ago it began. A
 * table column truncates this text at its end. Empty if there is nothing to add.
 */
export function describeState(server: DescribedServer, now: number): string {
  const { kind, since } = server.state;
  if (kind === 'failed') return describeFailed(server, now);
  // No time is shown for a server that never started, because its state is as old as the app run.
  const isPast = kind === 'asleep' || (kind === 'stopped' && server.generation > 0);
  return joinWords(explainKind(server, now), isPast ? formatAgo(now - since) : undefined);
}

/** Returns the text for a failed server. The time since the failure has a label because the next attempt's time is beside it. */
const describeFailed = (server: DescribedServer, now: number): string =>
  joinWords(
    shownReason(server.state),
    `down for ${formatDuration(now - (server.failingSince ?? server.state.since))}`,
    describeRetry(server, now),
  );

/** Returns the text for a server that needs attention: the full last error, but not the time of the state (shown separately). */
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

/** Explains the text of `describeState` for a server whose silence does not prove a stall. Empty for all other servers. */
export function explainState(server: DescribedServer): string {
  const { state, busy, health, host, unansweredSince, isUnseen, overdue } = server;
  if (state.kind !== 'running') return '';
  if (host?.isOutOfReach === true)
    return 'Its engine is out of reach; the server keeps running there. Calls wait until the engine is back or they time out.';
  if (health === 'paused') return 'A debugger has stopped the server process, so its silence does not count.';
  if (overdue !== undefined) return overdueMeanings[overdue.what];
  if (isUnseen === true)
    return 'It does not answer health checks. Its work is done in a container or on another machine, so the panel cannot see whether it is busy, and gives it as much time as a busy server.';
  if (unansweredSince !== undefined && health !== 'unknown')
    return 'It has not answered a health check and has been computing since: it may be loading a model or building an index. It is given time for that.';
  if (unansweredSince !== undefined)
    return 'It has not answered a health check. It is not restarted for that reason only: it may not be ready yet, or it still sends messages, which show that it is alive.';
  if (health === 'unknown')
    return 'This server does not answer health checks. Only calls show whether it responds.';
  return busy === undefined || busy.calls === 0
    ? ''
    : 'A busy server may be silent: a call within its timeout is never counted against it. Restart it if you know that it hangs.';
}

type Overdue = NonNullable<ServerView['overdue']>;

const overdueMeanings: Readonly<Record<Overdue['what'], string>> = {
  silent:
    'All its calls have timed out and it is silent. Unless it answers or uses CPU, it soon counts as not responding.',
  computing:
    'All its calls have timed out, but its processes use CPU, so it may still finish. It is given time for that. Restart it if you know that it hangs.',
  unseen:
    'All its calls have timed out. Its work is done in a container or on another machine, so the panel cannot see whether it is busy. Restart it if you know that it hangs.',
  'answers-checks':
    'It answers health checks but no calls: a part of it may be dead. It is not restarted for that reason. Restart it if you know that it hangs.',
};

/** True if the text of `describeState` already contains the time since the state began. */
export const saysSince = (kind: StateKind): boolean =>
  kind === 'failed' || kind === 'stopped' || kind === 'asleep' || kind === 'starting' || kind === 'stopping';

/** Returns the reason for the state, with durations recalculated for now, because they were measured when the state began. */
function upToNow({ reason, reasonData, since }: ServerStateView, now: number): string | undefined {
  const silence = reasonData?.silence;
  if (silence === undefined) return reason;
  return silenceWords({ ...silence, forMs: silence.forMs + now - since }, formatDuration);
}

function describeRetry(server: DescribedServer, now: number): string | undefined {
  const { nextRetryAt, kind } = server.state;
  if (nextRetryAt === undefined && kind === 'failed') return undefined;
  const due = nextRetryAt === undefined ? 'soon' : `in ${formatUntil(nextRetryAt - now)}`;
  // `restartAttempt` counts the starts already made, so the number of the next start is one higher.
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
    return `working, no answer ${silence}${isUnseen === true ? '; its work cannot be seen from here' : ''}`;
  }
  return health === 'unknown' ? 'health unknown' : undefined;
}

function describeCalls({ calls, oldest, oldestMs, silentMs }: NonNullable<ServerView['busy']>): string {
  // A tool call is shown only with the tool's name, because most calls are tool calls.
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
      return 'past its deadline; its work cannot be seen from here';
    case 'silent':
      return 'past its deadline, no answer yet';
  }
}

/** True if the text of the state contains the full last error, so that the error does not have to be shown again beside it. */
export function tellsLastError({ state, lastError }: Pick<ServerView, 'state' | 'lastError'>): boolean {
  if (lastError === undefined || !needsAttention(state.kind)) return false;
  return lastError.data?.hasMore !== true && shownReason(state) === errorPhrase(lastError);
}

/**
 * Returns the reason shown at the beginning of the state's text. The reason is shortened if a restart is scheduled, because a
 * long reason would push the countdown out of the column.
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

/** Returns the first sentence of a reason, shortened to leave room for a countdown. */
function inShort(cause: string): string {
  const [text = ''] = cause.split('. ', 1);
  return text.length <= LONGEST_IN_SHORT ? text : `${text.slice(0, LONGEST_IN_SHORT - 1).trimEnd()}…`;
}

/** Joins the non-empty texts with middle dots. */
function joinWords(...words: readonly (string | undefined)[]): string {
  return words.filter((word) => word !== undefined && word !== '').join(' · ');
}
