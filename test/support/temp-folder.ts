import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Makes an empty folder for the test that runs, or is about to, which is removed behind the last hook of that test. */
export function tempFolder(name = 'test-'): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), name)));
  // Windows lets go of a file a little after the process that held it has ended.
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  return folder;
}
