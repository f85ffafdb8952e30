import { errnoOf } from '../errno.ts';

/** Reports whether any process has this pid now. Queries the kernel, which answers at once on every system. */
export function isPidTaken(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Any other error is a refusal: the process exists, and belongs to another user.
    return errnoOf(error) !== 'ESRCH';
  }
}
