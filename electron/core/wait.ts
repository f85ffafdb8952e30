import type { Clock } from './clock.ts';
import { createDeferred } from './deferred.ts';

/** Resolves after `delayMs`, or immediately when `signal` aborts. Never rejects. */
export function delay(clock: Clock, delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const finish = () => {
      timer.dispose();
      signal?.removeEventListener('abort', finish);
      resolve();
    };
    const timer = clock.setTimeout(finish, delayMs);
    signal?.addEventListener('abort', finish, { once: true });
  });
}

/** Resolves with true if `promise` settled within `limitMs`, with false if the time ran out first. Leaves no timer behind. */
export async function settlesWithin(
  clock: Clock,
  promise: Promise<unknown>,
  limitMs: number,
): Promise<boolean> {
  const isOver = new AbortController();
  const settled = promise.then(
    () => true,
    () => true,
  );
  const late = delay(clock, limitMs, isOver.signal).then(() => false);
  try {
    return await Promise.race([settled, late]);
  } finally {
    isOver.abort();
  }
}

/** Settles as `promise` does, or resolves to undefined immediately when `signal` aborts. Leaves no listener behind. */
export async function unlessAborted<T>(
  promise: Promise<T>,
  signal: Cancellable | undefined,
): Promise<T | undefined> {
  if (!signal) return promise;
  const aborted = createDeferred<undefined>();
  const onAbort = () => aborted.resolve(undefined);
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([aborted.promise, promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** Polls `condition`, first immediately and then every `intervalMs`, until it is met (true) or `limitMs` has passed (false). */
export async function holdsWithin(
  clock: Clock,
  condition: () => Promise<boolean>,
  { limitMs, intervalMs }: { limitMs: number; intervalMs: number },
): Promise<boolean> {
  const deadline = clock.now() + limitMs;
  while (!(await condition())) {
    const leftMs = deadline - clock.now();
    if (leftMs <= 0) return false;
    await delay(clock, Math.min(intervalMs, leftMs));
  }
  return true;
}

/** Settles as `promise` does, or rejects with `signal.reason` if that aborts first. The work of `promise` is not cancelled. */
export function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(reasonOf(signal));
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

function reasonOf(signal: AbortSignal): Error {
  const reason: unknown = signal.reason;
  return reason instanceof Error ? reason : new Error(String(reason));
}

/**
 * The part of an `AbortSignal` that a call needs. Callers that make very many calls pass a simpler object, because a real
 * signal for each call would cost too much.
 */
export interface Cancellable {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: 'abort', listener: () => void, options?: { readonly once: true }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}
