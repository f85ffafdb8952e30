import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AppliedSettings } from '../../../electron/shell/app/apply-settings.ts';
import {
  isForDoorkeeperAlone,
  loginStart,
  needsLoginItem,
  type AppStart,
} from '../../../electron/shell/app/start-at-login.ts';
import { settingsSchema } from '../../../shared/settings.ts';
import type { LoginState } from '../../../shared/system-state.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const settingsOf = (startAtLogin: boolean, startWithClients = false) =>
  settingsSchema.parse({ startAtLogin, gateway: { startWithClients } });

function createBench(platform: NodeJS.Platform, state: LoginState | Error) {
  const done: string[] = [];
  const notices: string[] = [];
  const settings = new AppliedSettings({
    platform,
    setTheme: () => undefined,
    item: {
      look: () => (state instanceof Error ? Promise.reject(state) : Promise.resolve(state)),
      set: async (isOn) => void done.push(`system ${isOn ? 'on' : 'off'}`),
    },
    save: async ({ startAtLogin = false }) => {
      done.push(`setting ${startAtLogin ? 'on' : 'off'}`);
      await settings.apply({ ...settings.current, startAtLogin });
    },
    notice: (line) => notices.push(line),
  });
  return { settings, done, notices };
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
      const { settings, done, notices } = createBench(platform, state);
      await settings.launched(settingsOf(isWanted));
      expect([done, notices]).toEqual([expected, []]);
    },
  );

  it('leaves the item of the system alone where clients still need it', async () => {
    const { settings, done } = createBench('win32', 'switched-off');
    await settings.launched(settingsOf(true, true));
    expect(done).toEqual(['setting off']);
  });

  it('says what could not be looked at, and goes on', async () => {
    const { settings, done, notices } = createBench('linux', new Error('EACCES'));
    await settings.launched(settingsOf(true));
    expect(await settings.loginState()).toBe('unknown');
    expect([done, notices]).toEqual([[], ['start at login could not be changed: EACCES']]);
  });
});

describe('start at login, changed by a person', () => {
  it('is switched on again in the system, where it was switched off', async () => {
    const { settings, done } = createBench('win32', 'switched-off');
    await settings.launched(settingsOf(true));
    await settings.apply(settingsOf(true));
    await settings.apply(settingsOf(true));
    await settings.apply(settingsOf(false));
    expect(done).toEqual(['setting off', 'system on', 'system off']);
  });

  it('is left alone by changes of other settings', async () => {
    const { settings, done } = createBench('win32', 'on');
    await settings.apply(settingsOf(true));
    await settings.launched(settingsOf(true));
    await settings.apply(settingsOf(true));
    expect(done).toEqual([]);
  });
});

describe('the start at login', () => {
  it.each([
    [false, false, false, 'panel'],
    [true, false, true, 'panel'],
    [false, true, true, 'doorkeeper'],
    [true, true, true, 'panel'],
  ] as const)(
    'by itself %s, with clients %s: is asked for %s, and opens a %s',
    (self, clients, item, opens) => {
      const settings = settingsOf(self, clients);
      expect([needsLoginItem(settings), loginStart(settings)]).toEqual([item, opens]);
    },
  );
});

describe('a start of the app', () => {
  const FOR_CLIENTS = '{ "gateway": { "startWithClients": true } } // by hand';
  const isAlone = (changes: Partial<AppStart>, text?: string, isLogin = true) => {
    const home = tempFolder('login-start-');
    if (text !== undefined) writeFileSync(join(home, 'settings.json'), text);
    return isForDoorkeeperAlone({ home, isPackaged: true, environment: {}, ...changes }, isLogin);
  };

  it('opens only a doorkeeper at a login where clients alone are to start the panel', async () => {
    expect(await isAlone({}, FOR_CLIENTS)).toBe(true);
  });

  it('opens the panel for a person, or for a client', async () => {
    expect(await isAlone({}, FOR_CLIENTS, false)).toBe(false);
  });

  it.each<[string, Partial<AppStart>]>([
    ['from the source', { isPackaged: false }],
    ['in a test', { environment: { MCP_CONTROL_PANEL_TEST: '1' } }],
  ])('opens the panel %s, even at login', async (_who, changes) => {
    expect(await isAlone(changes, FOR_CLIENTS)).toBe(false);
  });

  it.each([
    undefined,
    '{}',
    '{ "gateway": ',
    '{ "startAtLogin": true, "gateway": { "startWithClients": true } }',
  ])('opens the panel with the settings %s', async (text) => expect(await isAlone({}, text)).toBe(false));
});
