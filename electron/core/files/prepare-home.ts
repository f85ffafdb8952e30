import { accessSync, constants, mkdirSync } from 'node:fs';
import { describeErrno } from './file-errors.ts';

const OWNER_ONLY = 0o700;

/** Creates the data folder if it is missing. Returns one sentence on why it cannot be used; undefined if it can. */
export function prepareHome(home: string): string | undefined {
  try {
    mkdirSync(home, { recursive: true, mode: OWNER_ONLY });
    // The write permission is checked here, because without it Chromium cannot create its lock for a single instance, and then
    // behaves as if another panel were running.
    accessSync(home, constants.W_OK);
    return undefined;
  } catch (error) {
    return `the folder ${home} cannot be written: ${describeErrno(error)}`;
  }
}
