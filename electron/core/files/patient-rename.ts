import type { rename } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { errnoOf } from '../errno.ts';

/** Error codes of Windows while another program (an editor, a scanner, an indexer) has the file open. */
const HELD = new Set(['EPERM', 'EACCES', 'EBUSY']);
/** Waits between attempts: long enough for a scanner, and short enough for a waiting user. */
const WAITS_MS = [10, 20, 50, 100, 200, 400];

/**
 * Returns a rename that retries while another program reads the target, because Windows refuses it meanwhile.
 * @param wait waits for a number of milliseconds
 */
export function patientRename(
  once: typeof rename,
  wait: (waitMs: number) => Promise<unknown> = pause,
): typeof rename {
  return async (from, to) => {
    for (const waitMs of WAITS_MS) {
      try {
        return await once(from, to);
      } catch (error) {
        if (!HELD.has(errnoOf(error) ?? '')) throw error;
        await wait(waitMs);
      }
    }
    return once(from, to);
  };
}
