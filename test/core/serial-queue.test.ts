import { describe, expect, it } from 'vitest';
import { createDeferred } from '../../electron/core/deferred.ts';
import { SerialQueue } from '../../electron/core/serial-queue.ts';

describe('SerialQueue', () => {
  it('starts a task when the one before is over, in the order in which they came', async () => {
    const queue = new SerialQueue();
    const gate = createDeferred<void>();
    const steps: string[] = [];
    const task = (name: string, until?: Promise<void>) =>
      queue.run(async () => {
        steps.push(`${name} begins`);
        await until;
        steps.push(`${name} ends`);
        return name;
      });
    const all = Promise.all([task('a', gate.promise), task('b'), task('c')]);
    await queue.run.call(new SerialQueue(), async () => undefined);
    expect(steps).toEqual(['a begins']);
    gate.resolve();
    expect(await all).toEqual(['a', 'b', 'c']);
    expect(steps).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
  });

  it('goes on behind a task that fails, and tells the failure to who asked for it alone', async () => {
    const queue = new SerialQueue();
    const failed = queue.run(() => Promise.reject(new Error('no')));
    const thrown = queue.run(() => {
      throw new Error('at once');
    });
    const next = queue.run(async () => 'next');
    await expect(failed).rejects.toThrow('no');
    await expect(thrown).rejects.toThrow('at once');
    expect(await next).toBe('next');
  });
});
