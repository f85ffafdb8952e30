import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createDeferred } from '../../../electron/core/deferred.ts';
import { KeyedMutex } from '../../../electron/core/sessions/keyed-mutex.ts';

describe('KeyedMutex', () => {
  it('runs a task at once when its key is free, and forgets the key when it is done', async () => {
    const mutex = new KeyedMutex<string>();
    let ran = false;
    const run = mutex.run('a', () => (ran = true));
    expect(ran).toBe(true);
    expect(mutex.size).toBe(0);
    expect(await run).toBe(true);
  });

  it('runs one task per key at a time, in the order of the calls', async () => {
    const mutex = new KeyedMutex<string>();
    const order: string[] = [];
    const gate = createDeferred<void>();
    const first = mutex.run('a', async () => {
      order.push('first begins');
      await gate.promise;
      order.push('first ends');
    });
    const second = mutex.run('a', () => order.push('second'));
    const third = mutex.run('a', () => order.push('third'));
    expect(mutex.size).toBe(1);
    gate.resolve();
    await Promise.all([first, second, third]);
    expect(order).toEqual(['first begins', 'first ends', 'second', 'third']);
    expect(mutex.size).toBe(0);
  });

  it('keeps keys apart', async () => {
    const mutex = new KeyedMutex<string>();
    const gate = createDeferred<void>();
    const held = mutex.run('a', () => gate.promise);
    expect(await mutex.run('b', () => 'free')).toBe('free');
    expect(mutex.size).toBe(1);
    gate.resolve();
    await held;
    expect(mutex.size).toBe(0);
  });

  it('goes on after a task that fails', async () => {
    const mutex = new KeyedMutex<string>();
    const failing = mutex.run('a', () => Promise.reject(new Error('first')));
    const throwing = mutex.run('a', () => {
      throw new Error('second');
    });
    const fine = mutex.run('a', () => 'third');
    await expect(failing).rejects.toThrow('first');
    await expect(throwing).rejects.toThrow('second');
    expect(await fine).toBe('third');
    expect(mutex.size).toBe(0);
  });

  it('does not begin a task whose caller gave up while it stood in line', async () => {
    const mutex = new KeyedMutex<string>();
    const gate = createDeferred<void>();
    const controller = new AbortController();
    let ran = false;
    const held = mutex.run('a', () => gate.promise);
    const aborted = mutex.run('a', () => (ran = true), controller.signal);
    const after = mutex.run('a', () => 'after');
    controller.abort(new Error('no longer'));
    gate.resolve();
    await held;
    await expect(aborted).rejects.toThrow('no longer');
    expect(await after).toBe('after');
    expect(ran).toBe(false);
    expect(mutex.size).toBe(0);
  });

  it('gives a call from within a task its turn afterwards', async () => {
    const mutex = new KeyedMutex<string>();
    const order: string[] = [];
    let inner: Promise<unknown> = Promise.resolve();
    await mutex.run('a', () => {
      inner = mutex.run('a', () => order.push('inner'));
      order.push('outer');
    });
    await inner;
    expect(order).toEqual(['outer', 'inner']);
    expect(mutex.size).toBe(0);
  });

  it('never overlaps, loses or reorders the tasks of a key, whatever settles when', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(fc.record({ key: fc.constantFrom('a', 'b', 'c'), fails: fc.boolean() }), {
          maxLength: 20,
          size: 'max',
        }),
        async (scheduler, tasks) => {
          const mutex = new KeyedMutex<string>();
          const running = new Set<string>();
          const begun = new Map<string, number[]>();
          const runs = tasks.map(({ key, fails }, index) =>
            mutex.run(key, async () => {
              expect(running.has(key)).toBe(false);
              running.add(key);
              begun.set(key, [...(begun.get(key) ?? []), index]);
              await scheduler.schedule(Promise.resolve());
              running.delete(key);
              if (fails) throw new Error('fails');
            }),
          );
          const settled = Promise.allSettled(runs);
          await scheduler.waitFor(settled);
          expect((await settled).map(({ status }) => status)).toEqual(
            tasks.map(({ fails }) => (fails ? 'rejected' : 'fulfilled')),
          );
          for (const order of begun.values())
            expect(order).toEqual([...order].sort((one, other) => one - other));
          expect([...begun.values()].flat()).toHaveLength(tasks.length);
          expect(mutex.size).toBe(0);
        },
      ),
    );
  });
});
