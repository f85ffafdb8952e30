import type { Pattern } from '../../../shared/restart-story.ts';
import { type FoundEnd, isFault, LEAST_ENDS, lostShareOf, namedShare } from './run-ends.ts';
import { type CallKey, callOfKey, limitOf, uptimeMs } from './tell-end.ts';
import { WAKE_MS } from './cause-chain.ts';
import type { BegunEvent } from '../../../shared/events.ts';

/** Milliseconds after the handshake within which a crash is related to the start. */
const SOON_MS = 60_000;
/** Times in ms after the handshake for the pattern "soon after the start". It shows the shortest that covers all its ends. */
const SOON_STEPS_MS = [1000, 2000, 5000, 10_000, 20_000, 30_000, SOON_MS];
/** Maximum ratio of the longest run to the shortest, for runs of about equal length. */
const MOST_SPREAD = 1.5;

export interface PatternContext {
  /** Event that began the current run. */
  readonly up: Parameters<typeof versionPattern>[1];
  /** Time up to which the current run is known to be up, in epoch milliseconds. */
  readonly now: number;
  /** Returns the calls in flight at an end, as `calledAt` does. Callers with many ends compute them beforehand, in chunks. */
  readonly calledAt: (end: FoundEnd) => ReadonlySet<CallKey>;
  /** Returns the minute of the day in the machine's local time. */
  readonly minuteOfDay: (at: number) => number;
}

/**
 * Returns the patterns that several ends of runs have in common, each with the share of ends that show it, the largest share
 * first. A change of the server's version has its own rule, see `versionPattern`. Every other pattern needs at least three
 * ends, and at least this share of the ends that could show it:
 * - ended by the same limit 50 % (25 % at regular intervals), after the machine woke 50 %, after a change of the configuration
 * 50 %;
 * - the same call in flight 60 %, the same error text 60 %, the same time of day 60 % (on four days);
 * - soon after the start 80 %, the same exit code or signal 80 %.
 */
export function patternsOf(ends: readonly FoundEnd[], context: PatternContext): readonly Pattern[] {
  const faults = ends.filter(isFault);
  const failures = faults.filter(({ cause }) => cause !== 'limit');
  const crashes = faults.filter(({ cause }) => cause === 'crash');
  const found = [
    ...limitPatterns(faults),
    ...callPatterns(failures, context.calledAt),
    ...soonPattern(faults),
    ...wakePattern(faults),
    ...versionPattern(faults, context.up, context.now, ends),
    ...configurationPattern(ends.filter(({ cause }) => cause !== 'start')),
    ...crashPatterns(crashes),
    ...hourPattern(faults, context.minuteOfDay),
  ];
  return found.toSorted((a, b) => b.count / b.of - a.count / a.of || b.count - a.count);
}

function limitPatterns(faults: readonly FoundEnd[]): readonly Pattern[] {
  return (['memory', 'openFiles'] as const).flatMap((limit) => {
    const own = faults.filter((end) => end.cause === 'limit' && limitOf(end) === limit);
    const every = everyOf(own);
    // If a limit is reached at regular intervals, a smaller share is enough, because chance does not explain the regularity.
    return namedShare(own, faults, every.every ? 0.25 : 0.5, { kind: 'limit', limit, ...every });
  });
}

/** Returns the range of run lengths in ms if all are about equal, which shows that the end recurs regularly; otherwise empty. */
function everyOf(ends: readonly FoundEnd[]): { every?: { minMs: number; maxMs: number } } {
  const known = ends.filter(({ began }) => began !== undefined).map(uptimeMs);
  const [minMs, maxMs] = [Math.min(...known), Math.max(...known)];
  const isRegular =
    known.length >= 3 && known.length === ends.length && minMs > 0 && maxMs <= minMs * MOST_SPREAD;
  return isRegular ? { every: { minMs, maxMs } } : {};
}

/** Returns a pattern for each call in flight at enough of the failures, including calls that the caller had given up. */
function callPatterns(
  failures: readonly FoundEnd[],
  calledAt: PatternContext['calledAt'],
): readonly Pattern[] {
  return byKey(failures, calledAt).flatMap(([key, own]) =>
    namedShare(own, failures, 0.6, { kind: 'call', ...callOfKey(key) }),
  );
}

function soonPattern(faults: readonly FoundEnd[]): readonly Pattern[] {
  const known = faults.filter(({ began }) => began !== undefined);
  const soon = known.filter((end) => uptimeMs(end) <= SOON_MS);
  const longestMs = Math.max(...soon.map(uptimeMs));
  const withinMs = SOON_STEPS_MS.find((stepMs) => stepMs >= longestMs) ?? SOON_MS;
  return namedShare(soon, known, 0.8, { kind: 'after-start', withinMs });
}

function wakePattern(faults: readonly FoundEnd[]): readonly Pattern[] {
  const own = faults.filter(({ at, before }) =>
    before.some((event) => event.kind === 'system-resumed' && at - event.at <= WAKE_MS),
  );
  return namedShare(own, faults, 0.5, { kind: 'after-wake', withinMs: WAKE_MS });
}

function configurationPattern(ends: readonly FoundEnd[]): readonly Pattern[] {
  const own = ends.filter(({ cause }) => cause === 'configuration');
  return namedShare(own, ends, 0.5, { kind: 'configuration' });
}

/** Returns the patterns of crashes with the same error text, which says more, or if there is none, with the same exit. */
function crashPatterns(crashes: readonly FoundEnd[]): readonly Pattern[] {
  const words = byKey(crashes, causeOf).flatMap(([text, own]) =>
    namedShare(own, crashes, 0.6, { kind: 'same-words', words: text.slice(0, 300) }),
  );
  if (words.length > 0) return words;
  return byKey(crashes, exitOf).flatMap(([exit, own]) =>
    namedShare(own, crashes, 0.8, {
      kind: 'same-exit',
      ...(exit.startsWith('SIG') ? { signal: exit } : { exitCode: Number(exit) }),
    }),
  );
}

const causeOf = ({ event }: FoundEnd): readonly string[] =>
  event.kind === 'crashed' && event.detail.cause ? [event.detail.cause] : [];

function exitOf({ event }: FoundEnd): readonly string[] {
  if (event.kind !== 'crashed') return [];
  const { signal, exitCode } = event.detail;
  if (signal) return [signal];
  return exitCode === undefined ? [] : [String(exitCode)];
}

/** Groups ends by their keys. An end with several keys is listed under each of them. */
function byKey(
  ends: readonly FoundEnd[],
  keysOf: (end: FoundEnd) => Iterable<string>,
): readonly (readonly [string, readonly FoundEnd[]])[] {
  const groups = new Map<string, FoundEnd[]>();
  for (const end of ends) {
    for (const key of keysOf(end)) {
      const group = groups.get(key) ?? [];
      group.push(end);
      groups.set(key, group);
    }
  }
  return [...groups];
}

const LEAST_DAYS = 4;
const WINDOW_MINUTES = 60;
const DAY_MINUTES = 24 * 60;

/** Returns the pattern of faults at one time of day: most of them within an hour, on at least four days. */
function hourPattern(faults: readonly FoundEnd[], minuteOfDay: (at: number) => number): readonly Pattern[] {
  const timed = faults.map((end) => ({ end, minute: minuteOfDay(end.at) }));
  const from = fullestWindow(timed.map(({ minute }) => minute));
  const own = timed
    .map(({ end, minute }) => ({ end, intoMinutes: minutesAfter(from, minute) }))
    .filter(({ intoMinutes }) => intoMinutes < WINDOW_MINUTES);
  const days = countDays(own.map(({ end, intoMinutes }) => end.at / 60_000 - intoMinutes));
  if (days < LEAST_DAYS) return [];
  const lengthMinutes = Math.max(...own.map(({ intoMinutes }) => intoMinutes));
  const ends = own.map(({ end }) => end);
  const toMinute = (from + lengthMinutes) % DAY_MINUTES;
  return namedShare(ends, faults, 0.6, { kind: 'time-of-day', days, fromMinute: from, toMinute });
}

/** Returns the start of the time window that contains the most of these minutes of the day; the earliest of several. */
function fullestWindow(minutes: readonly number[]): number {
  const counts = Array.from({ length: DAY_MINUTES }, () => 0);
  for (const minute of minutes) counts[minute]! += 1;
  let best = { from: 0, count: 0 };
  for (const from of new Set(minutes.toSorted((a, b) => a - b))) {
    let count = 0;
    for (let into = 0; into < WINDOW_MINUTES; into += 1) count += counts[(from + into) % DAY_MINUTES]!;
    if (count > best.count) best = { from, count };
  }
  return best.from;
}

/** Returns the number of minutes from one time of day until the clock next shows the other. */
const minutesAfter = (from: number, to: number): number => (to - from + DAY_MINUTES) % DAY_MINUTES;

/**
 * Counts different days, each given by its start in minutes since 1970. Starts within half a day of each other count as one
 * day, because daylight saving time shifts them.
 */
function countDays(begins: readonly number[]): number {
  let count = 0;
  let last = -Infinity;
  for (const begin of begins.toSorted((a, b) => a - b)) {
    if (begin - last > DAY_MINUTES / 2) count += 1;
    last = begin;
  }
  return count;
}

/** Minimum ratio of a version's faults to the faults that the previous version would have had in the same time. */
const TIMES_WORSE = 4;

/** Minimum uptime of the earlier version for a comparison, in ms. */
const LEAST_UP_MS = 3_600_000;

/**
 * Returns a pattern if the newest version of the server fails more often than the previous one, relative to their uptimes. The
 * previous version is treated as if it had one more fault, so that a version without faults is a basis for comparison only if
 * it ran long enough.
 * @param up event that began the run that is up at `now`
 */
function versionPattern(
  faults: readonly FoundEnd[],
  up: BegunEvent | undefined,
  now: number,
  ends: readonly FoundEnd[],
): readonly Pattern[] {
  const runs = ends
    .filter(({ instance }) => instance === undefined)
    .flatMap((end) => runOf(end.began, uptimeMs(end)));
  if (up) runs.push(...runOf(up, Math.max(0, now - up.at)));
  const latest = runs.at(-1);
  const earlier = runs.findLast(({ version }) => version !== latest?.version);
  if (!latest || !earlier || latest.name !== earlier.name) return [];
  const ofVersion = (version: string): Version => ({
    upMs: runs.filter((run) => run.version === version).reduce((sum, run) => sum + run.upMs, 0),
    faults: faults.filter((end) => runOf(end.began, 0)[0]?.version === version),
  });
  const [before, after] = [ofVersion(earlier.version), ofVersion(latest.version)];
  const expected = ((before.faults.length + 1) / before.upMs) * after.upMs;
  const isWorse = after.faults.length >= LEAST_ENDS && after.faults.length >= expected * TIMES_WORSE;
  if (!isWorse || before.upMs < LEAST_UP_MS) return [];
  return [
    {
      kind: 'after-version',
      ...lostShareOf(after.faults, [...before.faults, ...after.faults]),
      from: earlier.version,
      to: latest.version,
      upMs: after.upMs,
      upBeforeMs: before.upMs,
    },
  ];
}

interface Version {
  readonly upMs: number;
  readonly faults: readonly FoundEnd[];
}

interface VersionRun {
  readonly name: string | undefined;
  readonly version: string;
  readonly upMs: number;
}

function runOf(began: BegunEvent | undefined, upMs: number): readonly VersionRun[] {
  const { name, version = '' } = began?.detail.serverInfo ?? {};
  return version === '' ? [] : [{ name, version: version.slice(0, 200), upMs }];
}
