import {
  chmodSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  openEditedFile,
  type EditedFile,
  type EditedFileOptions,
  type FileChange,
  type ParsedFile,
} from '../../../electron/core/files/edited-file.ts';
import type { FileContent } from '../../../electron/core/files/file-content.ts';
import { eventually, settled } from '../support/eventually.ts';
import { createFakeClock, type FakeClock } from '../fake-clock.ts';
import { createFailingDisk, type FailingDisk } from './failing-disk.ts';
import { withModes } from '../../support/skip-on.ts';
import { makeNamedPipe, withNamedPipes } from '../../support/named-pipe.ts';
import { tempFolder } from '../../support/temp-folder.ts';

/** Simplest file that people and a panel could share: a list of numbers, written as JSON. */
interface Numbers {
  readonly numbers: readonly number[];
  readonly error?: string;
}
type ParsedNumbers = (ParsedFile & { kind: 'broken' }) | { kind: 'parsed'; numbers: readonly number[] };
type Options = EditedFileOptions<Numbers, ParsedNumbers>;

function parse(content: FileContent): ParsedNumbers {
  if (content.kind === 'gone') return broken('it is gone');
  if (content.kind === 'unreadable') return broken(content.reason);
  try {
    return { kind: 'parsed', numbers: JSON.parse(content.text) as number[] };
  } catch {
    return broken('it is no JSON');
  }
}
const broken = (message: string): ParsedNumbers => ({ kind: 'broken', problem: { message } });
const apply = (last: Numbers, parsed: ParsedNumbers): Numbers =>
  parsed.kind === 'parsed' ? { numbers: parsed.numbers } : { ...last, error: parsed.problem.message };

let folder: string;
let path: string;
let clock: FakeClock;
let disk: FailingDisk;
let changes: FileChange<Numbers>[];
let file: EditedFile<Numbers, ParsedNumbers>;

beforeEach(() => {
  folder = tempFolder('edited-file-');
  path = join(folder, 'numbers.json');
  clock = createFakeClock();
  disk = createFailingDisk();
  changes = [];
});
afterEach(() => {
  file.dispose();
  expect(clock.pending).toBe(0);
});

const open = async (text: string | undefined, options: Partial<Options> = {}) => {
  if (text !== undefined) writeFileSync(path, text);
  const onChange = (change: FileChange<Numbers>) => void changes.push(change);
  const common = { path, clock, disk, parse, apply, initial: { numbers: [] }, onChange };
  file = await openEditedFile({ ...common, ...options });
  return file.current;
};
const text = () => readFileSync(path, 'utf8');
const until = (check: () => boolean) => eventually(check, () => clock.tick(10));
/** Moves the clock on, because a broken file is looked at again before anybody believes it. */
const withClock = <T>(promise: Promise<T>) => settled(promise, () => clock.tick(10));
const edit = (change: (text: string) => string) => withClock(file.edit(change));
const add = (number: number) =>
  edit((before) => JSON.stringify([...(JSON.parse(before) as number[]), number]));
const startOver = { startOver: (_content: FileContent, { numbers }: Numbers) => JSON.stringify(numbers) };

describe('EditedFile', () => {
  it('has what stands there in force, and an edit once it is on disk, with one backup', async () => {
    expect(await open('[1]')).toEqual({ numbers: [1] });
    await add(2);
    await add(3);
    expect([text(), file.current]).toEqual(['[1,2,3]', { numbers: [1, 2, 3] }]);
    expect(changes.map(({ current, isRewritten }) => [current.numbers, isRewritten])).toEqual([
      [[1, 2], true],
      [[1, 2, 3], true],
    ]);
    expect(readdirSync(folder)).toEqual(['numbers.json', 'numbers.json.bak']);
    expect(readFileSync(`${path}.bak`, 'utf8')).toBe('[1,2]');
  });

  it('says that nobody has written where only the reading of it has changed', async () => {
    let factor = 1;
    await open('[1]', {
      apply: (last, parsed) => ({ numbers: apply(last, parsed).numbers.map((n) => n * factor) }),
    });
    factor = 10;
    file.check();
    await until(() => changes.length === 1);
    expect(changes).toEqual([{ previous: { numbers: [1] }, current: { numbers: [10] }, isRewritten: false }]);
  });

  it('creates a missing file where it has a first text, and none where it has not', async () => {
    await open(undefined);
    expect([file.current.error, readdirSync(folder)]).toEqual(['it is gone', []]);
    file.dispose();
    path = join(folder, 'home', 'numbers.json');
    expect(await open(undefined, { firstText: '[]' })).toEqual({ numbers: [] });
    if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('leaves no half a file where the disk is full when it is created', async () => {
    disk.fail('writeFile', 'ENOSPC');
    expect(await open(undefined, { firstText: '[ 1, 2, 3 ]' })).toMatchObject({ error: 'it is gone' });
    expect(readdirSync(folder)).toEqual([]);
  });

  it('keeps a byte order mark', async () => {
    await open('\uFEFF[1]');
    await add(2);
    expect(text()).toBe('\uFEFF[1,2]');
  });

  it('writes nothing where an edit changes nothing, and refuses what it would break', async () => {
    await open('[1]');
    await edit((before) => before);
    await expect(edit(() => '[')).rejects.toThrow('an edit would have broken numbers.json');
    await expect(
      edit(() => {
        throw new Error('refused');
      }),
    ).rejects.toThrow('refused');
    expect([text(), readdirSync(folder)]).toEqual(['[1]', ['numbers.json']]);
  });

  it('does edits one after the other, whatever becomes of one of them', async () => {
    await open('[]');
    const results = await Promise.allSettled([add(1), edit(() => '{'), add(2), add(3)]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
    expect(text()).toBe('[1,2,3]');
  });

  describe('while somebody else writes', () => {
    it('edits what they wrote before it was noticed', async () => {
      await open('[1]');
      writeFileSync(path, '[5]');
      await add(6);
      expect(text()).toBe('[5,6]');
    });

    it('edits what they wrote between our reading and our writing, and loses nothing of it', async () => {
      await open('[1]');
      disk.before('writeFile', () => writeFile(path, '[7, 7]'));
      await add(8);
      expect(text()).toBe('[7,7,8]');
      expect(changes.at(-1)?.current).toEqual({ numbers: [7, 7, 8] });
      expect(readdirSync(folder)).toEqual(['numbers.json', 'numbers.json.bak']);
    });

    it('gives up, with their content in place, when they write each time', async () => {
      await open('[1]');
      let writes = 0;
      const again = async () => {
        writes += 1;
        await writeFile(path, `[${'7'.repeat(writes)}]`);
        disk.before('writeFile', again);
      };
      disk.before('writeFile', again);
      await expect(add(8)).rejects.toMatchObject({
        code: 'CONFIG_BROKEN',
        message: 'numbers.json was not written: another program keeps writing it',
      });
      expect(text()).toBe(`[${'7'.repeat(writes)}]`);
    });

    it('refuses to write where they have deleted it meanwhile, and goes on once it is back', async () => {
      await open('[1]');
      disk.before('writeFile', () => rm(path));
      await expect(add(2)).rejects.toMatchObject({ code: 'CONFIG_BROKEN', data: { message: 'it is gone' } });
      expect(file.current).toEqual({ numbers: [1], error: 'it is gone' });
      writeFileSync(path, '[3]');
      await add(4);
      expect(file.current).toEqual({ numbers: [3, 4] });
    });

    it('writes nothing over a file that they have created meanwhile', async () => {
      await open(undefined, { ...startOver });
      disk.before('link', () => writeFile(path, '[5]'));
      await add(6);
      expect(text()).toBe('[5,6]');
    });
  });

  describe('on a disk that refuses', () => {
    it.each([
      ['writeFile', 'ENOSPC', '', 'CONFIG_BROKEN', 'there is no space left (ENOSPC)', /make room/],
      ['writeFile', 'ENOSPC', '.bak.tmp', 'CONFIG_BROKEN', 'there is no space left (ENOSPC)', /make room/],
      [
        'writeFile',
        'EROFS',
        '',
        'PERMISSION_DENIED',
        'the file system is read-only (EROFS)',
        /^Allow writing/,
      ],
      ['rename', 'EACCES', '', 'PERMISSION_DENIED', 'permission denied (EACCES)', /^Allow writing/],
      ['rename', 'EIO', '.json.tmp', 'CONFIG_BROKEN', 'EIO: ', /try again/],
    ] as const)(
      'keeps what stands there when %s fails with %s (%s), says why, and writes later',
      async (step, errno, pathEnd, code, why, remedy) => {
        await open('[1]');
        disk.fail(step, errno, pathEnd);
        const failed = add(2);
        await expect(failed).rejects.toMatchObject({ code, remedy: expect.stringMatching(remedy) as string });
        await expect(failed).rejects.toThrow(`numbers.json was not written: ${why}`);
        expect([text(), file.current]).toEqual(['[1]', { numbers: [1] }]);
        expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
        disk.fail(step, undefined);
        await add(3);
        expect(text()).toBe('[1,3]');
      },
    );

    it('respects a file that may not be written', withModes, async () => {
      await open('[1]');
      chmodSync(path, 0o444);
      await expect(add(2)).rejects.toMatchObject({ code: 'PERMISSION_DENIED', data: { path } });
      expect(readdirSync(folder)).toEqual(['numbers.json']);
    });
  });

  /** Intruders in place of the file: [what, how it comes there, what is said] */
  const intruders: [string, () => void, string][] = [
    ['broken JSON', () => writeFileSync(path, '[1,'), 'it is no JSON'],
    ['no file', () => rmSync(path), 'it is gone'],
    ['a folder', () => (rmSync(path), mkdirSync(path)), 'it is not a regular file'],
    ['9 MiB', () => truncateSync(path, 9 * 1024 * 1024), 'it is larger than 8 MiB'],
    ['bytes of no text', () => writeFileSync(path, Buffer.from([0xff, 0xfe])), 'it is not UTF-8 text'],
  ];

  const keepsLastGood = async (put: () => void, why: string) => {
    await open('[1]');
    put();
    await until(() => changes.length === 1);
    expect(file.current).toEqual({ numbers: [1], error: why });
    await expect(edit(() => '[9]')).rejects.toMatchObject({
      code: 'CONFIG_BROKEN',
      message: `numbers.json was not written: ${why}`,
    });
    expect(readdirSync(folder)).toEqual(why === 'it is gone' ? [] : ['numbers.json']);
    rmSync(path, { recursive: true, force: true });
    writeFileSync(path, '[2]');
    await until(() => changes.length === 2);
    expect(file.current).toEqual({ numbers: [2] });
  };

  it.each(intruders)(
    'keeps the last good content in force while there is %s, and refuses edits',
    (_, put, why) => keepsLastGood(put, why),
  );

  it('does so for a named pipe too, and waits for nobody at its other end', withNamedPipes, () =>
    keepsLastGood(() => (rmSync(path), makeNamedPipe(path)), 'it is not a regular file'),
  );

  it('believes bad news only when it lasts', async () => {
    await open('[1]');
    await writeFile(path, '');
    const read = file.read();
    await until(() => clock.pending === 2);
    await writeFile(path, '[2]');
    expect((await withClock(read)).parsed).toEqual({ kind: 'parsed', numbers: [2] });
    await until(() => changes.length === 1);
    expect(changes.map(({ current }) => current)).toEqual([{ numbers: [2] }]);
  });

  it('that may start over writes nothing over what is no file of text', async () => {
    mkdirSync(path);
    await open(undefined, startOver);
    await expect(add(1)).rejects.toMatchObject({
      code: 'CONFIG_BROKEN',
      message: 'numbers.json was not written: it is not a regular file',
    });
    expect(readdirSync(folder)).toEqual(['numbers.json']);
  });

  it('is done after dispose: no look, no wait, no report, no write', async () => {
    await open('[1]');
    writeFileSync(path, '[');
    const read = file.read();
    await until(() => clock.pending === 2);
    file.dispose();
    file.dispose();
    await read;
    expect(clock.pending).toBe(0);
    await expect(file.edit(() => '[9]')).rejects.toMatchObject({
      code: 'CONFIG_BROKEN',
      message: 'numbers.json is closed: the panel is quitting',
    });
    expect([changes, text()]).toEqual([[], '[']);
  });
});
