import { setImmediate } from 'node:timers/promises';
import { performance } from 'node:perf_hooks';
import { patience } from '../../support/patience.ts';

/**
 * Turns the event loop, with `step` before each look, until `check` holds.
 * @throws after `deadlineMs`.
 */
export async function eventually(
  check: () => boolean,
  step: () => void = () => undefined,
  deadlineMs = 10_000,
) {
  const endMs = performance.now() + deadlineMs * patience;
  while (!check()) {
    if (performance.now() > endMs) throw new Error(`not within ${deadlineMs} ms: ${check.toString()}`);
    step();
    await setImmediate();
  }
}

/** Outcome of a promise, with `step` until it is there. */
export async function settled<T>(promise: Promise<T>, step: () => void): Promise<T> {
  let isSettled = false;
  promise.finally(() => (isSettled = true)).catch(() => undefined);
  await eventually(() => isSettled, step);
  return promise;
}
