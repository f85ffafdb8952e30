import { describe, expect, it } from 'vitest';
import { StartAtLogin } from '../../../electron/shell/app/start-at-login.ts';
import type { LoginState } from '../../../shared/system-state.ts';

function createBench(platform: NodeJS.Platform, state: LoginState | Error) {
  const done: string[] = [];
  const notices: string[] = [];
  const startAtLogin = new StartAtLogin({
    platform,
    item: {
      look: () => (state instanceof Error ? Promise.reject(state) : Promise.resolve(state)),
      set: async (isOn) => void done.push(`system ${isOn ? 'on' : 'off'}`),
    },
    wantedAfter: (isOn) => isOn,
    save: async (isOn) => {
      done.push(`setting ${isOn ? 'on' : 'off'}`);
      await startAtLogin.changed(isOn);
    },
    notice: (line) => notices.push(line),
  });
  return { startAtLogin, done, notices };
}

describe('start at login, at a launch', () => {
  it.each<[NodeJS.Platform, boolean, LoginState, readonly string[]]>([
    ['win32', true, 'on', []],
    ['win32', true, 'switched-off', ['setting off']],
    ['win32', true, 'off', ['system on']],
    ['win32', false, 'off', []],
    ['win32', false, 'switched-off', []],
    ['win32', false, 'on', ['setting on']],
    ['win32', true, 'unknown', []],
    ['darwin', true, 'on', []],
    ['darwin', true, 'needs-approval', []],
    ['darwin', false, 'needs-approval', []],
    ['darwin', true, 'off', ['setting off']],
    ['linux', true, 'on', ['system on']],
    ['linux', true, 'switched-off', ['setting off']],
    ['linux', true, 'off', ['setting off']],
    ['linux', false, 'off', []],
    ['linux', true, 'unknown', []],
  ])(
    'follows the system on %s: wanted %s, the system says "%s"',
    async (platform, isWanted, state, expected) => {
      const { startAtLogin, done, notices } = createBench(platform, state);
      await startAtLogin.launched(isWanted);
      expect([done, notices]).toEqual([expected, []]);
    },
  );

  it('says what could not be looked at, and goes on', async () => {
    const { startAtLogin, done, notices } = createBench('linux', new Error('EACCES'));
    await startAtLogin.launched(true);
    expect(await startAtLogin.state()).toBe('unknown');
    expect([done, notices]).toEqual([[], ['start at login could not be changed: EACCES']]);
  });
});

describe('start at login, changed by a person', () => {
  it('is switched on again in the system, where it was switched off', async () => {
    const { startAtLogin, done } = createBench('win32', 'switched-off');
    await startAtLogin.launched(true);
    await startAtLogin.changed(true);
    await startAtLogin.changed(true);
    await startAtLogin.changed(false);
    expect(done).toEqual(['setting off', 'system on', 'system off']);
  });

  it('is left alone by changes of other settings', async () => {
    const { startAtLogin, done } = createBench('win32', 'on');
    await startAtLogin.changed(true);
    await startAtLogin.launched(true);
    await startAtLogin.changed(true);
    expect(done).toEqual([]);
  });
});
