import type { rename } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { errnoOf } from '../errno.ts';

/** What Windows answers while another program has the file open: an editor, a scanner, an index. */
const HELD = new Set(['EPERM', 'EACCES', 'EBUSY']);
/** Waits between the tries: a scanner lets go within them, and a person has not given up yet. */
const WAITS_MS = [10, 20, 50, 100, 200, 400];

/**
 * A rename that is tried again while somebody reads what it replaces, because Windows refuses it for as long as that takes.
 * @param wait takes milliseconds
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
