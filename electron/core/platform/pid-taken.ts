import { errnoOf } from '../errno.ts';

/** Whether some process has this pid now, whoever it is. Asks the kernel, so the answer comes at once on every system. */
export function isPidTaken(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Anything but "no such process" is a refusal: there is one, and it is not ours.
    return errnoOf(error) !== 'ESRCH';
  }
}
