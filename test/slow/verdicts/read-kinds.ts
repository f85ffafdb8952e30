import { readFileSync } from 'node:fs';

/** Stall threshold of all kinds, a seventh of the real one. */
export const THRESHOLD_MS = 4000;
export const PROBE_INTERVAL_MS = 1000;
export const ALLOWANCE_MS = 5 * THRESHOLD_MS;
/** Deadline of calls where a line gives none: no life is as long. */
const FAR_DEADLINE_MS = 15 * THRESHOLD_MS;
/** An idle server is asked so many times more rarely than one with calls in flight. */
const IDLE_INTERVALS = 6;
const ROUNDING_MS = 1000;

export type Start = 'direct' | 'sh' | 'npx' | 'unknown' | 'docker' | 'inspect';

/** One step of a life, as `kinds.md` describes it. */
export interface Action {
  readonly verb: Verb;
  /** What the verb is done with: steps with their durations in milliseconds, or a role. */
  readonly text: string;
  /** A duration, for the verbs that take one. */
  readonly ms: number;
  /** From here on the server hangs. */
  readonly hangs: boolean;
}

export type Expectation =
  /** @property mayBeTold a stall may be told, as long as nothing is done about it */
  | { readonly is: 'healthy'; readonly mayBeTold: boolean }
  /** @property withinMs of the moment at which it hangs */
  | { readonly is: 'hung'; readonly row: string; readonly withinMs: number }
  | { readonly is: 'shown'; readonly what: Shown; readonly withinMs: number };

export type Shown = 'health unknown' | 'unanswered calls';

export interface Kind {
  readonly title: string;
  readonly start: Start;
  readonly flags: readonly string[];
  readonly deadlineMs: number;
  /** The server is asked for its debug logs. */
  readonly wantsHeartbeats: boolean;
  readonly life: readonly Action[];
  readonly expectation: Expectation;
}

const STARTS: readonly string[] = ['direct', 'sh', 'npx', 'unknown', 'docker', 'inspect'] satisfies Start[];
const VERBS = [
  ...['call', 'late', 'cancel', 'send', 'calls', 'back', 'stuff', 'pass', 'freeze', 'thaw'],
  ...['hold', 'trace', 'throttle', 'release'],
] as const;
type Verb =
  | 'call'
  | 'late'
  | 'cancel'
  | 'send'
  | 'calls'
  | 'back'
  | 'stuff'
  | 'pass'
  | 'freeze'
  | 'thaw'
  | 'hold'
  | 'trace'
  | 'throttle'
  | 'release';

/** The lines of `kinds.md`. @throws Error which names a line that says something else than it describes */
export function readKinds(): readonly Kind[] {
  const text = readFileSync(new URL('./kinds.md', import.meta.url), 'utf8');
  const rows = text.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| kind |'));
  return rows.map((row) => {
    const cells = row.split('|').map((cell) => cell.trim());
    try {
      return readKind(cells.slice(1, -1));
    } catch (error) {
      throw new Error(`kinds.md: ${row}`, { cause: error });
    }
  });
}

function readKind(cells: readonly string[]): Kind {
  const [title, start, settings, life, expectation] = cells;
  if (cells.length !== 5 || !title || !isStart(start) || !life || !expectation) throw new Error('five cells');
  const words = (settings ?? '').split(' ').filter((word) => word !== '');
  const deadline = words.find((word) => word.startsWith('D='));
  const deadlineMs = deadline === undefined ? FAR_DEADLINE_MS : durationOf(deadline.slice(2));
  const flags = words.filter((word) => word.startsWith('--')).map(inMilliseconds);
  const wantsHeartbeats = words.includes('heartbeats');
  if (words.length !== flags.length + (deadline ? 1 : 0) + (wantsHeartbeats ? 1 : 0)) throw new Error('with');
  const actions = life.split(';').map((action) => readAction(action.trim()));
  return {
    ...{ title, start, flags, deadlineMs, wantsHeartbeats, life: actions },
    expectation: readExpectation(expectation, deadlineMs),
  };
}

function readAction(text: string): Action {
  const hangs = text.startsWith('!');
  const [word, rest = ''] = text.slice(hangs ? 1 : 0).split(' ');
  const verb = VERBS.find((known) => known === word);
  if (verb === undefined) throw new Error(`no verb: "${word}"`);
  const takesDuration = verb === 'pass' || verb === 'calls';
  return { verb, hangs, text: inMilliseconds(rest), ms: takesDuration ? durationOf(rest) : 0 };
}

function readExpectation(text: string, deadlineMs: number): Expectation {
  if (text === 'healthy' || text === 'told') return { is: 'healthy', mayBeTold: text === 'told' };
  if (text === 'shown health unknown')
    return { is: 'shown', what: 'health unknown', withinMs: IDLE_MS + THRESHOLD_MS + ROUNDING_MS };
  if (text === 'shown unanswered calls')
    return { is: 'shown', what: 'unanswered calls', withinMs: deadlineMs + THRESHOLD_MS };
  const [, row = '', more = '0'] = /^row (\S+)(?: \+ (\S+))?$/.exec(text) ?? [];
  const limitMs = limitsMs(deadlineMs).get(row);
  if (limitMs === undefined) throw new Error(`no expectation: "${text}"`);
  return { is: 'hung', row, withinMs: limitMs + durationOf(more) };
}

/** Until an idle server is asked. */
const IDLE_MS = IDLE_INTERVALS * PROBE_INTERVAL_MS;

/** Time in which each row of the verdict table finds a hung server, from the moment at which it hangs. */
const limitsMs = (deadlineMs: number): ReadonlyMap<string, number> =>
  new Map([
    ['2', THRESHOLD_MS + 2 * ROUNDING_MS],
    ['4', IDLE_MS + 2 * THRESHOLD_MS + ROUNDING_MS],
    ['4b', IDLE_MS + ALLOWANCE_MS + ROUNDING_MS],
    ['7', deadlineMs + 2 * THRESHOLD_MS + PROBE_INTERVAL_MS + ROUNDING_MS],
    ['7b', deadlineMs + ALLOWANCE_MS + ROUNDING_MS],
  ]);

const DURATION = /^(\d+(?:\.\d+)?)?(T|s)?$/;

function durationOf(text: string): number {
  const [, count = '1', unit] = DURATION.exec(text) ?? [];
  if (text === '' || !DURATION.test(text)) throw new Error(`no duration: "${text}"`);
  const unitMs = unit === 'T' ? THRESHOLD_MS : unit === 's' ? 1000 : 1;
  return Math.round(Number(count) * unitMs);
}

/** `--flag=burst:1`, `2*log:500,block:2T`: as the fixture server reads them. */
function inMilliseconds(text: string): string {
  return text
    .split(',')
    .flatMap((step) => {
      const [, count = '1', kind = step, duration] = /^(?:(\d)\*)?([^:]*)(?::(.+))?$/.exec(step) ?? [];
      const written = duration === undefined ? kind : `${kind}:${durationOf(duration)}`;
      return Array.from({ length: Number(count) }, () => written);
    })
    .join(',');
}

function isStart(text: string | undefined): text is Start {
  return text !== undefined && STARTS.includes(text);
}
