import type { Pattern } from '../../../shared/restart-story.ts';
import type { BegunEvent } from '../../../shared/events.ts';
import type { FoundEnd } from './run-ends.ts';
import { LEAST_ENDS, lostShareOf } from './share.ts';
import { uptimeMs } from './tell-end.ts';

/** Minimum ratio of a version's faults to the faults expected from the version before in the same time. */
const TIMES_WORSE = 4;
/** Minimum uptime of the earlier version for a comparison, in ms. */
const LEAST_UP_MS = 3_600_000;

/**
 * Pattern of a newest version that fails more often than the one before, relative to their uptimes. The older version is
 * charged one extra fault, so that a version without faults must have run for long.
 * @param up event that began the run that is up at `now`
 */
export function versionPattern(
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
