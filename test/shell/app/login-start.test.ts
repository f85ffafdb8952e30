import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  isForDoorkeeperAlone,
  loginStart,
  needsLoginItem,
  type AppStart,
} from '../../../electron/shell/app/login-start.ts';
import { settingsSchema } from '../../../shared/settings.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const settingsOf = (startAtLogin: boolean, startWithClients: boolean) =>
  settingsSchema.parse({ startAtLogin, gateway: { startWithClients } });

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
  let home: string;
  beforeEach(() => (home = tempFolder('login-start-')));

  const FOR_CLIENTS = '{ "gateway": { "startWithClients": true } } // by hand';
  const isAlone = (changes: Partial<AppStart>, text?: string, isLogin = true) => {
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
