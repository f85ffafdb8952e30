import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '..');
/** Folders whose tests run on Windows, too. */
const FOLDERS = ['core', 'shared', 'shell', 'structure'];
/** A skip under a condition that gives no reason, in place of what test/support/skip-on.ts gives. */
const SILENT = /\.(?:skipIf|runIf)\(/;

const testFiles = FOLDERS.flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts') && !import.meta.filename.endsWith(name))
    .map((name) => join(root, folder, name)),
);

describe('tests that are kept from a system or a machine', () => {
  it('say why, so that the runs on other systems can tell it', () => {
    expect(testFiles.length).toBeGreaterThan(200);
    expect(testFiles.filter((file) => SILENT.test(readFileSync(file, 'utf8')))).toEqual([]);
  });

  it.each([
    "it.skipIf(process.platform === 'win32')('x'",
    'describe.runIf(isLinux)(',
    'it.skipIf(!isPosix)(',
    'describe.skipIf(!isBuilt)(',
  ])('would be found: %s', (source) => expect(source).toMatch(SILENT));
});
