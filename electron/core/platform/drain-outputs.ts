import { afterInput } from '../after-input.ts';
import type { Clock, Disposable } from '../clock.ts';
import type { StreamReading } from '../read-in-turns.ts';

const LOOK_MS = 50;
/** Consecutive samples without new data (about a second) after which the exited process's output counts as read. */
const QUIET_LOOKS = 20;
/**
 * Maximum number of samples. Without it, `drainOutputs` would never resolve if another process holds the outputs and keeps
 * writing. After this many samples, all data of the exited process has been read.
 */
const MAX_LOOKS = 100;

/**
 * Resolves when the outputs of an exited process were read to their end. If another process keeps them open, resolves when all
 * data of the exited process has certainly been delivered. This is decided by a number of samples, each taken after the event
 * loop polled for input, and not by time: in the same time, a delayed event loop reads less.
 */
export function drainOutputs(clock: Clock, readings: readonly StreamReading[]): Promise<void> {
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
