import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { archiveProblems, readArchive } from '../../scripts/lib/packaged-app.mjs';
import { tempFolder } from '../support/temp-folder.ts';

let folder = '';
beforeEach(() => void (folder = tempFolder('asar-test-')));

const whole = {
  'package.json': '{}',
  'out/main/main.cjs': 'main',
  'out/main/store-worker.cjs': 'the thread of the history',
  'out/main/logs-worker.cjs': 'the thread of the logs',
  'out/main/message-worker.cjs': 'the thread of long messages',
  'out/main/keyring-helper.cjs': 'the process that asks the keyring',
  'out/main/shared~main~panel-host.cjs': 'shared',
  'out/preload/preload.cjs': 'preload',
  'out/renderer/index.html': '<html>',
  'out/renderer/assets/index-1.js': 'page',
  'out/renderer/assets/inter-latin-wght-normal-Dx4kXJAl.woff2': 'face',
  'out/renderer/licences/inter.txt': 'licence of the face',
};

/**
 * Archive as `@electron/asar` lays it out.
 * @param {Record<string, string>} contents
 * @param {string[]} changed
 */
function archiveOf(contents, changed = []) {
  /** @type {{ files: Record<string, any> }} */
  const root = { files: {} };
  let offset = 0;
  for (const [path, text] of Object.entries(contents)) {
    const names = path.split('/');
    const name = String(names.pop());
    const parent = names.reduce((entry, step) => (entry.files[step] ??= { files: {} }), root);
    const hash = createHash('sha256').update(text).digest('hex');
    parent.files[name] = { size: text.length, offset: String(offset), integrity: { hash } };
    offset += text.length;
  }
  const json = Buffer.from(JSON.stringify(root));
  const padded = Math.ceil(json.length / 4) * 4;
  const head = Buffer.alloc(16 + padded);
  [4, padded + 8, padded + 4, json.length].forEach((value, index) => head.writeUInt32LE(value, index * 4));
  json.copy(head, 16);
  const bodies = Object.entries(contents).map(([path, text]) =>
    changed.includes(path) ? text.replace(/./, '!') : text,
  );
  const file = join(folder, 'app.asar');
  writeFileSync(file, Buffer.concat([head, Buffer.from(bodies.join(''))]));
  return file;
}

describe('an archive', () => {
  it('is read with the bytes of each file', async () => {
    const files = await readArchive(archiveOf(whole));
    expect(Object.fromEntries(files.map(({ path, bytes }) => [path, bytes.toString()]))).toEqual(whole);
  });

  it('is in order when it holds our bundles and nothing else', async () => {
    expect(await archiveProblems(archiveOf(whole), false)).toEqual([]);
  });

  it.each([
    'out/main/main.cjs.map',
    'out/types/node.tsbuildinfo',
    'node_modules/zod/index.js',
    'test/e2e/a.test.ts',
    'electron/shell/main.ts',
    'out/renderer/assets/index-1.js.map',
    '.env',
  ])('may not hold %s', async (path) => {
    expect(await archiveProblems(archiveOf({ ...whole, [path]: 'x' }), false)).toEqual([
      `"${path}" does not belong there`,
    ]);
  });

  it('must hold what the app starts with', async () => {
    expect(await archiveProblems(archiveOf({ 'package.json': '{}' }), false)).toEqual([
      '"out/main/main.cjs" is missing',
      '"out/main/store-worker.cjs" is missing',
      '"out/main/logs-worker.cjs" is missing',
      '"out/main/message-worker.cjs" is missing',
      '"out/main/keyring-helper.cjs" is missing',
      '"out/preload/preload.cjs" is missing',
      '"out/renderer/index.html" is missing',
    ]);
  });

  it('must keep the hashes it promises', async () => {
    expect(await archiveProblems(archiveOf(whole, ['out/main/main.cjs']), false)).toEqual([
      '"out/main/main.cjs" is not what its hash says',
    ]);
  });

  it('says that it is the test flavour exactly when it is', async () => {
    const test = archiveOf({ ...whole, 'package.json': '{"flavour":"test"}' });
    expect(await archiveProblems(test, true)).toEqual([]);
    expect(await archiveProblems(test, false)).toEqual(['its flavour is "test"']);
    expect(await archiveProblems(archiveOf(whole), true)).toEqual(['its flavour is "undefined"']);
  });
});
