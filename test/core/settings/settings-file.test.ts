import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  openSettings,
  type LoadedSettings,
  type SettingsFile,
} from '../../../electron/core/settings/settings-file.ts';
import { defaultSettings, type SettingsPatch } from '../../../shared/settings.ts';
import { eventually, settled } from '../support/eventually.ts';
import { createFakeClock, type FakeClock } from '../fake-clock.ts';
import { tempFolder } from '../../support/temp-folder.ts';

describe('SettingsFile', () => {
  let folder: string;
  let path: string;
  let clock: FakeClock;
  let changes: LoadedSettings[];
  let file: SettingsFile;

  beforeEach(() => {
    folder = tempFolder('settings-file-');
    path = join(folder, 'settings.json');
    clock = createFakeClock();
    changes = [];
  });

  afterEach(() => {
    file.dispose();
    expect(clock.pending).toBe(0);
  });

  const open = async (text?: string) => {
    if (text !== undefined) await writeFile(path, text);
    const onChange = (current: LoadedSettings) => changes.push(current);
    file = await openSettings({ path, clock, onChange });
    return file.current;
  };
  const text = () => readFile(path, 'utf8');
  const until = (check: () => boolean) => eventually(check, () => clock.tick(10));
  /** A write waits for a broken file to settle. */
  const update = (patch: SettingsPatch) => settled(file.update(patch), () => clock.tick(10));

  it('has the defaults in force where there is no file, and creates none', async () => {
    expect(await open()).toEqual({ settings: defaultSettings });
    expect(await readdir(folder)).toEqual([]);
  });

  it('creates the file with the first change, private, with what was changed only', async () => {
    path = join(folder, 'home', 'settings.json');
    await open();
    await update({ theme: 'dark', notifications: { stall: false } });
    expect(file.current.settings).toMatchObject({
      theme: 'dark',
      notifications: { stall: false, limit: true },
    });
    expect(changes).toHaveLength(1);
    expect(JSON.parse(await text())).toEqual({ version: 1, theme: 'dark', notifications: { stall: false } });
    if (process.platform !== 'win32') expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it('keeps comments, order and unknown keys, and the content before as backup', async () => {
    const before = '{\r\n\t// mine\r\n\t"later": 1,\r\n\t"theme": "dark" // at night\r\n}\r\n';
    await open(before);
    await update({ theme: 'light', defaults: { limits: { maxMemoryMiB: 512 } } });
    expect(await text()).toMatch(
      /^\{\r\n\t\/\/ mine\r\n\t"later": 1,\r\n\t"theme": "light",[^]*\/\/ at night\r\n\}\r\n$/,
    );
    expect(file.current.settings.defaults).toEqual({ limits: { maxMemoryMiB: 512 } });
    expect(await readFile(`${path}.bak`, 'utf8')).toBe(before);
  });

  it('picks up outside edits, and the deletion of the file', async () => {
    await open('{ "theme": "dark" }');
    await writeFile(path, '{ "theme": "light" }');
    await until(() => changes.length === 1);
    expect(file.current.settings.theme).toBe('light');
    await rm(path);
    await until(() => changes.length === 2);
    expect(file.current).toEqual({ settings: defaultSettings });
  });

  it('opens a broken file with the defaults, says where, and keeps it aside', async () => {
    const broken = '{\n  "theme": "dark"\n  "startAtLogin": true\n}';
    const { settings, error } = await open(broken);
    expect(settings).toEqual(defaultSettings);
    expect(error).toEqual({
      message: 'settings.json cannot be used: startAtLogin: expected ",", found a text in quotes',
      line: 3,
      column: 3,
    });
    expect(await text()).toBe(broken);
    await update({ closeToTray: false });
    expect(file.current).toEqual({ settings: { ...defaultSettings, closeToTray: false } });
    expect(await readFile(`${path}.broken`, 'utf8')).toBe(broken);
  });

  it('keeps what was in force while an outside edit is broken, also when it is written then', async () => {
    await open('{ "theme": "dark" }');
    await writeFile(path, '{ "theme": ');
    await until(() => changes.length === 1);
    expect(file.current).toMatchObject({ settings: { theme: 'dark' }, error: { line: 1, column: 12 } });
    await update({ startAtLogin: true });
    expect(file.current).toEqual({ settings: { ...defaultSettings, theme: 'dark', startAtLogin: true } });
    expect(await readFile(`${path}.broken`, 'utf8')).toBe('{ "theme": ');
  });

  it('uses the other settings where one is wrong, and leaves the wrong one for its owner', async () => {
    const { settings, error } = await open(
      '{ "theme": "dark",\n  "notifications": { "stall": 5 },\n  "defaults": { "limits": { "maxMemoryMiB": 0 } } }',
    );
    expect(settings).toEqual({ ...defaultSettings, theme: 'dark' });
    expect(error).toMatchObject({ line: 2, column: 31 });
    expect(error?.message).toMatch(/^settings.json: notifications.stall: .*; defaults.limits.maxMemoryMiB: /);
    await update({ theme: 'light' });
    expect(file.current.settings.theme).toBe('light');
    expect(await text()).toContain('"stall": 5 }');
  });

  it('refuses a change that is not valid, with the path of the field, and writes nothing', async () => {
    await open('{ "theme": "dark" }');
    const wrong = { defaults: { restart: { maxPerHour: -1 } } };
    await expect(update(wrong)).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      data: { path: 'defaults.restart.maxPerHour' },
    });
    expect(await text()).toBe('{ "theme": "dark" }');
  });

  it('does not touch a file of a later version before it has kept it aside', async () => {
    const later = '{ "version": 7, "theme": { "name": "solar" } }';
    const { settings, error } = await open(later);
    expect(settings).toEqual(defaultSettings);
    expect(error?.message).toContain('it was written by a later version of the panel (7; this one knows 1)');
    await update({ theme: 'dark' });
    expect(await readFile(`${path}.broken`, 'utf8')).toBe(later);
  });

  it.each([
    ['nothing', ''],
    ['NUL bytes', '\0\0\0\0'],
    ['a list', '[1]'],
    ['deep nesting', '['.repeat(200_000)],
    ['a text for a version', '{ "version": "new" }'],
    ['a version that is no whole number', '{ "version": 1.5 }'],
    ['a version before the first', '{ "version": 0 }'],
  ])('calls %s by its name and loses nothing of it', async (_, content) => {
    const { settings, error } = await open(content);
    expect(settings).toEqual(defaultSettings);
    expect(error?.message).toMatch(/^settings.json cannot be used: ./);
    expect(await readFile(`${path}.broken`, 'utf8')).toBe(content);
  });
});
