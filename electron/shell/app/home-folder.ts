import { chmodSync, lstatSync } from 'node:fs';
import { join } from 'node:path';

const OWNER_ONLY_FILE = 0o600;
/** Id of the installation, written by Chromium with the mode of the umask. */
const CLIENT_ID = join('Crashpad', 'client_id');

/** Removes access by other users from Chromium's files. Call once the app is ready; never throws. */
export function closeChromiumFiles(home: string): void {
  const path = join(home, CLIENT_ID);
  try {
    if (lstatSync(path).isFile()) chmodSync(path, OWNER_ONLY_FILE);
  } catch {
    return; // The file is missing or belongs to another user; the folder around it is closed to others anyway.
  }
}
