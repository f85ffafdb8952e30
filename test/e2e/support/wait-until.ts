import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 50;
const DEFAULT_LIMIT_MS = 15_000;

/**
 * Asks until the answer is neither false nor null nor undefined, and returns it.
 * @throws with `what` and the last answer when `limitMs` passed.
 */
export async function waitUntil<T>(
  what: string,
  ask: () => T | Promise<T>,
  limitMs = DEFAULT_LIMIT_MS,
): Promise<Exclude<T, false | null | undefined>> {
  const deadline = performance.now() + limitMs;
  for (;;) {
    const answer = await ask();
    if (answer !== false && answer !== null && answer !== undefined) {
      return answer as Exclude<T, false | null | undefined>;
    }
    if (performance.now() > deadline)
      throw new Error(`not within ${limitMs} ms: ${what}; last: ${String(answer)}`);
    await sleep(POLL_MS);
  }
}
