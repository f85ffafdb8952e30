import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { atTime } from '../at-time.ts';
import { openAnswer } from '../open-answer.ts';
import { TaskTable, Task, type TaskStatus } from '../../../renderer/store/task.ts';

type Status = TaskStatus<string, string>;

function setUp(whilePending?: 'refuse') {
  const published: (Status | undefined)[] = [];
  const task = new Task<string, string>((status) => published.push(status), whilePending);
  return { task, published, shown: () => published.at(-1) };
}

describe('a task', () => {
  it('is pending at once, then done with what came', async () => {
    const { task, published } = setUp();
    atTime(101);
    const settled = await task.run(async () => {
      vi.setSystemTime(102);
      return 'answer';
    }, 'a');
    const done = { about: 'a', since: 102, phase: 'done', value: 'answer' };
    expect(published).toEqual([{ about: 'a', since: 101, phase: 'pending' }, done]);
    expect(settled).toEqual(done);
  });

  it.each([
    ['rejects', () => Promise.reject<string>(new Error('boom'))],
    [
      'throws',
      () => {
        throw new Error('boom');
      },
    ],
  ])('is failed with a report when its work %s, and never rejects itself', async (_, work) => {
    const { task, shown } = setUp();
    const settled = await task.run(work, 'a');
    expect(settled).toMatchObject({ phase: 'failed', error: { code: 'PROTOCOL_ERROR', message: 'boom' } });
    expect(shown()).toBe(settled);
  });

  it('is not run again while it is pending, where it refuses', async () => {
    const { task, published } = setUp('refuse');
    const answer = openAnswer<string>();
    const first = task.run(() => answer.promise, 'first');
    let runs = 0;
    const again = async () => String((runs += 1));
    expect(await task.run(again, 'second')).toBeUndefined();
    expect(runs).toBe(0);
    answer.resolve('late');
    expect(await first).toMatchObject({ about: 'first', value: 'late' });
    await task.run(again, 'third');
    expect(published.map((status) => status?.about)).toEqual(['first', 'first', 'third', 'third']);
  });

  it('publishes nothing once it is disposed, and runs nothing', async () => {
    const { task, published } = setUp();
    const answer = openAnswer<string>();
    const run = task.run(() => answer.promise, 'a');
    task.dispose();
    task.dispose();
    answer.resolve('late');
    expect(await run).toBeUndefined();
    expect(await task.run(async () => 'after', 'b')).toBeUndefined();
    task.reset();
    expect(published.map((status) => status?.phase)).toEqual(['pending']);
  });

  const steps = fc.array(
    fc.oneof(
      { weight: 3, arbitrary: fc.constant({ kind: 'run' as const }) },
      {
        weight: 4,
        arbitrary: fc.record({ kind: fc.constant('settle' as const), at: fc.nat(20), fails: fc.boolean() }),
      },
      { weight: 1, arbitrary: fc.constant({ kind: 'reset' as const }) },
    ),
    { maxLength: 40 },
  );

  it('shows only its latest run, in whatever order answers come', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (given) => {
        const { task, shown } = setUp();
        const open: {
          readonly name: string;
          readonly settle: (fails: boolean) => void;
          readonly run: Promise<unknown>;
        }[] = [];
        let expected: { readonly about: string; readonly phase: Status['phase'] } | undefined;
        let runs = 0;
        for (const step of given) {
          if (step.kind === 'run') {
            const name = String((runs += 1));
            const answer = openAnswer<string>();
            const settle = (fails: boolean) =>
              fails ? answer.reject(new Error(name)) : answer.resolve(name);
            open.push({ name, settle, run: task.run(() => answer.promise, name) });
            expected = { about: name, phase: 'pending' };
          } else if (step.kind === 'reset') {
            task.reset();
            expected = undefined;
          } else if (open.length > 0) {
            const [one] = open.splice(step.at % open.length, 1);
            one!.settle(step.fails);
            const outcome = await one!.run;
            const isLatest = expected?.about === one!.name;
            expect(outcome === undefined).toBe(!isLatest);
            if (isLatest) expected = { about: one!.name, phase: step.fails ? 'failed' : 'done' };
          }
          const { about, phase } = shown() ?? {};
          expect({ about, phase }).toEqual({ about: expected?.about, phase: expected?.phase });
        }
        for (const { settle, run } of open) {
          settle(false);
          await run;
        }
      }),
    );
  });
});

describe('a table of tasks', () => {
  it('keeps its keys apart', async () => {
    const table = new TaskTable<string, string>('replace');
    const { state } = table;
    atTime(7);
    const answer = openAnswer<string>();
    const first = table.run('a', () => answer.promise, 'x');
    await table.run('b', async () => 'at once', 'y');
    expect(Object.fromEntries(state.getState().byKey)).toEqual({
      a: { phase: 'pending', about: 'x', since: 7 },
      b: { phase: 'done', about: 'y', since: 7, value: 'at once' },
    });
    table.reset('b');
    table.reset('never run');
    expect([...state.getState().byKey.keys()]).toEqual(['a']);
    answer.resolve('late');
    await first;
    expect(state.getState().byKey.get('a')?.phase).toBe('done');
  });

  it('lets go of what it is not to keep, without showing it for a moment', async () => {
    const table = new TaskTable<string, string>('replace', () => false);
    const seen: (string | undefined)[] = [];
    table.state.subscribe(({ byKey }) => seen.push(byKey.get('a')?.phase));
    await table.run('a', async () => 'done', 'x');
    expect(seen).toEqual(['pending', undefined]);
  });

  it('refuses per key', async () => {
    const table = new TaskTable<string, string>('refuse');
    const answer = openAnswer<string>();
    const first = table.run('a', () => answer.promise, 'x');
    expect(await table.run('a', async () => 'no', 'x')).toBeUndefined();
    expect(await table.run('b', async () => 'yes', 'x')).toMatchObject({ value: 'yes' });
    answer.resolve('end');
    expect(await first).toMatchObject({ value: 'end' });
  });
});
