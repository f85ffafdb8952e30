import { accessSync, constants, mkdirSync } from 'node:fs';
import { describeErrno } from './file-errors.ts';

const OWNER_ONLY = 0o700;

/** Creates the home folder where it is missing. Returns one sentence about why it cannot be used, else undefined. */
export function prepareHome(home: string): string | undefined {
  try {
    mkdirSync(home, { recursive: true, mode: OWNER_ONLY });
    // Chromium takes a lock that it cannot write for one that another panel holds.
    accessSync(home, constants.W_OK);
    return undefined;
  } catch (error) {
    return `the folder ${home} cannot be written: ${describeErrno(error)}`;
  }
}
