import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, onTestFinished } from 'vitest';

/** Makes an empty folder for the test that runs, or is about to, which is removed behind the last hook of that test. */
export const tempFolder = (name = 'test-'): string => folderUntil(onTestFinished, name);

/** Makes an empty folder for all tests of a file, or of the `describe` that this is called in. */
export const sharedFolder = (name = 'test-'): string => folderUntil(afterAll, name);

function folderUntil(end: (task: () => void) => void, name: string): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), name)));
  // Windows lets go of a file a little after the process that held it has ended.
  end(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  return folder;
}
