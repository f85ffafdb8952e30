import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type FoundTree, LeftBehind } from '../../../electron/core/left-behind/left-behind.ts';
import type { ProcessReading } from '../../../electron/core/platform/process-table.ts';
import type { StopSignal } from '../../../electron/core/platform/signals.ts';
import { propertyRuns } from '../../support/property-runs.ts';
import { createFakeClock } from '../fake-clock.ts';
import { reading } from '../telemetry/reading.ts';
import { MINUTE_MS } from '../../../shared/units.ts';

const processOf = (pid: number, ppid = 1, startTime = 'a') => reading({ pid, ppid, startTime });
const treeOf = (...tree: readonly ProcessReading[]): FoundTree => ({
  ...{ tree, isCertain: true, listens: false, daemons: [] },
});
const A = treeOf(processOf(10));
const B = treeOf(processOf(20));

/** What a look finds, and processes that react to signals. */
function bench({
  onSignal = (pid, _, living) => void living.delete(pid),
  reported = [],
}: {
  onSignal?: (pid: number, signal: StopSignal, living: Map<number, ProcessReading>) => void;
  reported?: readonly string[];
} = {}) {
  const clock = createFakeClock();
  const living = new Map<number, ProcessReading>();
  const looks: number[] = [];
  const signals: string[] = [];
  const found: string[][] = [];
  const world = { trees: [] as readonly FoundTree[], isOn: true };
  const behind = new LeftBehind({
    ...{ clock, reported },
    scan: () => (looks.push(clock.now()), Promise.resolve(world.trees)),
    isOn: () => world.isOn,
    onFound: (trees) => found.push(trees.flatMap(({ tree: [root] }) => (root ? [String(root.pid)] : []))),
    onProblem: () => undefined,
    table: {
      identify: (pid) => Promise.resolve(living.get(pid)),
      identifySync: (pid) => living.get(pid),
      readAll: () => Promise.resolve([...living.values()]),
    },
    signaller: {
      signalProcess: (pid, signal) => {
        signals.push(`${signal} ${pid}`);
        onSignal(pid, signal, living);
        return Promise.resolve(true);
      },
    },
  });
  const show = (...trees: readonly FoundTree[]) => {
    world.trees = trees;
    for (const one of trees.flatMap(({ tree }) => tree)) living.set(one.pid, one);
  };
  /** Two looks that agree. */
  const agree = async () => {
    await behind.find();
    await clock.advance(30_000);
  };
  const pids = async () => (await behind.find()).flatMap(({ tree }) => tree.map(({ pid }) => pid));
  return { agree, behind, clock, found, living, looks, pids, show, signals, world };
}

describe('looking for what was left behind', () => {
  it('begins at the start, and goes on every five minutes until it is disposed', async () => {
    const { behind, clock, looks } = bench();
    behind.start();
    await clock.advance(11 * MINUTE_MS);
    expect(looks).toEqual([0, 5 * MINUTE_MS, 10 * MINUTE_MS]);
    behind.dispose();
    expect(clock.pending).toBe(0);
  });

  it('tells a tree after a second look, half a minute later', async () => {
    const { behind, clock, found, looks, pids, show } = bench();
    show(A);
    behind.start();
    await clock.advance(29_000);
    expect(await pids()).toEqual([]);
    expect(found).toEqual([]);
    await clock.advance(31_000);
    expect(found).toEqual([['10']]);
    expect(await pids()).toEqual([10]);
    expect(looks.length).toBeLessThan(5);
    behind.dispose();
  });

  it('begins anew with a tree that one look did not find', async () => {
    const { behind, clock, pids, show } = bench();
    show(A);
    await behind.find();
    await clock.advance(20_000);
    show();
    await behind.find();
    show(A);
    await clock.advance(15_000);
    expect(await pids()).toEqual([]);
    await clock.advance(30_000);
    expect(await pids()).toEqual([10]);
    behind.dispose();
  });

  it('tells each tree once, those of an earlier run and uncertain ones never', async () => {
    const { agree, behind, clock, found, show } = bench({ reported: ['20:a'] });
    show(A, B, { ...treeOf(processOf(30)), isCertain: false });
    await agree();
    await clock.advance(20 * MINUTE_MS);
    show(A, B, treeOf(processOf(10, 1, 'b')));
    await agree();
    expect(found).toEqual([['10'], ['10']]);
    behind.dispose();
  });

  it('comes back for certain trees alone', async () => {
    const { behind, clock, show } = bench();
    show({ ...A, isCertain: false });
    await behind.find();
    expect(clock.pending).toBe(0);
    show(A);
    await behind.find();
    expect(clock.pending).toBe(1);
    behind.dispose();
  });

  it('is left while the setting is off', async () => {
    const { behind, clock, looks, pids, show, world } = bench();
    world.isOn = false;
    show(A);
    behind.start();
    await clock.advance(6 * MINUTE_MS);
    expect(await pids()).toEqual([]);
    expect(looks).toEqual([]);
    behind.dispose();
  });
});

describe('ending what was left behind', () => {
  const ending = async ({ behind, clock }: ReturnType<typeof bench>, ...ids: readonly string[]) => {
    const outcome = behind.end(ids);
    await clock.advance(10_000);
    behind.dispose();
    return outcome;
  };

  it('asks each process, parents first, and uses force two seconds later', async () => {
    const test = bench({
      onSignal: (pid, signal, living) => {
        if (signal === 'SIGKILL' || pid === 11) living.delete(pid);
        // Its child has another parent from then on, and has started one more.
        if (pid === 10) living.set(13, processOf(13, 12));
      },
    });
    test.show(treeOf(processOf(10), processOf(11, 10), processOf(12, 10)));
    await test.agree();
    expect(await ending(test, '10:a')).toEqual({ ended: ['10:a'], spared: [], refused: [] });
    expect(test.signals).toEqual([
      ...['SIGTERM 10', 'SIGTERM 11', 'SIGTERM 12'],
      ...['SIGKILL 10', 'SIGKILL 12', 'SIGKILL 13'],
    ]);
    expect([...test.living.keys()]).toEqual([]);
  });

  it('spares a daemon that others may use, with what is below it', async () => {
    const test = bench();
    const tree = [processOf(10), processOf(11, 10), processOf(12, 11), processOf(13, 10)];
    test.show({ ...treeOf(...tree), daemons: [11] });
    await test.agree();
    expect(await ending(test, '10:a')).toEqual({ ended: ['10:a'], spared: [11], refused: [] });
    expect([...test.living.keys()]).toEqual([11, 12]);
  });

  it('looks again, and refuses with the reason what is not left behind for certain any more', async () => {
    const test = bench();
    const C = treeOf(processOf(30));
    test.show(A, B, C, { ...treeOf(processOf(40)), isCertain: false });
    await test.agree();
    const [, , ...others] = test.world.trees;
    test.world.trees = others;
    test.living.delete(20);
    expect(await ending(test, '10:a', '20:a', '30:b', '40:a', 'x')).toEqual({
      ended: [],
      spared: [],
      refused: [
        { id: '10:a', reason: 'It may be in use: this is no longer certain.' },
        { id: '20:a', reason: 'It has already ended.' },
        { id: '30:b', reason: 'It has already ended.' },
        { id: '40:a', reason: 'This system does not say whether it is still in use.' },
        { id: 'x', reason: 'It has already ended.' },
      ],
    });
    expect(test.signals).toEqual([]);
  });

  it('names the processes that stay', async () => {
    const test = bench({ onSignal: () => undefined });
    test.show(A);
    await test.agree();
    const { refused } = await ending(test, '10:a');
    expect(refused).toEqual([{ id: '10:a', reason: expect.stringContaining('did not end: 10.') as string }]);
  });

  it('never signals a process that took the pid of another, and leaves none that it was to end', async () => {
    const step = fc.record({
      pid: fc.integer({ min: 10, max: 16 }),
      what: fc.constantFrom('reuse', 'die'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const rest = [...steps];
        const strangers = new Set<number>();
        const struck: number[] = [];
        /** Between any two signals, processes end, and others take their pids. */
        const happen = (living: Map<number, ProcessReading>) => {
          const next = rest.shift();
          if (next === undefined) return;
          living.delete(next.pid);
          if (next.what === 'reuse') {
            living.set(next.pid, processOf(next.pid, 1, `stranger ${rest.length}`));
            strangers.add(next.pid);
          }
        };
        const test = bench({
          onSignal: (pid, signal, living) => {
            if (strangers.has(pid)) struck.push(pid);
            if (signal === 'SIGKILL') living.delete(pid);
            happen(living);
          },
        });
        const tree = treeOf(
          ...[10, 11, 12, 13, 14].map((pid, index) => processOf(pid, index === 0 ? 1 : pid - 1)),
        );
        test.show(tree);
        await test.agree();
        await ending(test, '10:a');
        expect(struck).toEqual([]);
        expect([...test.living.values()].filter(({ startTime }) => startTime === 'a')).toEqual([]);
      }),
      { numRuns: propertyRuns(300) },
    );
  });
});
