import { afterInput } from '../after-input.ts';
import type { Clock, Disposable } from '../clock.ts';
import type { Reading } from '../read-in-turns.ts';

const LOOK_MS = 50;
/** A second without anything new: what is left in the pipe was not written by the process that has exited. */
const QUIET_LOOKS = 20;
/** Somebody else may write on and on. In as many turns, all is read that the exited process can have left in a pipe. */
const MAX_LOOKS = 100;

/**
 * Resolves when the outputs of a process that has exited were read to their end, or, while somebody else holds them, when
 * what the process wrote is certain to have been handed on. It counts looks, each behind a look for input, and no time: a
 * loop that is late has read less.
 */
export function drainOutputs(clock: Clock, readings: readonly Reading[]): Promise<void> {
  const countSteps = () => readings.reduce((sum, { steps }) => sum + steps, 0);
  return new Promise((resolve) => {
    let seen = countSteps();
    let quietLooks = 0;
    let looks = 0;
    let next: Disposable | undefined;
    const finish = () => {
      next?.dispose();
      resolve();
    };
    const look = () => {
      const steps = countSteps();
      quietLooks = steps === seen ? quietLooks + 1 : 0;
      seen = steps;
      looks += 1;
      if (quietLooks >= QUIET_LOOKS || looks >= MAX_LOOKS) finish();
      else lookLater();
    };
    const lookLater = () => {
      next = clock.setTimeout(() => (next = afterInput(look)), LOOK_MS);
    };
    lookLater();
    void Promise.all(readings.map(({ done }) => done)).then(finish);
  });
}
