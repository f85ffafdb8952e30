import { mkdtempSync, realpathSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, onTestFinished } from 'vitest';

/** Makes an empty folder for the test that runs, or is about to, which is removed behind the last hook of that test. */
export const tempFolder = (name = 'test-'): string => folderUntil(onTestFinished, name);

/** Makes an empty folder for all tests of a file, or of the `describe` that this is called in. */
export const sharedFolder = (name = 'test-'): string => folderUntil(afterAll, name);

function folderUntil(end: (task: () => Promise<void>) => void, name: string): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), name)));
  // Windows releases a file a little after its last user. The removal is asynchronous, because reads of this process end meanwhile.
  end(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}
