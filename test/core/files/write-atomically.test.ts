import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { FileWriteError } from '../../../electron/core/files/file-errors.ts';
import { writeAtomically, writeAtomicallySync } from '../../../electron/core/files/write-atomically.ts';
import { createFailingDisk } from './failing-disk.ts';
import { tempFolder } from '../../support/temp-folder.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = tempFolder('write-');
  path = join(folder, 'a.json');
});

const text = () => readFileSync(path, 'utf8');
const isPosix = process.platform !== 'win32';

describe.each<[string, (content: string) => Promise<void> | void]>([
  ['writeAtomically', async (content) => void (await writeAtomically(path, content))],
  ['writeAtomicallySync', (content) => writeAtomicallySync(path, content)],
])('%s', (_name, write) => {
  it('creates and replaces a file that only its owner can read, and leaves nothing else', async () => {
    await write('old');
    await write('new');
    expect(text()).toBe('new');
    expect(readdirSync(folder)).toEqual(['a.json']);
    if (isPosix) expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('removes what a killed run left, and writes nothing through a link in its place', async () => {
    const bystander = join(folder, 'bystander');
    writeFileSync(bystander, 'mine');
    symlinkSync(bystander, `${path}.tmp`);
    await write('new');
    expect([text(), readFileSync(bystander, 'utf8')]).toEqual(['new', 'mine']);
    expect(readdirSync(folder)).toEqual(['a.json', 'bystander']);
  });

  it.each([
    ['a folder in the place of the file', () => mkdirSync(path), ['a.json']],
    ['a folder in the place of what is written first', () => mkdirSync(`${path}.tmp`), ['a.json.tmp']],
  ])('says which file was not written: %s', async (_what, put, left) => {
    put();
    const attempt = (async () => write('new'))();
    await expect(attempt).rejects.toBeInstanceOf(FileWriteError);
    // Windows says EPERM of a rename over a folder, as of a file that may not be written.
    const remedy = isPosix || left[0] !== 'a.json' ? 'Nothing was lost; try again.' : /^Allow writing to/;
    await expect(attempt).rejects.toMatchObject({ path, remedy: expect.stringMatching(remedy) as string });
    expect(readdirSync(folder)).toEqual(left);
  });

  it('says which file was not written where there is no folder for it', async () => {
    path = join(folder, 'missing', 'a.json');
    await expect((async () => write('new'))()).rejects.toMatchObject({ path, code: 'ENOENT' });
  });
});

describe('writeAtomically', () => {
  it('flushes the content to the disk before the rename, unless nobody needs it after a power cut', async () => {
    const steps: unknown[] = [];
    const working = createFailingDisk();
    const disk = {
      ...working,
      writeFile: (...args: Parameters<typeof working.writeFile>) => {
        steps.push(args[2]);
        return working.writeFile(...args);
      },
    };
    for (const afterPowerCut of [undefined, 'new', 'either', 'nothing'] as const)
      await writeAtomically(path, 'x', { disk, ...(afterPowerCut && { afterPowerCut }) });
    expect(steps.map((options) => (options as { flush: boolean }).flush)).toEqual([true, true, true, false]);
  });

  it.each([undefined, 'EPERM', 'ENOTSUP'])(
    'creates a new file whole, and never over another one (links refused: %s)',
    async (code) => {
      const disk = createFailingDisk();
      disk.fail('link', code);
      await writeAtomically(path, 'first', { isNew: true, disk });
      const again = writeAtomically(path, 'second', { isNew: true, disk });
      await expect(again).rejects.toMatchObject({ code: 'EEXIST', path });
      expect(text()).toBe('first');
      expect(readdirSync(folder)).toEqual(['a.json']);
    },
  );
});
