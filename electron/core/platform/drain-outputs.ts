import { afterInput } from '../after-input.ts';
import type { Clock, Disposable } from '../clock.ts';
import type { StreamReading } from '../read-in-turns.ts';

const LOOK_MS = 50;
/** Samples in a row without new data, about a second, after which the exited process's output counts as read. */
const QUIET_LOOKS = 20;
/** Maximum samples, as another process may write forever: by then all data of the exited one has been read. */
const MAX_LOOKS = 100;

/**
 * Resolves when the outputs of an exited process were read to their end; or, while another process holds them open, when all
 * data that the exited process wrote has certainly been delivered. Counts samples, each after the event loop polled for input,
 * instead of time, because a delayed loop has read less.
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
