import { accessSync, chmodSync, constants, lstatSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describeErrno } from '../core/files/file-errors.ts';

const OWNER_ONLY = 0o700;
const OWNER_ONLY_FILE = 0o600;
/** Made by Chromium, which leaves its mode to the umask. It tells installations apart. */
const CLIENT_ID = join('Crashpad', 'client_id');

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

/** Takes from everybody but its owner what Chromium wrote for everybody. Once the app is ready; never throws. */
export function closeChromiumFiles(home: string): void {
  const path = join(home, CLIENT_ID);
  try {
    if (lstatSync(path).isFile()) chmodSync(path, OWNER_ONLY_FILE);
  } catch {
    return; // Not there, or not ours: the folder around it is closed.
  }
}
