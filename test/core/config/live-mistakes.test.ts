import { spawn } from 'node:child_process';
import { lstat, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { putEntry } from '../../../electron/core/config/edit-servers.ts';
import {
  openServersFile,
  type ConfigChange,
  type ServersFile,
} from '../../../electron/core/config/servers-file.ts';
import { systemClock } from '../../../electron/core/platform/system-clock.ts';
import { eventually, settled } from '../support/eventually.ts';
import { createFakeClock, type FakeClock } from '../fake-clock.ts';
import { savedEntry } from './saved-entry.ts';
import { skipOn } from '../../support/skip-on.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const onPosix = skipOn('win32', 'Windows has no mode bits, and links need a right of their own');
const good = '{ "mcpServers": { "good": { "command": "x" } } }';

describe('mistakes in servers.json', () => {
  let folder: string;
  let path: string;
  let clock: FakeClock;
  let changes: ConfigChange[];
  let file: ServersFile | undefined;

  beforeEach(() => {
    folder = tempFolder('mistakes-');
    path = join(folder, 'servers.json');
    clock = createFakeClock();
    changes = [];
  });

  afterEach(() => {
    file?.dispose();
    expect(clock.pending).toBe(0);
  });

  const open = async () => {
    file = await openServersFile({ path, clock, onChange: (change) => changes.push(change) });
    return file.current;
  };
  const until = (check: () => boolean) => eventually(check, () => clock.tick(10));
  /** A write waits for a broken file to settle. */
  const put = (name: string) => settled(file!.put({ name, command: 'y' }), () => clock.tick(10));

  /** Files that are of no use as a whole: [what, content, message, line, column]. */
  const broken: [string, string | Buffer, RegExp, number?, number?][] = [
    ['a missing comma', '{ "mcpServers": {\n  "a": { "command": "x" }\n  "b": {} } }', /expected ","/, 3, 3],
    ['single quotes', "{ 'mcpServers': {} }", /expected JSON, found a text in quotes/, 1, 3],
    ['a conflict of a merge', `<<<<<<< HEAD\n${good}\n=======\n`, /something that is not JSON/, 1, 1],
    ['an empty file', '', /found an empty file/, 1, 1],
    ['NUL bytes, as after a power cut', Buffer.alloc(4096), /something that is not JSON/, 1, 1],
    ['NUL bytes in the middle', '{ "mcpServers": { \0\0 } }', /something that is not JSON/, 1, 19],
    ['another encoding', Buffer.from('\uFEFF{ "mcpServers": {} }', 'utf16le'), /it is not UTF-8 text/],
    ['bytes of no text at all', Buffer.from([0x7b, 0xff, 0xfe, 0x7d]), /it is not UTF-8 text/],
    ['more than 8 MiB', `${' '.repeat(9 * 1024 * 1024)}${good}`, /larger than 8 MiB/],
  ];

  it.each(broken)(
    'says what and where of %s, and leaves it as it is',
    async (_, content, message, line, column) => {
      await writeFile(path, content);
      const { servers, error } = await open();
      expect(servers).toEqual([]);
      expect(error?.message).toMatch(message);
      expect([error?.line, error?.column]).toEqual([line, column]);
      await expect(put('b')).rejects.toMatchObject({ code: 'CONFIG_BROKEN', message });
      expect((await readFile(path)).equals(Buffer.from(content))).toBe(true);
      expect(await readdir(folder)).toEqual(['servers.json']);
    },
  );

  /**
   * Entries that are of no use, in a file that is: [what, entry, message]. The entry stands in line 3, as
   * `bad`.
   */
  const wrong: [string, string, RegExp][] = [
    ['a number for the command', '{ "command": 5 }', /bad\.command: expected a text in quotes, found 5/],
    ['a NUL in the command', '{ "command": "x\\u0000y" }', /bad\.command.*NUL/],
    ['null in its place', 'null', /bad: expected an object, found null/],
    [
      'itself a second time',
      '{ "command": "x" },\n"bad": { "command": "y" }',
      /bad appears here a second time/,
    ],
  ];

  it.each(wrong)('loses one entry only to %s, and keeps its text', async (_, entry, message) => {
    const text = `{ "mcpServers": {\n"good": { "command": "x" },\n"bad": ${entry} } }`;
    await writeFile(path, text);
    const { servers, error } = await open();
    expect(servers.map(({ name }) => name)).toEqual(['good']);
    expect(error?.message).toMatch(message);
    expect(error?.line).toBeGreaterThanOrEqual(3);
    await put('new');
    expect(file?.current.servers.map(({ name }) => name)).toEqual(['good', 'new']);
    expect(await readFile(path, 'utf8')).toContain(`"bad": ${entry}`);
    expect(await readFile(`${path}.bak`, 'utf8')).toBe(text);
  });

  it('reads and writes 5 MB', async () => {
    const entries = Array.from({ length: 500 }, (_, index) => [
      `s${index}`,
      { command: 'x', args: ['y'.repeat(10_000)] },
    ]);
    const text = JSON.stringify({ mcpServers: Object.fromEntries(entries) as object }, null, 2);
    expect(text.length).toBeGreaterThan(5_000_000);
    await writeFile(path, text);
    expect((await open()).error).toBeUndefined();
    await put('new');
    expect(file?.current.servers).toHaveLength(501);
    const written = JSON.parse(await readFile(path, 'utf8')) as { mcpServers: object };
    expect(written.mcpServers).toEqual({ ...(Object.fromEntries(entries) as object), new: { command: 'y' } });
  });

  it('says that a file is nested too deeply, and leaves it as it is', async () => {
    const text = `{ "mcpServers": ${'['.repeat(200_000)}`;
    await writeFile(path, text);
    expect((await open()).error?.message).toMatch(/nested/);
    expect(await readFile(path, 'utf8')).toBe(text);
  });

  it('is not confused by files that a killed run left behind', async () => {
    await writeFile(path, good);
    await writeFile(`${path}.tmp`, '{ "mcpSer');
    await writeFile(`${path}.bak.tmp`, '{');
    expect((await open()).error).toBeUndefined();
    await put('new');
    expect((await readdir(folder)).sort()).toEqual(['servers.json', 'servers.json.bak']);
  });

  describe('on POSIX', onPosix, () => {
    it('says that a symbolic link leads nowhere, creates nothing there, and picks the file up when it comes', async () => {
      const target = join(folder, 'elsewhere.json');
      await symlink(target, path);
      expect((await open()).error?.message).toContain('servers.json is gone');
      await expect(put('new')).rejects.toMatchObject({ code: 'CONFIG_BROKEN' });
      expect(await readdir(folder)).toEqual(['servers.json']);
      await writeFile(target, good);
      await until(() => changes.length > 0);
      expect(file?.current).toMatchObject({ servers: [{ name: 'good' }] });
      await put('new');
      expect((await lstat(path)).isSymbolicLink()).toBe(true);
    });

    it('survives a link to itself', async () => {
      await symlink(path, path);
      expect((await open()).error?.message).toMatch(/servers.json cannot be read: .*ELOOP/);
    });
  });
});

describe('a panel that is killed while it saves', () => {
  const program = fileURLToPath(new URL('./save-forever.ts', import.meta.url));
  const CHAINS = 2;
  const SAVES = 100;
  const MAX_SAVES_PER_LIFE = 24;

  /** Saves until it is killed, at a random moment after `saves` of them. @returns the number of the last save that it reported. */
  const saveUntilKilled = async (path: string, first: number, saves: number): Promise<number> => {
    const child = spawn(process.execPath, [program, path, String(first)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = new Promise((resolve) => child.once('exit', resolve));
    let last = first - 1;
    let isDoomed = false;
    for await (const line of createInterface({ input: child.stdout })) {
      last = Number(line);
      if (isDoomed || last < first + saves) continue;
      isDoomed = true;
      // The kill comes anywhere in this save or the next because one takes some 20 ms.
      void setTimeout(Math.random() * 30).then(() => child.kill('SIGKILL'));
    }
    await ended;
    return last;
  };

  it(
    `leaves the old or the new content, whole, ${CHAINS * SAVES} saves long`,
    { timeout: 60_000 },
    async () => {
      const chain = async () => {
        const folder = tempFolder('killed-');
        const path = join(folder, 'servers.json');
        const texts = ['{\n  "mcpServers": {}\n}\n'];
        const textAfter = (count: number): string => {
          while (texts.length <= count) {
            const { name, ...entry } = savedEntry(texts.length - 1);
            texts.push(putEntry(texts.at(-1)!, name, entry));
          }
          return texts[count]!;
        };
        await writeFile(path, texts[0]!);
        let saved = 0;
        let kills = 0;
        while (saved < SAVES) {
          const reported = await saveUntilKilled(path, saved, Math.floor(Math.random() * MAX_SAVES_PER_LIFE));
          const text = await readFile(path, 'utf8');
          // Save number n makes the text after n + 1 saves; the one under way at the kill counts or does not.
          const possible = [reported + 1, reported + 2];
          saved = possible.find((count) => text === textAfter(count)) ?? -1;
          expect(possible).toContain(saved);
          const backup = await readFile(`${path}.bak`, 'utf8').catch(() => texts[0]!);
          expect([textAfter(saved), textAfter(Math.max(0, saved - 1))]).toContain(backup);
          kills += 1;
        }
        // The next panel opens and writes the file, whatever the last one left behind.
        const file = await openServersFile({ path, clock: systemClock, onChange: () => undefined });
        expect(file.current.error).toBeUndefined();
        await file.put({ name: 'after', command: 'x' });
        file.dispose();
        expect((await readdir(folder)).sort()).toEqual(['servers.json', 'servers.json.bak']);
        return kills;
      };
      const kills = await Promise.all(Array.from({ length: CHAINS }, chain));
      expect(Math.min(...kills)).toBeGreaterThan(2);
    },
  );
});
