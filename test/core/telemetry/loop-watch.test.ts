import { describe, expect, it } from 'vitest';
import { CurrentTask } from '../../../electron/core/current-task.ts';
import { longTurnLog } from '../../../electron/core/panel/wire-parts.ts';
import { LoopWatch, type LongTurn } from '../../../electron/core/telemetry/loop-watch.ts';
import { createFakeClock } from '../fake-clock.ts';

function bench() {
  const clock = createFakeClock();
  const currentTask = new CurrentTask(clock);
  const turns: LongTurn[] = [];
  let cpuMs = 0;
  const watch = new LoopWatch({
    clock,
    currentTask,
    cpuTimeMs: () => cpuMs,
    onLongTurn: (turn) => turns.push(turn),
  });
  /** Turn in which this process computes. */
  const compute = (ms: number) => {
    clock.jump(ms);
    cpuMs += ms;
  };
  return { clock, currentTask, turns, watch, compute };
}

describe('LoopWatch', () => {
  it('knows nothing before its first look, and nothing but punctual looks of an idle loop', async () => {
    const { clock, watch } = bench();
    expect(watch.lateness).toBeUndefined();
    await clock.advance(60_000);
    expect(watch.lateness).toEqual({ p50Ms: 0, p99Ms: 0, maxMs: 0 });
  });

  it('counts a long turn for all that came up meanwhile, and forgets it after a minute', async () => {
    const { clock, watch, compute } = bench();
    await clock.advance(60_000);
    compute(2050);
    await clock.advance(0);
    // The turn would have contained 20 of the 600 looks of a minute; six of them had to wait 1450 ms or longer.
    expect(watch.lateness).toEqual({ p50Ms: 0, p99Ms: 1450, maxMs: 1950 });
    await clock.advance(60_000);
    expect(watch.lateness).toEqual({ p50Ms: 0, p99Ms: 0, maxMs: 0 });
  });

  it('tells of a turn over 250 ms, with what took most of it', async () => {
    const { clock, currentTask, turns, compute } = bench();
    currentTask.run('read-output', 'alpha', () => compute(500));
    await clock.advance(0);
    expect(turns).toEqual([{ tookMs: 500, piece: { task: 'read-output', instance: 'alpha', tookMs: 500 } }]);
    currentTask.run('read-output', 'alpha', () => compute(200));
    await clock.advance(1000);
    expect(turns).toHaveLength(1);
  });

  it('gives no name to a turn of which the marked work was the smaller part', async () => {
    const { clock, currentTask, turns, compute } = bench();
    currentTask.run('sample', undefined, () => compute(100));
    compute(600);
    await clock.advance(0);
    expect(turns).toEqual([{ tookMs: 600, piece: undefined }]);
  });

  it('accuses nobody of time in which this process did not compute, and keeps no sleep among its looks', async () => {
    const { clock, currentTask, turns, watch } = bench();
    currentTask.run('read-output', 'alpha', () => clock.jump(900));
    await clock.advance(0);
    expect(turns).toEqual([]);
    expect(watch.lateness?.maxMs).toBe(800);
    clock.jump(3_600_000);
    await clock.advance(0);
    expect(turns).toEqual([]);
    expect(watch.lateness?.maxMs).toBe(800);
  });

  it('leaves no timer', async () => {
    const { clock, watch } = bench();
    await clock.advance(100);
    watch.dispose();
    expect(clock.pending).toBe(0);
  });
});

describe('longTurnLog', () => {
  const MINUTE_MS = 60_000;
  const turnOf = (instance: string | undefined, tookMs: number): LongTurn => ({
    tookMs,
    piece: { task: 'read-output', instance, tookMs },
  });

  function logBench() {
    const clock = createFakeClock();
    const events: unknown[] = [];
    const log = longTurnLog(clock, (server, detail) => events.push([server, detail]));
    return { clock, events, log };
  }

  it('tells the first at once and the rest of ten minutes together, by number and the longest of them', async () => {
    const { clock, events, log } = logBench();
    for (const tookMs of [300, 400, 900.4, 500]) log.add(turnOf('alpha', tookMs));
    expect(events).toEqual([['alpha', { durationMs: 300, currentTask: 'read-output', count: 1 }]]);
    await clock.advance(10 * MINUTE_MS);
    expect(events.slice(1)).toEqual([['alpha', { durationMs: 900, currentTask: 'read-output', count: 3 }]]);
    await clock.advance(10 * MINUTE_MS);
    log.add(turnOf('alpha', 350));
    expect(events.slice(2)).toEqual([['alpha', { durationMs: 350, currentTask: 'read-output', count: 1 }]]);
  });

  it('counts each server for itself, its further processes with it, and what was nobody’s doing apart', () => {
    const { events, log } = logBench();
    log.add(turnOf('alpha#2', 300));
    log.add(turnOf('alpha', 300));
    log.add(turnOf('beta', 300));
    log.add({ tookMs: 300, piece: undefined });
    expect(events).toEqual([
      ['alpha', { durationMs: 300, currentTask: 'read-output', count: 1 }],
      ['beta', { durationMs: 300, currentTask: 'read-output', count: 1 }],
      [null, { durationMs: 300, currentTask: undefined, count: 1 }],
    ]);
  });

  it('tells at its end what it has counted, and leaves no timer', () => {
    const { clock, events, log } = logBench();
    log.add(turnOf('alpha', 300));
    log.add(turnOf('alpha', 600));
    log.dispose();
    expect(events.slice(1)).toEqual([['alpha', { durationMs: 600, currentTask: 'read-output', count: 1 }]]);
    expect(clock.pending).toBe(0);
  });
});
