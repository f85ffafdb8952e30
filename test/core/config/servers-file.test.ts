import { lstat, readdir, readFile, rename, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type ConfigChange,
  openServersFile,
  type ServersFile,
  setSetting,
} from '../../../electron/core/config/servers-file.ts';
import { eventually } from '../support/eventually.ts';
import { createFakeClock, type FakeClock } from '../fake-clock.ts';
import { skipOn } from '../../support/skip-on.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const onPosix = skipOn('win32', 'Windows has no mode bits, and links need a right of their own');

describe('ServersFile', () => {
  let folder: string;
  let path: string;
  let clock: FakeClock;
  let changes: ConfigChange[];
  let file: ServersFile | undefined;

  beforeEach(() => {
    folder = tempFolder('servers-file-');
    path = join(folder, 'servers.json');
    clock = createFakeClock();
    changes = [];
  });

  afterEach(() => {
    file?.dispose();
    expect(clock.pending).toBe(0);
  });

  const open = async (text?: string) => {
    if (text !== undefined) await writeFile(path, text);
    file = await openServersFile({ path, clock, onChange: (change) => changes.push(change) });
    return file;
  };
  const text = () => readFile(path, 'utf8');
  const names = () => file?.current.servers.map(({ name }) => name);
  const until = (check: () => boolean) => eventually(check, () => clock.tick(10));
  /** Passes enough time for two polls and a settling, whatever they find. */
  const pollsPass = async () => {
    const endMs = clock.now() + 2000;
    await until(() => clock.now() >= endMs);
    for (let turn = 0; turn < 50; turn += 1) await eventually(() => true);
  };

  describe('an edit that says what it is based on', () => {
    const one = { command: 'a', args: ['x'], own: { kept: 1 } };
    const two = { command: 'b' };
    const openBoth = () => open(JSON.stringify({ mcpServers: { one, two } }));
    const entries = async () => (JSON.parse(await text()) as { mcpServers: unknown }).mcpServers;

    it('is written while the file still says so, in whatever order', async () => {
      const servers = await openBoth();
      const basedOn = { name: 'one', entry: { own: { kept: 1 }, args: ['x'], command: 'a' } };
      await servers.put({ name: 'one', command: 'c' }, { basedOn });
      expect(await entries()).toEqual({ one: { command: 'c' }, two });
    });

    it('is refused once somebody else has changed the entry, also before the change was noticed', async () => {
      const servers = await openBoth();
      const changed = JSON.stringify({ mcpServers: { one: { ...one, args: ['y'], cwd: '/' }, two } });
      await writeFile(path, changed);
      const put = servers.put({ name: 'one', command: 'c' }, { basedOn: { name: 'one', entry: one } });
      await expect(put).rejects.toMatchObject({
        code: 'CONFIG_CONFLICT',
        message: expect.stringMatching(/one.*: args, cwd$/) as string,
      });
      expect(await text()).toBe(changed);
    });

    it('is refused once the entry is gone, unless it is based on there being none', async () => {
      const servers = await openBoth();
      await servers.remove('one');
      const put = servers.put({ name: 'one', command: 'c' }, { basedOn: { name: 'one', entry: one } });
      await expect(put).rejects.toMatchObject({ code: 'CONFIG_CONFLICT' });
      await servers.put({ name: 'one', command: 'c' }, { basedOn: null });
      expect(await entries()).toEqual({ two, one: { command: 'c' } });
      const again = servers.put({ name: 'one', command: 'd' }, { basedOn: null });
      await expect(again).rejects.toMatchObject({ code: 'CONFIG_CONFLICT' });
    });

    it('renames in one write, and never onto another entry', async () => {
      const servers = await openBoth();
      const basedOn = { name: 'one', entry: one };
      const onto = servers.put({ name: 'two', ...one }, { basedOn });
      await expect(onto).rejects.toMatchObject({ code: 'CONFIG_CONFLICT' });
      await servers.put({ name: 'three', ...one }, { basedOn });
      expect(await entries()).toEqual({ two, three: one });
      expect(changes.map(({ diff }) => [diff.added, diff.removed])).toEqual([[['three'], ['one']]]);
    });

    it('may say nothing, and then replaces whatever stands there', async () => {
      const servers = await openBoth();
      await writeFile(path, JSON.stringify({ mcpServers: { one: { command: 'other' } } }));
      await servers.put({ name: 'one', command: 'c' });
      expect(await entries()).toEqual({ one: { command: 'c' } });
    });
  });

  it('tells of a file that was rewritten without changing what is in force', async () => {
    let rewritten = 0;
    await writeFile(path, '{ "mcpServers": { "a": { "command": "x", "own": 1 } } }');
    file = await openServersFile({
      path,
      clock,
      onChange: (change) => changes.push(change),
      onRewritten: () => (rewritten += 1),
    });
    await writeFile(path, '{ "mcpServers": { "a": { "command": "x", "own": 2 } } }');
    await until(() => rewritten === 1);
    expect(changes).toEqual([]);
  });

  it('picks up a write in place and a replacement', async () => {
    await open('{"mcpServers":{}}');
    await writeFile(path, '{"mcpServers":{"a":{"command":"x"}}}');
    await until(() => changes.length === 1);
    await writeFile(`${path}.new`, '{"mcpServers":{"a":{"command":"y"}}}');
    await rename(`${path}.new`, path);
    await until(() => changes.length === 2);
    expect(changes.map(({ diff }) => [diff.added, diff.reconnect])).toEqual([
      [['a'], []],
      [[], ['a']],
    ]);
  });

  it('tells a change of the defaults from an edit of the file', async () => {
    await writeFile(path, '{"mcpServers":{"a":{"command":"x"}}}');
    let maxMemoryMiB = 512;
    const defaults = () => ({ limits: { maxMemoryMiB } });
    file = await openServersFile({ path, clock, defaults, onChange: (change) => changes.push(change) });
    maxMemoryMiB = 1024;
    file.refresh();
    await until(() => changes.length === 1);
    await file.set('a', ['panel', 'autoStart'], false);
    expect(changes.map(({ cause, diff }) => [cause, diff.panelChanged])).toEqual([
      ['defaults', ['a']],
      ['file', ['a']],
    ]);
  });

  it('picks up an outside edit within a second of the clock', async () => {
    await open('{"mcpServers":{}}');
    await pollsPass();
    await writeFile(path, '{"mcpServers":{"a":{"command":"x"}}}');
    const editedMs = clock.now();
    // The slow steps leave the file system, which has no fake clock, the time to finish.
    await eventually(
      () => changes.length === 1 || clock.now() > editedMs + 1000,
      slowly(() => clock.tick(10)),
    );
    expect(names()).toEqual(['a']);
  });

  it('keeps the last good configuration while the file is broken, and mends itself', async () => {
    await open('{"mcpServers":{"a":{"command":"x"}}}');
    await writeFile(path, '{"mcpServers":{"a":');
    await until(() => changes.length === 1);
    expect(names()).toEqual(['a']);
    expect(file?.current.error).toMatchObject({ line: 1, column: 20 });
    await writeFile(path, '{"mcpServers":{"a":{"command":"x"}}}');
    await until(() => changes.length === 2);
    expect(file?.current.error).toBeUndefined();
    expect(changes[1]?.diff).toEqual({ added: [], removed: [], reconnect: [], panelChanged: [] });
  });

  it('keeps the last good form of an entry that became invalid, and applies the others', async () => {
    await open('{"mcpServers":{"a":{"command":"x"},"b":{"command":"x"}}}');
    await writeFile(path, '{"mcpServers":{"a":{"command":5},"b":{"command":"y"},"c":{"command":""}}}');
    await until(() => changes.length === 1);
    expect(file?.current.servers).toMatchObject([
      { name: 'a', command: 'x' },
      { name: 'b', command: 'y' },
    ]);
    expect(file?.current.error?.message).toContain(
      'mcpServers.a.command: expected a text in quotes, found 5; mcpServers.c.command',
    );
  });

  it('writes an entry, keeps the rest, and has it in force when it resolves', async () => {
    await open('// mine\n{ "mcpServers": {\n  "a": { "command": "x", "alien": 1 } // about a\n} }\n');
    await file?.put({ name: 'b', command: 'y', panel: { limits: { maxMemoryMiB: 64 } } });
    expect(names()).toEqual(['a', 'b']);
    expect(changes).toHaveLength(1);
    expect(await text()).toContain(
      '// mine\n{ "mcpServers": {\n  "a": { "command": "x", "alien": 1 }, // about a\n',
    );
    await pollsPass();
    expect(changes).toHaveLength(1);
    await file?.remove('a');
    expect(names()).toEqual(['b']);
    expect(await readdir(folder)).toEqual(['servers.json', 'servers.json.bak']);
  });

  it('refuses an invalid entry with the path of the field, and writes nothing', async () => {
    await open('{"mcpServers":{}}');
    const entry = { name: 'a', command: 'x', panel: { limits: { maxMemoryMiB: Number.NaN } } };
    await expect(file?.put(entry)).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: 'mcpServers.a.panel.limits.maxMemoryMiB: expected a number, found NaN',
      data: {
        path: 'mcpServers.a.panel.limits.maxMemoryMiB',
        field: 'panel.limits.maxMemoryMiB',
        statement: 'expected a number, found NaN',
        expected: 'a number',
        found: 'NaN',
      },
    });
    await expect(file?.put({ name: 'a b', command: 'x' })).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
    expect(await text()).toBe('{"mcpServers":{}}');
  });

  describe('on POSIX', onPosix, () => {
    it('writes through a symbolic link', async () => {
      const target = join(folder, 'dotfiles.json');
      await writeFile(target, '{"mcpServers":{}}', { mode: 0o640 });
      await symlink(target, path);
      await open();
      await file?.put({ name: 'a', command: 'x' });
      expect((await lstat(path)).isSymbolicLink()).toBe(true);
      expect(await readFile(target, 'utf8')).toContain('"a"');
      expect((await stat(target)).mode & 0o777).toBe(0o640);
    });
  });

  /** Step that moves the clock as slowly as real time at most, because a busy disk takes its time. */
  function slowly(step: () => void): () => void {
    let steppedMs = performance.now();
    return () => {
      if (performance.now() - steppedMs < 10) return;
      steppedMs = performance.now();
      step();
    };
  }
});

const path = ['panel', 'health', 'onStall'];

describe('setSetting', () => {
  it('makes the objects on the way and keeps comments, order and unknown keys', () => {
    const text =
      '{\n  // mine\n  "mcpServers": {\n    "a": { "command": "x", "odd": 1 }, // a\n    "b": { "command": "y" }\n  }\n}\n';
    const changed = setSetting(text, 'a', path, 'notify');
    expect(changed).toContain('// mine');
    expect(changed).toContain('// a');
    expect(JSON.parse(changed.replaceAll(/\/\/.*$/gm, ''))).toEqual({
      mcpServers: {
        a: { command: 'x', odd: 1, panel: { health: { onStall: 'notify' } } },
        b: { command: 'y' },
      },
    });
  });

  it('replaces the value where it stands', () => {
    const text =
      '{ "mcpServers": { "a": { "command": "x", "panel": { "health": { "onStall": "restart" /* so */ } } } } }';
    expect(setSetting(text, 'a', path, 'notify')).toBe(text.replace('"restart"', '"notify"'));
  });
});
