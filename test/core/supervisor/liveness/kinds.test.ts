import { describe, expect, it } from 'vitest';
import type { ProbeKind } from '../../../../electron/core/mcp/mcp-connection.ts';
import {
  nothingObserved,
  type ObservedAnswers,
} from '../../../../electron/core/supervisor/liveness/probe-book.ts';
import type { VerdictRow } from '../../../../electron/core/supervisor/liveness/verdict.ts';
import { INTERVAL, livenessBench, stoppedProcess, T, type BenchOptions } from './liveness-bench.ts';

type Bench = ReturnType<typeof livenessBench>;
/** Life of a server from the moment its handshake is done. */
type Life = (bench: Bench) => Promise<void>;

const SECOND = 1000;
const MINUTE = 60_000;
const DEADLINE = 5 * MINUTE;
const ALLOWANCE = 5 * MINUTE;
const START_MAX = 10 * MINUTE;
/** Time from the moment a verdict is due to the moment it is given: a tick, and one more look. */
const TICK = SECOND;

/** Answers as known after a restart: an earlier run of this version has answered. */
function knownToAnswer(...kinds: ProbeKind[]): ObservedAnswers {
  const learnt = nothingObserved();
  for (const kind of kinds.length === 0 ? (['ping'] as const) : kinds) learnt.provenKinds.add(kind);
  return learnt;
}

/** Holds the server's loop for so long, using that much of a core. */
async function hold({ server, pass }: Bench, ms: number, cpuShare: number): Promise<void> {
  server.isBlocked = true;
  server.cpuShare = cpuShare;
  await pass(ms);
  server.cpuShare = 0;
  server.unblock();
}

/** Calls a tool that holds the loop. */
async function synchronousTool(bench: Bench, ms: number, cpuShare = 0): Promise<void> {
  const id = await bench.call();
  bench.server.isBlocked = true;
  bench.server.cpuShare = cpuShare;
  await bench.pass(ms);
  bench.server.cpuShare = 0;
  bench.server.answer(id);
}

/** Calls a tool that waits, and lets the loop run meanwhile. */
async function asynchronousTool(bench: Bench, ms: number): Promise<void> {
  const id = await bench.call();
  await bench.pass(ms);
  bench.server.answer(id);
}

describe('a healthy server is never convicted, at the default settings, when it', () => {
  it.each<[string, Life, BenchOptions?]>([
    ['is idle for an hour', ({ pass }) => pass(60 * MINUTE)],
    ['loads a model for two minutes at 100 % after its handshake', (bench) => hold(bench, 2 * MINUTE, 1)],
    [
      'does so after a restart, as its earlier run had answered',
      (bench) => hold(bench, 2 * MINUTE, 1),
      { learnt: knownToAnswer() },
    ],
    [
      'loads for nine minutes then, on two cores',
      (bench) => hold(bench, 9 * MINUTE, 2),
      { learnt: knownToAnswer() },
    ],
    [
      'loads for two minutes from a slow disk, using hardly any CPU, after a restart',
      (bench) => hold(bench, 2 * MINUTE, 0.02),
      { learnt: knownToAnswer() },
    ],
    [
      'waits for a network for four minutes before it is ready, after a restart',
      (bench) => hold(bench, 4 * MINUTE, 0),
      { learnt: knownToAnswer('ping', 'tools/list') },
    ],
    ['works synchronously in its first call', (bench) => synchronousTool(bench, 75 * SECOND)],
    ['computes synchronously in its first call', (bench) => synchronousTool(bench, 75 * SECOND, 1)],
    [
      'waits for a database for nearly five minutes in a call',
      (bench) => synchronousTool(bench, 290 * SECOND),
    ],
    [
      'works synchronously after an asynchronous tool that answered questions',
      async (bench) => {
        await asynchronousTool(bench, MINUTE);
        await synchronousTool(bench, 75 * SECOND);
      },
      { health: { onSuspect: 'restart' } },
    ],
    [
      'works synchronously after asynchronous tools of an earlier run',
      (bench) => synchronousTool(bench, 4 * MINUTE),
      { learnt: knownToAnswer('ping', 'tools/list') },
    ],
    [
      'logs one line and then works synchronously',
      async (bench) => {
        const id = await bench.call();
        bench.server.speak();
        bench.server.isBlocked = true;
        await bench.pass(75 * SECOND);
        bench.server.answer(id);
      },
    ],
    [
      'logs three lines in one burst when it is ready, and then works synchronously',
      async (bench) => {
        for (let line = 0; line < 3; line += 1) bench.server.speak();
        await synchronousTool(bench, 75 * SECOND);
      },
    ],
    [
      'logs seven even lines in a call, and then works synchronously',
      async (bench) => {
        const id = await bench.call();
        await bench.chatter(35 * SECOND, 5 * SECOND);
        bench.server.isBlocked = true;
        await bench.pass(4 * MINUTE);
        bench.server.answer(id);
      },
    ],
    [
      'has heartbeats of its loop, which a tool that waits holds back',
      async (bench) => {
        await bench.chatter(MINUTE, 5 * SECOND);
        await synchronousTool(bench, 4 * MINUTE);
        await bench.chatter(MINUTE, 5 * SECOND);
      },
      { health: { onSuspect: 'restart' } },
    ],
    [
      'waits one and a half thresholds for a dead host outside of a call, and a call comes in the midst',
      async (bench) => {
        await bench.pass(10 * SECOND);
        bench.server.isBlocked = true;
        await bench.pass(0.5 * T);
        const id = await bench.call();
        await bench.pass(T);
        bench.server.answer(id);
      },
    ],
    [
      'computes for longer than the deadline of its call',
      (bench) => synchronousTool(bench, DEADLINE + 4 * MINUTE, 1),
    ],
    [
      'waits for longer than the deadline of its call, by less than two thresholds',
      (bench) => synchronousTool(bench, DEADLINE + 55 * SECOND),
    ],
    [
      'runs in a container, and builds an index there for four minutes',
      async (bench) => {
        bench.server.reachesOut = true;
        await bench.pass(10 * SECOND);
        await hold(bench, 4 * MINUTE, 0);
      },
    ],
    [
      'runs in a container, and takes longer than the deadline of its call there',
      async (bench) => {
        bench.server.reachesOut = true;
        await synchronousTool(bench, DEADLINE + 4 * MINUTE);
      },
    ],
    [
      'loads in a container for nine minutes, after a restart',
      async (bench) => {
        bench.server.reachesOut = true;
        await hold(bench, 9 * MINUTE, 0);
      },
      { learnt: knownToAnswer() },
    ],
    [
      'is throttled by stopping and continuing it many times a second',
      async (bench) => {
        for (let look = 0; look < 60; look += 1) {
          bench.server.stopped = stoppedProcess(7, 20 * look);
          bench.server.isBlocked = look % 10 < 9;
          if (!bench.server.isBlocked) bench.server.unblock();
          await bench.pass(SECOND);
        }
        bench.server.stopped = undefined;
        bench.server.unblock();
      },
    ],
    [
      'answers questions, and has let three calls time out',
      async (bench) => {
        for (let call = 0; call < 3; call += 1) {
          await bench.call();
          await bench.pass(DEADLINE + MINUTE);
        }
        expect(bench.monitor.verdict).toEqual({ kind: 'overdue', row: '7c' });
        expect(bench.server.ledger.lostCalls).toBe(3);
        bench.server.answer(await bench.call());
      },
    ],
    [
      'logs a line for each of four steps, a second apart, and then works synchronously',
      async (bench) => {
        const id = await bench.call();
        await bench.chatter(4 * SECOND, SECOND);
        bench.server.isBlocked = true;
        await bench.pass(75 * SECOND);
        bench.server.answer(id);
      },
    ],
    [
      'goes on synchronously in a tool that began asynchronously',
      async (bench) => {
        const id = await bench.call();
        await bench.pass(20 * SECOND);
        bench.server.isBlocked = true;
        await bench.pass(100 * SECOND);
        bench.server.answer(id);
      },
    ],
    [
      'answers five serial calls that take most of the threshold each',
      async (bench) => {
        for (let call = 0; call < 5; call += 1) await synchronousTool(bench, 0.8 * T);
      },
    ],
    [
      'works synchronously beside a call that waits',
      async (bench) => {
        const waiting = await bench.call();
        await bench.pass(20 * SECOND);
        await synchronousTool(bench, 100 * SECOND);
        bench.server.answer(waiting);
      },
      { health: { onSuspect: 'restart' } },
    ],
    [
      'builds an index for two minutes while it has nothing else to do',
      async (bench) => {
        await bench.pass(10 * SECOND);
        await hold(bench, 2 * MINUTE, 1);
      },
    ],
    [
      'builds one for a minute, and is called in the midst of it',
      async (bench) => {
        await bench.pass(10 * SECOND);
        Object.assign(bench.server, { isBlocked: true, cpuShare: 1 });
        await bench.pass(5 * SECOND);
        const id = await bench.call();
        await bench.pass(55 * SECOND);
        bench.server.cpuShare = 0;
        bench.server.answer(id);
      },
    ],
    [
      'computes on a machine that has next to no CPU left for it',
      async (bench) => {
        await bench.pass(10 * SECOND);
        bench.server.isAtWork = true;
        await hold(bench, 2 * MINUTE, 0.04);
        bench.server.isAtWork = false;
      },
    ],
    [
      'indexes a slow disk in the background, using a seventh of a core',
      async (bench) => {
        await bench.pass(10 * SECOND);
        await hold(bench, 2 * MINUTE, 0.15);
      },
    ],
    [
      'has heartbeats of its loop, which a tool that computes holds back',
      async (bench) => {
        await bench.chatter(MINUTE, 5 * SECOND);
        await synchronousTool(bench, 100 * SECOND, 1);
        await bench.chatter(MINUTE, 5 * SECOND);
      },
    ],
    [
      'has heartbeats of its loop, which have paused in a short call before a long one',
      async (bench) => {
        await bench.chatter(MINUTE, 5 * SECOND);
        await synchronousTool(bench, 25 * SECOND);
        await bench.chatter(MINUTE, 5 * SECOND);
        await synchronousTool(bench, 100 * SECOND);
      },
    ],
    [
      'ignores ping, answers tools/list, and works synchronously',
      async (bench) => {
        bench.server.answers = new Set(['tools/list']);
        await bench.pass(2 * MINUTE);
        await synchronousTool(bench, 100 * SECOND);
        await bench.pass(10 * MINUTE);
      },
    ],
    [
      'answers calls and no question at all',
      async (bench) => {
        bench.server.answers = new Set();
        await synchronousTool(bench, 100 * SECOND);
        await bench.pass(60 * MINUTE);
      },
    ],
    [
      'answers no question, and ends a call that was called off without an answer, as the specification says',
      async (bench) => {
        bench.server.answers = new Set();
        const id = await bench.call();
        await bench.pass(5 * SECOND);
        bench.server.cancel(id);
        await bench.pass(30 * MINUTE);
      },
    ],
    [
      'works on for minutes after its call was called off',
      async (bench) => {
        const id = await bench.call();
        bench.server.isBlocked = true;
        await bench.pass(5 * SECOND);
        bench.server.cancel(id);
        await bench.pass(100 * SECOND);
        bench.server.answer(id);
      },
    ],
    [
      'takes longer over an asynchronous call than its deadline, and answers questions meanwhile',
      async (bench) => {
        const id = await bench.call();
        await bench.pass(8 * MINUTE);
        bench.server.answer(id);
      },
    ],
    [
      'talks all the time, and takes longer over a call than its deadline',
      async (bench) => {
        const id = await bench.call();
        await bench.chatter(6 * MINUTE);
        bench.server.answer(id);
      },
    ],
    [
      'answers each question nearly a threshold late',
      async (bench) => {
        for (let round = 0; round < 10; round += 1) {
          bench.server.isBlocked = true;
          await bench.pass(0.9 * T);
          bench.server.unblock();
          await bench.pass(MINUTE);
        }
      },
    ],
    [
      'is stopped for nine seconds, and continued',
      async (bench) => {
        Object.assign(bench.server, { stopped: stoppedProcess(7), isBlocked: true });
        await bench.pass(9 * SECOND);
        bench.server.stopped = undefined;
        bench.server.unblock();
        await bench.pass(MINUTE);
      },
    ],
    [
      'runs below an unknown wrapper that is stopped, and works synchronously',
      async (bench) => {
        bench.server.stopped = stoppedProcess(8);
        await bench.pass(MINUTE);
        await synchronousTool(bench, 100 * SECOND);
      },
    ],
    [
      'is held by a debugger for ten minutes',
      async (bench) => {
        Object.assign(bench.server, { isHeld: true, isBlocked: true });
        await bench.pass(10 * MINUTE);
        bench.server.isHeld = false;
        bench.server.unblock();
        await bench.pass(MINUTE);
      },
    ],
    [
      'works synchronously while the machine sleeps for eight hours',
      async (bench) => {
        const id = await bench.call();
        bench.server.isBlocked = true;
        await bench.pass(20 * SECOND);
        bench.clock.jump(8 * 60 * MINUTE);
        bench.monitor.resumed();
        await bench.pass(20 * SECOND);
        bench.server.answer(id);
        await bench.pass(MINUTE);
      },
    ],
    [
      'is idle while our own loop stands still again and again',
      async (bench) => {
        for (let round = 0; round < 10; round += 1) {
          bench.clock.jump(1.5 * T);
          await bench.pass(20 * SECOND);
        }
      },
    ],
    ['is remote and takes minutes', (bench) => synchronousTool(bench, 4 * MINUTE), { seesTree: false }],
  ])('%s', async (_kind, life, options = {}) => {
    const bench = livenessBench({ seesTree: true, ...options });
    await life(bench);
    await bench.pass(3 * T);
    expect(bench.kinds()).not.toContain('stalled');
    expect(['none', 'alive', 'unknown', 'busy']).toContain(bench.monitor.verdict.kind);
    bench.dispose();
    expect(bench.clock.pending).toBe(0);
  });
});

/** Hang of a kind of server, with the time within which it is found, counted from the end of `life`. */
type Hang = [kind: string, life: Life, withinMs: number, row: VerdictRow, options?: BenchOptions];

describe('a hung server is found, at the default settings, when it', () => {
  const settle = (bench: Bench) => bench.pass(10 * SECOND);
  const goDeaf = (bench: Bench, cpuShare = 0) => void Object.assign(bench.server, { isDeaf: true, cpuShare });
  const stop = (bench: Bench) =>
    void Object.assign(bench.server, { isDeaf: true, stopped: stoppedProcess(7) });
  const idleProbe = 6 * INTERVAL;

  it.each<Hang>([
    [
      'is stopped by a signal while idle',
      async (bench) => {
        await settle(bench);
        stop(bench);
      },
      12 * SECOND,
      2,
    ],
    [
      'is stopped in a call',
      async (bench) => {
        await settle(bench);
        await bench.call();
        stop(bench);
      },
      12 * SECOND,
      2,
    ],
    [
      'is deaf while idle',
      async (bench) => {
        await settle(bench);
        goDeaf(bench);
      },
      idleProbe + 2 * T + TICK,
      4,
    ],
    [
      'is deaf before a client calls, and the client keeps calling',
      async (bench) => {
        await settle(bench);
        goDeaf(bench);
        for (let call = 0; call < 10; call += 1) {
          await bench.call();
          await bench.pass(SECOND);
        }
      },
      2 * T + 2 * TICK,
      4,
    ],
    [
      'has stopped reading: questions are kept back by a full pipe',
      async (bench) => {
        await settle(bench);
        bench.server.probe = () => Promise.reject(new Error('the pipe is full'));
      },
      idleProbe + 2 * T + TICK,
      4,
    ],
    [
      'is deaf beside a thread that uses a little CPU',
      async (bench) => {
        await settle(bench);
        goDeaf(bench, 0.03);
      },
      idleProbe + 2 * T + TICK,
      4,
    ],
    [
      'is in an endless loop while idle',
      async (bench) => {
        await settle(bench);
        goDeaf(bench, 1);
      },
      idleProbe + ALLOWANCE + TICK,
      '4b',
    ],
    [
      'is deaf from its first moment, as an earlier run was not',
      async (bench) => goDeaf(bench),
      ALLOWANCE + TICK,
      4,
      { learnt: knownToAnswer() },
    ],
    [
      'computes for ever from its first moment',
      async (bench) => goDeaf(bench, 1),
      START_MAX + TICK,
      '4b',
      { learnt: knownToAnswer() },
    ],
    [
      'deadlocks in a call, and was never heard during one',
      async (bench) => {
        await settle(bench);
        await bench.call();
        goDeaf(bench);
      },
      DEADLINE + 2 * T + INTERVAL + TICK,
      7,
    ],
    [
      'is in an endless loop in a call',
      async (bench) => {
        await settle(bench);
        await bench.call();
        goDeaf(bench, 1);
      },
      DEADLINE + ALLOWANCE + INTERVAL + TICK,
      '7b',
    ],
    [
      'deadlocks in the second of two calls',
      async (bench) => {
        await settle(bench);
        await bench.call();
        await bench.pass(20 * SECOND);
        await bench.call();
        goDeaf(bench);
      },
      DEADLINE + 2 * T + INTERVAL + TICK,
      7,
    ],
    [
      'deadlocks in a call that is then called off',
      async (bench) => {
        await settle(bench);
        const id = await bench.call();
        goDeaf(bench);
        await bench.pass(5 * SECOND);
        bench.server.cancel(id);
      },
      DEADLINE + 2 * T + INTERVAL + TICK,
      7,
    ],
    [
      'deadlocks in a call, and no kind of question works with it',
      async (bench) => {
        bench.server.answers = new Set();
        await settle(bench);
        await bench.call();
        goDeaf(bench);
      },
      DEADLINE + 2 * T + INTERVAL + TICK,
      7,
    ],
    [
      'deadlocks in a call, and its regular heartbeats stop with it',
      async (bench) => {
        await bench.chatter(MINUTE, 5 * SECOND);
        await bench.call();
        await bench.chatter(20 * SECOND, 5 * SECOND);
        goDeaf(bench);
      },
      DEADLINE + 2 * T + INTERVAL + TICK,
      7,
    ],
    [
      'falls silent in a call during which it had answered, where a person wants it restarted',
      async (bench) => {
        await bench.call();
        await bench.pass(20 * SECOND);
        goDeaf(bench);
      },
      2 * T + INTERVAL + TICK,
      '5b',
      { health: { onSuspect: 'restart' } },
    ],
    [
      'is deaf in a container',
      async (bench) => {
        bench.server.reachesOut = true;
        await settle(bench);
        goDeaf(bench);
      },
      idleProbe + ALLOWANCE + TICK,
      '4b',
    ],
    [
      'deadlocks in a call in a container',
      async (bench) => {
        bench.server.reachesOut = true;
        await settle(bench);
        await bench.call();
        goDeaf(bench);
      },
      DEADLINE + ALLOWANCE + INTERVAL + TICK,
      '7b',
    ],
    [
      'computes past its deadline, and then hangs',
      async (bench) => {
        await settle(bench);
        await bench.call();
        goDeaf(bench, 1);
        await bench.pass(DEADLINE + 5 * SECOND);
        bench.server.cpuShare = 0;
      },
      2 * T + INTERVAL + TICK,
      7,
    ],
    [
      'is remote, and accepts questions without an answer',
      async (bench) => {
        await settle(bench);
        goDeaf(bench);
      },
      idleProbe + 2 * T + TICK,
      4,
      { seesTree: false },
    ],
    [
      'is deaf, and we were absent meanwhile',
      async (bench) => {
        await settle(bench);
        goDeaf(bench);
        bench.clock.jump(10 * MINUTE);
      },
      2 * SECOND + 2 * T + 2 * TICK,
      4,
    ],
  ])('%s', async (...[, life, withinMs, row, options = {}]: Hang) => {
    const bench = livenessBench({ seesTree: true, ...options });
    await life(bench);
    const hungAtMs = bench.clock.now();
    while (!bench.kinds().includes('stalled') && bench.clock.now() - hungAtMs <= withinMs)
      await bench.pass(100);
    expect(bench.verdicts.at(-1)).toMatchObject({ kind: 'stalled', row });
    bench.dispose();
  });

  it('has a dead loop beside a thread that logs, once its call is overdue, and says nothing before', async () => {
    const bench = livenessBench({ seesTree: true });
    await bench.chatter(10 * SECOND, 500);
    await bench.call();
    goDeaf(bench);
    await bench.chatter(DEADLINE, 500);
    expect(bench.kinds()).toEqual([]);
    await bench.chatter(2 * T + INTERVAL + 2 * TICK, 500);
    expect(bench.verdicts.at(-1)).toMatchObject({ kind: 'stalled', row: 7 });
    bench.dispose();
  });

  it('has a dead loop beside a thread that logs: two calls in a row time out, and then it is found', async () => {
    const bench = livenessBench({ seesTree: true });
    await bench.chatter(10 * SECOND, 500);
    goDeaf(bench);
    for (let calls = 0; calls < 2; calls += 1) {
      await bench.call(10 * SECOND);
      await bench.chatter(12 * SECOND, 500);
    }
    await bench.chatter(2 * T + 2 * INTERVAL, 500);
    expect(bench.verdicts.at(-1)).toMatchObject({ kind: 'stalled', row: 7 });
    bench.dispose();
  });
});

describe('the evidence of a verdict', () => {
  it('holds what the tree has computed since the first unanswered question, and how old the last answer is', async () => {
    const bench = livenessBench({ seesTree: true });
    await bench.pass(10 * SECOND);
    Object.assign(bench.server, { isDeaf: true, cpuShare: 0.04 });
    while (!bench.kinds().includes('stalled')) await bench.pass(SECOND);
    const { work, lastAnswerMs, silentMs } = bench.evidences.at(-1)!;
    expect(work!.cpuMs / work!.overMs).toBeCloseTo(0.04, 2);
    expect(work!.overMs).toBeGreaterThan(2 * T - SECOND);
    expect(work!.overMs).toBeLessThan(2 * T + 2 * SECOND);
    expect(lastAnswerMs).toBe(silentMs);
    bench.dispose();
  });
});
