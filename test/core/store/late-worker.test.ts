import { describe, expect, it } from 'vitest';
import { createDeferred } from '../../../electron/core/deferred.ts';
import { LateWorker } from '../../../electron/core/store/late-worker.ts';
import type { WorkerLike } from '../../../electron/core/worker-like.ts';

/** A worker that answers every message with itself. */
function echoing() {
  const listeners: ((message: unknown) => void)[] = [];
  let ends = 0;
  const worker: WorkerLike = {
    postMessage: (message) => listeners.forEach((listener) => listener(message)),
    on: (event: string, listener: (value: unknown) => void) =>
      event === 'message' && listeners.push(listener),
    terminate: () => Promise.resolve((ends += 1)),
  };
  return { worker, ends: () => ends };
}

describe('LateWorker', () => {
  it('starts when it may, and then sends what waited, in order, and what comes later', async () => {
    const gate = createDeferred<void>();
    let starts = 0;
    const late = new LateWorker(gate.promise, () => {
      starts += 1;
      return echoing().worker;
    });
    const heard: unknown[] = [];
    late.on('message', (message) => heard.push(message));
    late.postMessage(1);
    late.postMessage(2);
    expect([starts, heard]).toEqual([0, []]);
    gate.resolve();
    await gate.promise;
    late.postMessage(3);
    expect([starts, heard]).toEqual([1, [1, 2, 3]]);
  });

  it('never starts once it was ended, and ends the worker where there is one', async () => {
    const { worker, ends } = echoing();
    const never = new LateWorker(Promise.resolve(), () => {
      throw new Error('started');
    });
    const problems: unknown[] = [];
    never.on('error', (error) => problems.push(error));
    await never.terminate();
    const late = new LateWorker(Promise.resolve(), () => worker);
    await Promise.resolve();
    await late.terminate();
    expect([problems, ends()]).toEqual([[], 1]);
  });
});
