/**
 * Holds the verdicts to `kinds.md`: 71 kinds of servers, healthy and hung, each lived on real processes under the whole core,
 * some side by side. The last lines say how many were judged wrong, and how.
 *
 * `KINDS_ROUNDS=10 KINDS_BUSY_LOOPS=2 npm run test:slow -- test/slow/verdicts` lives all of them ten times beside two busy
 * loops; `KINDS_ONLY='in a container'` those whose titles hold these words.
 */
import { spawn, spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { skipOn } from '../../support/skip-on.ts';
import { judgeKind, type Judged } from './judge-kind.ts';
import { openKindsPanel } from './kinds-panel.ts';
import { TRACER } from './live-kind.ts';
import { OwnLoop } from './own-loop.ts';
import { readKinds, type Kind } from './read-kinds.ts';
import { Room } from './room.ts';
import { linesOf, totalsOf } from './summary.ts';

const ROUNDS = Number(process.env['KINDS_ROUNDS'] ?? 1);
const BUSY_LOOPS = Math.min(4, Number(process.env['KINDS_BUSY_LOOPS'] ?? 0));
/** It ends with us, also where we are interrupted. */
const BUSY_LOOP = 'const { ppid } = process; while (process.ppid === ppid) for (let i = 0; i < 1e8; i += 1);';
const ONLY = process.env['KINDS_ONLY'] ?? '';
/** More than a round takes on a machine that is busy with something else. */
const ROUND_LIMIT_MS = 15 * 60_000;

/** Kinds that have room at the same time; one that computes takes that of four. */
const ROOM = 16;
const ROOM_TO_COMPUTE = 4;

const kinds = readKinds();
const has = ({ life }: Kind, pattern: RegExp) =>
  life.some(({ verb, text }) => pattern.test(`${verb} ${text}`));
const needsTracer = (kind: Kind) => has(kind, /\b(hold|trace|debug)\b/);
const computes = (kind: Kind) => has(kind, /\b(spin|burn):/);
const isTraceable = spawnSync('python3', [TRACER]).status === 0;
const lived = kinds.filter((kind) => kind.title.includes(ONLY) && (isTraceable || !needsTracer(kind)));

describe('the verdicts', skipOn('win32', 'Windows has no signals'), () => {
  const rounds: (readonly Judged[])[] = [];
  let longestLateMs = 0;

  beforeAll(async () => {
    const loops = Array.from({ length: BUSY_LOOPS }, () => spawn(process.execPath, ['-e', BUSY_LOOP]));
    try {
      for (let round = 0; round < ROUNDS; round += 1) {
        const judged = await liveAll();
        rounds.push(judged);
        process.stdout.write(`${linesOf(judged).join('\n')}\n${totalsOf([judged])}\n`);
      }
    } finally {
      for (const loop of loops) loop.kill('SIGKILL');
    }
  }, ROUNDS * ROUND_LIMIT_MS);

  afterAll(() => {
    const loop = `our own loop was at most ${Math.round(longestLateMs)} ms late`;
    const untraced = isTraceable
      ? []
      : ['left out what is traced: that takes Linux, python3 and the right to'];
    process.stdout.write(`${[...untraced, loop, totalsOf(rounds)].join('\n')}\n`);
  });

  it('are held to 71 kinds, of which 47 are healthy and 24 hang', () => {
    const healthy = kinds.filter(({ expectation }) => expectation.is === 'healthy');
    expect([kinds.length, healthy.length]).toEqual([71, 47]);
    expect(new Set(kinds.map(({ title }) => title)).size).toBe(71);
  });

  it.each(lived.map((kind) => [kind.expectation.is, kind.title, kind] as const))('%s: %s', (_, __, kind) => {
    const judged = rounds.flatMap((round) => round.filter((one) => one.kind === kind));
    expect(judged).toHaveLength(ROUNDS);
    const wrong = judged.filter(({ faults }) => faults.length > 0);
    expect(wrong.map(({ faults, said }) => [...faults, ...said])).toEqual([]);
  });

  async function liveAll(): Promise<readonly Judged[]> {
    const bench = await openKindsPanel(kinds);
    const room = new Room(ROOM);
    const loop = new OwnLoop();
    const live = (kind: Kind) =>
      room.with(computes(kind) ? ROOM_TO_COMPUTE : 1, () => judgeKind(bench, kind, loop));
    try {
      return await Promise.all(lived.map(live));
    } finally {
      longestLateMs = Math.max(longestLateMs, loop.longestLateMs);
      loop.dispose();
      await bench.dispose();
    }
  }
});
