import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { forkHelper } from '../../../electron/core/platform/helper-process.ts';
import { systemClock } from '../../../electron/core/platform/system-clock.ts';
import { keyringAsker } from '../../../electron/core/secrets/ask-keyring.ts';
import type { SecretStoreView } from '../../../shared/secret-store.ts';
import { openTestPanel, type TestPanel } from '../../core/panel/open-test-panel.ts';
import { fixtureServer, waitUntil } from '../../fixtures/fixture-server.ts';
import { skipWhen } from '../../support/skip-on.ts';
import { hasDisplay, hasKeyring, KeyringSession, processesWith } from './keyring-session.ts';

const HELPER = new URL('../../../electron/core/secrets/keyring-helper.ts', import.meta.url);
const needsKeyring = skipWhen(!hasKeyring, 'gnome-keyring, dbus and gdbus are not installed here');
const needsDisplay = skipWhen(!hasKeyring || !hasDisplay, 'gnome-keyring and Xvfb are not installed here');
const VALUE = 'canary-7f3a9c';
/** The two servers of all these tests: one that needs no secret, and one that does. */
const servers = { plain: fixtureServer(), needy: { ...fixtureServer(), env: { T: '${secret:T}' } } };

let session: KeyringSession;
let files: ReadonlyMap<string, string>;
const undo: (() => unknown)[] = [];

beforeEach(() => {
  session = new KeyringSession();
  undo.push(() => session.dispose());
  files = new Map();
});

afterEach(async () => {
  for (const one of undo.splice(0).reverse()) await one();
  vi.unstubAllEnvs();
  await waitUntil(() => processesWith('keyring-helper').length === 0, {
    deadlineMs: 2000,
    describe: 'the end of all helpers',
  });
});

/** Opens a panel in the session, with the files of the last one. */
async function open(): Promise<TestPanel> {
  const { env } = session;
  for (const name of ['DBUS_SESSION_BUS_ADDRESS', 'DISPLAY', 'XDG_RUNTIME_DIR', 'HOME'])
    vi.stubEnv(name, env[name]);
  const ended = new AbortController();
  const startHelper = () => forkHelper(HELPER);
  const askKeyring = keyringAsker({ clock: systemClock, startHelper, ended: ended.signal });
  const opened = await openTestPanel(servers, { askKeyring }, (home) => {
    for (const [name, text] of files) writeFileSync(join(home, name), text);
  });
  undo.push(() => {
    ended.abort();
    return opened.dispose();
  });
  return opened;
}

/** Makes a store with a secret on a keyring that works, and closes that panel. */
async function makeStore(): Promise<void> {
  const opened = await open();
  const { panel, home } = opened;
  await panel.secrets.put({ name: 'T', value: VALUE });
  expect(panel.secrets.state()).toEqual({ state: 'open', keyKind: 'keyring' });
  files = new Map([['secrets.json', readFileSync(join(home, 'secrets.json'), 'utf8')]]);
  expect(files.get('secrets.json')).not.toContain('canary');
  await opened.dispose();
}

const viewOf = ({ panel }: TestPanel, name: string) =>
  panel.getSnapshot().servers.find((one) => one.name === name);
const until = (opened: TestPanel, name: string, kind: string) =>
  waitUntil(() => viewOf(opened, name)?.state.kind === kind, {
    deadlineMs: 20_000,
    describe: `${name} ${kind}`,
  });

/** Starts the panel. @returns what the store was when the server without references ran; the other one has run or failed */
async function start(opened: TestPanel): Promise<SecretStoreView['state']> {
  opened.panel.start();
  await until(opened, 'plain', 'running');
  const { state } = opened.panel.secrets.state();
  await waitUntil(() => ['running', 'failed'].includes(viewOf(opened, 'needy')?.state.kind ?? ''), {
    deadlineMs: 20_000,
    describe: 'the server with a secret',
  });
  return state;
}

describe('a real keyring', needsKeyring, () => {
  it('keeps the key, and opens the store at the next start', async () => {
    await session.openBus();
    await session.startKeyring('open');
    await makeStore();
    const opened = await open();
    await start(opened);
    expect(opened.panel.secrets.state()).toEqual({ state: 'open', keyKind: 'keyring' });
    await until(opened, 'needy', 'running');
  });

  it('that is not there is said so, with nothing written; a file takes its place', async () => {
    await session.openBus('bare');
    const { panel } = await open();
    await expect(panel.secrets.put({ name: 'T', value: VALUE })).rejects.toMatchObject({
      code: 'SECRET_MISSING',
    });
    expect(panel.secrets.state()).toMatchObject({ state: 'no-keyring' });
    await panel.secrets.setKey({ kind: 'file' });
    await panel.secrets.put({ name: 'T', value: VALUE });
    expect(panel.secrets.state()).toEqual({ state: 'open', keyKind: 'file' });
  });

  it('that went away keeps the store shut, and holds up no other server', async () => {
    await session.openBus();
    await session.startKeyring('open');
    await makeStore();
    await session.openBus('bare');
    const opened = await open();
    await start(opened);
    expect(opened.panel.secrets.state()).toMatchObject({ state: 'no-keyring', keyKind: 'keyring' });
    expect(viewOf(opened, 'needy')?.lastError).toMatchObject({ code: 'SECRET_MISSING' });
  });

  it('that is locked, without a display, keeps the store shut', async () => {
    await session.openBus();
    const daemon = await session.startKeyring('open');
    await makeStore();
    daemon.kill('SIGKILL');
    await session.openBus();
    await session.startKeyring('locked');
    const opened = await open();
    await start(opened);
    expect(opened.panel.secrets.state()).toMatchObject({ state: 'locked', keyKind: 'keyring' });
    expect(viewOf(opened, 'needy')?.lastError).toMatchObject({ code: 'SECRET_MISSING' });
  });

  it('that is killed and started anew by the bus never makes a new key', async () => {
    await session.openBus();
    const daemon = await session.startKeyring('open');
    await makeStore();
    daemon.kill('SIGKILL');
    const opened = await open();
    await start(opened);
    const { state, keyKind } = opened.panel.secrets.state();
    expect(['locked', 'key-missing', 'no-keyring']).toContain(state);
    expect(keyKind).toBe('keyring');
    expect(readFileSync(join(opened.home, 'secrets.json'), 'utf8')).toBe(files.get('secrets.json'));
    await expect(opened.panel.secrets.put({ name: 'X', value: VALUE })).rejects.toMatchObject({
      code: 'SECRET_MISSING',
    });
    expect(readFileSync(join(opened.home, 'secrets.json'), 'utf8')).toBe(files.get('secrets.json'));
  });

  it('behind a bus that never speaks is given up after 5 seconds, with the loop of the panel free', async () => {
    await session.openBus();
    await session.startKeyring('open');
    await makeStore();
    await session.openMuteBus();
    const opened = await open();
    // The other server runs while the keyring still has time.
    expect(await start(opened)).toBe('opening');
    expect(opened.panel.secrets.state()).toMatchObject({ state: 'locked' });
    expect(viewOf(opened, 'needy')?.lastError?.message).toContain('gave no answer in 5 s');
  });

  it('that is frozen keeps the store shut until it answers again, and going away shuts no open one', async () => {
    await session.openBus();
    const daemon = await session.startKeyring('open');
    await makeStore();
    daemon.kill('SIGSTOP');
    const opened = await open();
    await start(opened);
    const { secrets } = opened.panel;
    expect(['locked', 'no-keyring']).toContain(secrets.state().state);
    daemon.kill('SIGCONT');
    await secrets.unlock();
    await until(opened, 'needy', 'running');
    daemon.kill('SIGKILL');
    await secrets.put({ name: 'LATER', value: VALUE });
    expect(secrets.state()).toEqual({ state: 'open', keyKind: 'keyring' });
  });

  it('that is being asked is left at once by a panel that ends', async () => {
    await session.openBus();
    await session.startKeyring('open');
    await makeStore();
    await session.openMuteBus();
    await open();
    expect(processesWith('keyring-helper')).toHaveLength(1);
    // What follows each test finds no helper.
  });

  it('renames and rotates under the eyes of a running server, with one restart for each', async () => {
    await session.openBus();
    await session.startKeyring('open');
    await makeStore();
    const opened = await open();
    const { panel } = opened;
    await start(opened);
    await until(opened, 'needy', 'running');
    const before = viewOf(opened, 'needy')?.generation ?? 0;
    await panel.secrets.put({ name: 'T', value: `${VALUE}-2` });
    await waitUntil(() => viewOf(opened, 'needy')?.generation === before + 1, {
      deadlineMs: 20_000,
      describe: 'the restart',
    });
    await until(opened, 'needy', 'running');
    await panel.secrets.rename({ from: 'T', to: 'U' });
    await waitUntil(() => viewOf(opened, 'needy')?.generation === before + 2, {
      deadlineMs: 20_000,
      describe: 'the second restart',
    });
    await until(opened, 'needy', 'running');
    expect(panel.secrets.list()).toMatchObject([{ name: 'U', usedBy: ['needy'] }]);
    const pid = viewOf(opened, 'needy')?.pid ?? 0;
    expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).toContain(`T=${VALUE}-2\0`);
  });
});

describe('a prompt that nobody answers', needsDisplay, () => {
  it('is given up after 5 seconds, and holds up no other server', async () => {
    await session.openBus();
    const daemon = await session.startKeyring('open');
    await makeStore();
    daemon.kill('SIGKILL');
    await session.openDisplay();
    await session.openBus();
    await session.startKeyring('locked');
    const opened = await open();
    // The other server runs while the keyring still has time.
    expect(await start(opened)).toBe('opening');
    expect(opened.panel.secrets.state()).toMatchObject({ state: 'locked' });
  });
});
