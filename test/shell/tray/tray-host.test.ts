import { describe, expect, it } from 'vitest';
import { hasTrayHost } from '../../../electron/shell/tray/tray-host.ts';

const fails = () => Promise.reject(new Error('it failed'));

describe('hasTrayHost', () => {
  it('asks the session bus on Linux', async () => {
    const asked: string[] = [];
    const run = (command: string, args: readonly string[]) => {
      asked.push([command, ...args].join(' '));
      return Promise.resolve('(true,)\n');
    };
    expect(await hasTrayHost('linux', run)).toBe(true);
    expect(asked).toEqual([
      expect.stringMatching(/^gdbus call --session .*NameHasOwner org\.kde\.StatusNotifierWatcher$/),
    ]);
  });

  it('takes a no, a missing bus and a missing program as no', async () => {
    expect(await hasTrayHost('linux', () => Promise.resolve('(false,)\n'))).toBe(false);
    expect(await hasTrayHost('linux', fails)).toBe(false);
  });

  it('does not ask where a tray is part of the system', async () => {
    expect(await hasTrayHost('darwin', fails)).toBe(true);
    expect(await hasTrayHost('win32', fails)).toBe(true);
  });
});
