import { mkdirSync } from 'node:fs';
import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { RotatingFile } from '../../../electron/core/journal/rotating-file.ts';
import { makeNamedPipe, withNamedPipes } from '../../support/named-pipe.ts';
import { tempFolder } from '../../support/temp-folder.ts';

let home: string;
let path: string;
beforeEach(() => {
  home = tempFolder('rotating-');
  path = join(home, 'logs', 'a.log');
});

const create = (maxBytes = 10, maxFiles = 3, onProblem = (_message: string) => {}) =>
  new RotatingFile({ path, maxBytes, maxFiles, onProblem });
const text = (suffix = '') => readFile(path + suffix, 'utf8');

describe('RotatingFile', () => {
  it('appends to a file of its owner alone, in a folder that it makes', async () => {
    const file = create(100);
    await file.append('one\n');
    await file.append('two\n');
    expect(await text()).toBe('one\ntwo\n');
    if (process.platform === 'win32') return;
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(join(home, 'logs'))).mode & 0o777).toBe(0o700);
  });

  it('begins a new part before one would grow too large, and keeps as many as allowed', async () => {
    const file = create();
    for (const line of ['aaaa\n', 'bbbb\n', 'cccc\n', 'dddd\n', 'eeee\n', 'ffff\n', 'gggg\n'])
      await file.append(line);
    expect(await text()).toBe('gggg\n');
    expect(await text('.1')).toBe('eeee\nffff\n');
    expect(await text('.2')).toBe('cccc\ndddd\n');
    expect(await readdir(join(home, 'logs'))).toEqual(['a.log', 'a.log.1', 'a.log.2']);
  });

  it('goes on where an earlier one stopped', async () => {
    await create().append('aaaa\n');
    await create().append('bbbb\n');
    await create().append('cc\n');
    expect([await text(), await text('.1')]).toEqual(['cc\n', 'aaaa\nbbbb\n']);
  });

  it('ends the line that a killed panel did not finish', async () => {
    await create(100).append('one\n');
    await writeFile(path, 'one\ntw');
    await create(100).append('three\n');
    expect(await text()).toBe('one\ntw\nthree\n');
  });

  it('counts bytes, not characters', async () => {
    const file = create();
    await file.append('ééé\n');
    await file.append('ééé\n');
    expect([await text(), await text('.1')]).toEqual(['ééé\n', 'ééé\n']);
  });

  it('gives one text that is larger than a part a part of its own', async () => {
    const file = create();
    await file.append('a\n');
    await file.append(`${'x'.repeat(50)}\n`);
    await file.append('b\n');
    expect([(await text()).length, (await text('.1')).length, (await text('.2')).length]).toEqual([2, 51, 2]);
  });

  it('works again after the folder was removed under it', async () => {
    const file = create();
    await file.append('one\n');
    await rm(join(home, 'logs'), { recursive: true });
    await expect(file.append('two\n')).rejects.toMatchObject({ code: 'ENOENT' });
    await file.append('three\n');
    expect(await text()).toBe('three\n');
  });

  const setsAside = async (put: () => void) => {
    mkdirSync(join(home, 'logs'));
    put();
    const problems: string[] = [];
    const file = create(100, 3, (message) => problems.push(message));
    await file.append('one\n');
    await file.append('two\n');
    expect(await text()).toBe('one\ntwo\n');
    expect(problems).toEqual([expect.stringContaining(`It is kept as ${path}.aside.`)]);
    expect(await readdir(join(home, 'logs'))).toEqual(['a.log', 'a.log.aside']);
  };

  it('sets a folder in its place aside, and says so', () => setsAside(() => mkdirSync(path)));

  it('sets a named pipe in its place aside, and says so', withNamedPipes, () =>
    setsAside(() => makeNamedPipe(path)),
  );

  it('writes into nothing that takes its place while it writes', withNamedPipes, async () => {
    const file = create(100);
    await file.append('one\n');
    await rm(path);
    makeNamedPipe(path);
    await expect(file.append('two\n')).rejects.toMatchObject({ reason: 'not-regular' });
    await file.append('three\n');
    expect(await text()).toBe('three\n');
  });

  describe('with a part that another program holds open, as Windows does', () => {
    let held: string | undefined;
    const problems: string[] = [];
    beforeEach(() => {
      held = undefined;
      problems.length = 0;
    });
    const createHeld = () =>
      new RotatingFile({
        path,
        maxBytes: 10,
        maxFiles: 3,
        onProblem: (message) => problems.push(message),
        move: async (from, to) => {
          if (from === held) throw Object.assign(new Error(`EBUSY: ${String(from)}`), { code: 'EBUSY' });
          await rename(from, to);
        },
      });
    const partsNow = async () => {
      const names = (await readdir(join(home, 'logs'))).toSorted().toReversed();
      return (await Promise.all(names.map((name) => readFile(join(home, 'logs', name), 'utf8')))).join('');
    };

    it('keeps every older part however often it cannot close the current one, and closes it later', async () => {
      const file = createHeld();
      for (const line of ['aaaaaaaa\n', 'bbbbbbbb\n', 'cccccccc\n']) await file.append(line);
      held = path;
      for (const line of ['dddddddd\n', 'eeeeeeee\n', 'ffffffff\n']) await file.append(line);
      expect(await partsNow()).toBe('aaaaaaaa\nbbbbbbbb\ncccccccc\ndddddddd\neeeeeeee\nffffffff\n');
      expect(problems).toEqual([expect.stringContaining(`${path} grows beyond its size`)]);
      held = undefined;
      await file.append('gggggggg\n');
      expect(await text()).toBe('gggggggg\n');
      expect(await text('.1')).toBe('cccccccc\ndddddddd\neeeeeeee\nffffffff\n');
      expect(await text('.2')).toBe('bbbbbbbb\n');
      expect(await readdir(join(home, 'logs'))).toEqual(['a.log', 'a.log.1', 'a.log.2']);
    });

    it.each(['.1', '.2'])('loses nothing while it is the part "%s" that is held', async (suffix) => {
      const file = createHeld();
      for (const line of ['aaaaaaaa\n', 'bbbbbbbb\n', 'cccccccc\n']) await file.append(line);
      held = path + suffix;
      await file.append('dddddddd\n');
      await file.append('eeeeeeee\n');
      expect(await partsNow()).toBe('aaaaaaaa\nbbbbbbbb\ncccccccc\ndddddddd\neeeeeeee\n');
      held = undefined;
      await file.append('ffffffff\n');
      expect(await text()).toBe('ffffffff\n');
      expect(await text('.1')).toBe('cccccccc\ndddddddd\neeeeeeee\n');
    });

    it('takes nothing more once the part is eight times its size', async () => {
      const file = createHeld();
      held = path;
      await file.append('aaaaaaaaa\n');
      for (let count = 0; count < 7; count += 1) await file.append('bbbbbbbbb\n');
      await expect(file.append('ccccccccc\n')).rejects.toThrow('8 times as large');
      held = undefined;
      await file.append('ddddddddd\n');
      expect(await text()).toBe('ddddddddd\n');
    });
  });
});
