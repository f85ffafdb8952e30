import { chmodSync, lstatSync } from 'node:fs';
import { join } from 'node:path';

const OWNER_ONLY_FILE = 0o600;
/** Made by Chromium, which leaves its mode to the umask. It tells installations apart. */
const CLIENT_ID = join('Crashpad', 'client_id');

/** Takes from everybody but its owner what Chromium wrote for everybody. Once the app is ready; never throws. */
export function closeChromiumFiles(home: string): void {
  const path = join(home, CLIENT_ID);
  try {
    if (lstatSync(path).isFile()) chmodSync(path, OWNER_ONLY_FILE);
  } catch {
    return; // The file is not there or belongs to somebody else; the folder around it is closed to others anyway.
  }
}
