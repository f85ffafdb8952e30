import { describe, expect, it } from 'vitest';
import type { VerdictRow } from '../../../../electron/core/supervisor/liveness/verdict.ts';
import {
  CHATTER_MS,
  INTERVAL,
  livenessBench,
  stoppedProcess,
  T,
  type BenchOptions,
} from './liveness-bench.ts';

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

/** Probes that an earlier run of this version has answered. */
const pingProven = (): BenchOptions => ({ learnt: new Set(['ping']) });
const bothProven = (): BenchOptions => ({ learnt: new Set(['ping', 'tools/list']) });

/** What happens one after the other. */
const inTurn =
  (...lives: Life[]): Life =>
  async (bench) => {
    for (const live of lives) await live(bench);
  };
const often = (count: number, ...lives: Life[]): Life =>
  inTurn(...Array.from({ length: count }, () => lives).flat());
const quiet =
  (ms: number): Life =>
  ({ pass }) =>
    pass(ms);
const chatter =
  (ms: number, everyMs: number): Life =>
  (bench) =>
    bench.chatter(ms, everyMs);
const unblock: Life = async ({ server }) => server.unblock();
const resume: Life = async ({ monitor }) => monitor.resumed();
const absent =
  (ms: number): Life =>
  async ({ clock }) =>
    clock.jump(ms);
const becomes =
  (traits: Partial<Bench['server']>): Life =>
  async ({ server }) =>
    void Object.assign(server, traits);
/** The loop is held for so long, using that much of a core, and not let go yet. */
const blocked = (ms: number, cpuShare = 0): Life =>
  inTurn(becomes({ isBlocked: true, cpuShare }), quiet(ms), becomes({ cpuShare: 0 }));
const hold = (ms: number, cpuShare: number): Life => inTurn(blocked(ms, cpuShare), unblock);
/** A call during which that happens, and which is answered then. */
const called =
  (...lives: Life[]): Life =>
  async (bench) => {
    const id = await bench.call();
    await inTurn(...lives)(bench);
    bench.server.answer(id);
  };
/** A call that is called off after the first part, and has no answer. */
const calledOff =
  (life: Life): Life =>
  async (bench) => {
    const id = await bench.call();
    await life(bench);
    bench.server.cancel(id);
  };
/** A call to a tool that holds the loop. */
const synchronousTool = (ms: number, cpuShare = 0): Life => called(blocked(ms, cpuShare));
/** A call to a tool that waits, and lets the loop run meanwhile. */
const asynchronousTool = (ms: number): Life => called(quiet(ms));
const settle = quiet(10 * SECOND);

describe('a healthy server is never convicted, at the default settings, when it', () => {
  it.each<[string, Life, BenchOptions?]>([
    ['is idle for an hour', quiet(60 * MINUTE)],
    ['loads a model for two minutes at 100 % after its handshake', hold(2 * MINUTE, 1)],
    ['does so after a restart, as its earlier run had answered', hold(2 * MINUTE, 1), pingProven()],
    ['loads for nine minutes then, on two cores', hold(9 * MINUTE, 2), pingProven()],
    [
      'loads for two minutes from a slow disk, using hardly any CPU, after a restart',
      hold(2 * MINUTE, 0.02),
      pingProven(),
    ],
    [
      'waits for a network for four minutes before it is ready, after a restart',
      hold(4 * MINUTE, 0),
      bothProven(),
    ],
    ['waits for a database for nearly five minutes in a call', synchronousTool(290 * SECOND)],
    [
      'works synchronously after an asynchronous tool that answered questions',
      inTurn(asynchronousTool(MINUTE), synchronousTool(75 * SECOND)),
      { health: { onSuspect: 'restart' } },
    ],
    [
      'works synchronously after asynchronous tools of an earlier run',
      synchronousTool(4 * MINUTE),
      bothProven(),
    ],
    [
      'has heartbeats of its loop, which a tool that waits holds back',
      inTurn(chatter(MINUTE, 5 * SECOND), synchronousTool(4 * MINUTE), chatter(MINUTE, 5 * SECOND)),
      { health: { onSuspect: 'restart' } },
    ],
    [
      'runs in a container, and builds an index there for four minutes',
      inTurn(becomes({ reachesOut: true }), settle, hold(4 * MINUTE, 0)),
    ],
    [
      'runs in a container, and takes longer than the deadline of its call there',
      inTurn(becomes({ reachesOut: true }), synchronousTool(DEADLINE + 4 * MINUTE)),
    ],
    [
      'loads in a container for nine minutes, after a restart',
      inTurn(becomes({ reachesOut: true }), hold(9 * MINUTE, 0)),
      pingProven(),
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
    ['answers five serial calls that take most of the threshold each', often(5, synchronousTool(0.8 * T))],
    [
      'works synchronously beside a call that waits',
      called(quiet(20 * SECOND), synchronousTool(100 * SECOND)),
      { health: { onSuspect: 'restart' } },
    ],
    [
      'computes on a machine that has next to no CPU left for it',
      inTurn(settle, becomes({ isAtWork: true }), hold(2 * MINUTE, 0.04), becomes({ isAtWork: false })),
    ],
    [
      'indexes a slow disk in the background, using a seventh of a core',
      inTurn(settle, hold(2 * MINUTE, 0.15)),
    ],
    [
      'has heartbeats of its loop, which have paused in a short call before a long one',
      inTurn(
        chatter(MINUTE, 5 * SECOND),
        synchronousTool(25 * SECOND),
        chatter(MINUTE, 5 * SECOND),
        synchronousTool(100 * SECOND),
      ),
    ],
    [
      'ignores ping, answers tools/list, and works synchronously',
      inTurn(
        becomes({ answers: new Set(['tools/list']) }),
        quiet(2 * MINUTE),
        synchronousTool(100 * SECOND),
        quiet(10 * MINUTE),
      ),
    ],
    [
      'answers calls and no question at all',
      inTurn(becomes({ answers: new Set() }), synchronousTool(100 * SECOND), quiet(60 * MINUTE)),
    ],
    [
      'answers no question, and ends a call that was called off without an answer, as the specification says',
      inTurn(becomes({ answers: new Set() }), calledOff(quiet(5 * SECOND)), quiet(30 * MINUTE)),
    ],
    [
      'takes longer over an asynchronous call than its deadline, and answers questions meanwhile',
      asynchronousTool(8 * MINUTE),
    ],
    [
      'talks all the time, and takes longer over a call than its deadline',
      called(chatter(6 * MINUTE, CHATTER_MS)),
    ],
    ['answers each question nearly a threshold late', often(10, hold(0.9 * T, 0), quiet(MINUTE))],
    [
      'is stopped for nine seconds, and continued',
      inTurn(
        becomes({ stopped: stoppedProcess(7), isBlocked: true }),
        quiet(9 * SECOND),
        becomes({ stopped: undefined }),
        unblock,
        quiet(MINUTE),
      ),
    ],
    [
      'runs below an unknown wrapper that is stopped, and works synchronously',
      inTurn(becomes({ stopped: stoppedProcess(8) }), quiet(MINUTE), synchronousTool(100 * SECOND)),
    ],
    [
      'works synchronously while the machine sleeps for eight hours',
      inTurn(
        called(blocked(20 * SECOND), absent(8 * 60 * MINUTE), resume, quiet(20 * SECOND)),
        quiet(MINUTE),
      ),
    ],
    [
      'is idle while our own loop stands still again and again',
      often(10, absent(1.5 * T), quiet(20 * SECOND)),
    ],
    ['is remote and takes minutes', synchronousTool(4 * MINUTE), { seesTree: false }],
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
  const goDeaf = (cpuShare = 0) => becomes({ isDeaf: true, cpuShare });
  /** A call that has no answer. */
  const call: Life = async (bench) => void (await bench.call());
  const deafWhileIdle = inTurn(settle, goDeaf());
  const deafInCall = inTurn(settle, call, goDeaf());
  const loopsInCall = inTurn(settle, call, goDeaf(1));
  const idleProbe = 6 * INTERVAL;

  it.each<Hang>([
    [
      'is deaf before a client calls, and the client keeps calling',
      inTurn(deafWhileIdle, often(10, call, quiet(SECOND))),
      2 * T + 2 * TICK,
      4,
    ],
    [
      'has stopped reading: questions are kept back by a full pipe',
      inTurn(settle, becomes({ probe: () => Promise.reject(new Error('the pipe is full')) })),
      idleProbe + 2 * T + TICK,
      4,
    ],
    [
      'is deaf beside a thread that uses a little CPU',
      inTurn(settle, goDeaf(0.03)),
      idleProbe + 2 * T + TICK,
      4,
    ],
    ['computes for ever from its first moment', goDeaf(1), START_MAX + TICK, '4b', pingProven()],
    [
      'deadlocks in the second of two calls',
      inTurn(settle, call, quiet(20 * SECOND), call, goDeaf()),
      DEADLINE + 2 * T + INTERVAL + TICK,
      7,
    ],
    [
      'deadlocks in a call that is then called off',
      inTurn(settle, calledOff(inTurn(goDeaf(), quiet(5 * SECOND)))),
      DEADLINE + 2 * T + INTERVAL + TICK,
      7,
    ],
    [
      'deadlocks in a call, and no kind of question works with it',
      inTurn(becomes({ answers: new Set() }), deafInCall),
      DEADLINE + 2 * T + INTERVAL + TICK,
      7,
    ],
    [
      'falls silent in a call during which it had answered, where a person wants it restarted',
      inTurn(call, quiet(20 * SECOND), goDeaf()),
      2 * T + INTERVAL + TICK,
      '5b',
      { health: { onSuspect: 'restart' } },
    ],
    [
      'is deaf in a container',
      inTurn(becomes({ reachesOut: true }), deafWhileIdle),
      idleProbe + ALLOWANCE + TICK,
      '4b',
    ],
    [
      'deadlocks in a call in a container',
      inTurn(becomes({ reachesOut: true }), deafInCall),
      DEADLINE + ALLOWANCE + INTERVAL + TICK,
      '7b',
    ],
    [
      'computes past its deadline, and then hangs',
      inTurn(loopsInCall, quiet(DEADLINE + 5 * SECOND), becomes({ cpuShare: 0 })),
      2 * T + INTERVAL + TICK,
      7,
    ],
    [
      'is remote, and accepts questions without an answer',
      deafWhileIdle,
      idleProbe + 2 * T + TICK,
      4,
      { seesTree: false },
    ],
    [
      'is deaf, and we were absent meanwhile',
      inTurn(deafWhileIdle, absent(10 * MINUTE)),
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

  it('has a dead loop beside a thread that logs: two calls in a row time out, and then it is found', async () => {
    const bench = livenessBench({ seesTree: true });
    await bench.chatter(10 * SECOND, 500);
    await goDeaf()(bench);
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
