import { describe, expect, it } from 'vitest';
import { hasTrayHost, type TrayAsk } from '../../../electron/shell/tray/tray-host.ts';

const answering =
  (output: string | undefined): TrayAsk =>
  () =>
    Promise.resolve(output);

describe('hasTrayHost', () => {
  it('asks the session bus on Linux', async () => {
    const asked: string[] = [];
    const ask: TrayAsk = (command, args) => {
      asked.push([command, ...args].join(' '));
      return Promise.resolve('(true,)\n');
    };
    expect(await hasTrayHost('linux', ask)).toBe(true);
    expect(asked).toEqual([
      expect.stringMatching(/^gdbus call --session .*NameHasOwner org\.kde\.StatusNotifierWatcher$/),
    ]);
  });

  it('takes a no, a missing bus and a missing program as no', async () => {
    expect(await hasTrayHost('linux', answering('(false,)\n'))).toBe(false);
    expect(await hasTrayHost('linux', answering(undefined))).toBe(false);
  });

  it('does not ask where a tray is part of the system', async () => {
    const ask: TrayAsk = () => Promise.reject(new Error('asked'));
    expect(await hasTrayHost('darwin', ask)).toBe(true);
    expect(await hasTrayHost('win32', ask)).toBe(true);
  });
});
