import { describe, expect, it } from 'vitest';
import type { UpdateStep } from '../../../shared/updates.ts';
import {
  isUpdateUrl,
  type UpdateFacts,
  Updates,
  type UpdateEngine,
} from '../../../electron/shell/updates/updates.ts';

const mac: UpdateFacts = { isPackaged: true, platform: 'darwin', feed: 'provider: generic\n' };
const linux: UpdateFacts = { ...mac, platform: 'linux' };
const allSteps: readonly UpdateStep[] = ['check', 'download', 'install'];

/** Updates whose every access to the outside is recorded. */
function createUpdates(facts: UpdateFacts, engine: Partial<UpdateEngine> = {}) {
  const done: string[] = [];
  const fakeEngine: UpdateEngine = {
    check: async () => {
      done.push('check');
      return '2.0.0';
    },
    download: async () => void done.push('download'),
    install: () => void done.push('install'),
    ...engine,
  };
  const updates = new Updates({
    facts: () => facts,
    loadEngine: async () => {
      done.push('load');
      return fakeEngine;
    },
    release: async () => void done.push('release'),
    quit: () => void done.push('quit'),
    notice: (line) => void done.push(line),
  });
  return { updates, done };
}

describe('the updates of a panel', () => {
  it.each<[string, UpdateFacts]>([
    ['without a feed', { ...mac, feed: undefined }],
    ['without a feed on Windows', { ...mac, feed: undefined, platform: 'win32' }],
    ['run from the source', { ...mac, isPackaged: false }],
  ])('load nothing and stay off when it is %s, whatever the page asks', async (_what, facts) => {
    const { updates, done } = createUpdates(facts);
    for (const step of allSteps) expect(await updates.take(step)).toEqual({ kind: 'off' });
    expect(updates.state()).toEqual({ kind: 'off' });
    expect(done).toEqual([]);
  });

  it('load nothing before a person asks, and fetch nothing that was only looked for', async () => {
    const { updates, done } = createUpdates(mac);
    expect(updates.state()).toEqual({ kind: 'unchecked' });
    expect(done).toEqual([]);
    expect(await updates.take('check')).toEqual({ kind: 'available', version: '2.0.0', canInstall: true });
    expect(done).toEqual(['load', 'check']);
  });

  it('take one step after the other, and stop the servers before anything is installed', async () => {
    const { updates, done } = createUpdates(mac);
    await updates.take('check');
    expect(await updates.take('download')).toEqual({ kind: 'downloaded', version: '2.0.0' });
    await updates.take('install');
    expect(done).toEqual(['load', 'check', 'download', 'release', 'install']);
  });

  it('take no step that does not follow', async () => {
    const { updates, done } = createUpdates(mac);
    for (const step of ['download', 'install'] as const)
      expect(await updates.take(step)).toEqual({ kind: 'unchecked' });
    await updates.take('check');
    expect(await updates.take('install')).toMatchObject({ kind: 'available' });
    expect(done).toEqual(['load', 'check']);
  });

  it('neither fetch nor install where nothing checks signatures', async () => {
    const { updates, done } = createUpdates(linux);
    for (const step of allSteps)
      expect(await updates.take(step)).toEqual({ kind: 'available', version: '2.0.0', canInstall: false });
    expect(done).toEqual(['load', 'check']);
  });

  const signed = `${mac.feed}publisherName:\n  - Somebody\n`;
  it.each<[string, Partial<UpdateFacts>, boolean]>([
    ['Windows, for a build that names its publisher', { platform: 'win32', feed: signed }, true],
    ['Windows, for a build that nobody signed', { platform: 'win32' }, false],
    [
      'Windows, where only a comment names a publisher',
      { platform: 'win32', feed: `${mac.feed}# publisherName: x` },
      false,
    ],
    ['Linux, whatever the file says', { platform: 'linux', feed: signed }, false],
  ])('can be installed where something checks a signature: on %s', async (_where, facts, canInstall) => {
    const { updates } = createUpdates({ ...mac, ...facts });
    expect(await updates.take('check')).toEqual({ kind: 'available', version: '2.0.0', canInstall });
  });

  it('know when this is the newest, and ask again when asked to', async () => {
    const answers = [undefined, '2.0.0'];
    const { updates } = createUpdates(linux, { check: async () => answers.shift() });
    expect(await updates.take('check')).toEqual({ kind: 'newest' });
    expect(await updates.take('check')).toMatchObject({ kind: 'available', version: '2.0.0' });
  });

  it('tell a failure in one line and stay where they were', async () => {
    const check = () => Promise.reject(new Error('net::ERR_CONNECTION_REFUSED\n    at somewhere'));
    const { updates } = createUpdates(mac, { check });
    await expect(updates.take('check')).rejects.toMatchObject({
      code: 'UNREACHABLE',
      message: 'The update could not be looked for: net::ERR_CONNECTION_REFUSED',
    });
    expect(updates.state()).toEqual({ kind: 'unchecked' });
  });

  it('do not call a refused download ready', async () => {
    const download = () => Promise.reject(new Error('is not signed by the application owner'));
    const { updates } = createUpdates(mac, { download });
    await updates.take('check');
    await expect(updates.take('download')).rejects.toMatchObject({ code: 'UNREACHABLE' });
    expect(updates.state()).toMatchObject({ kind: 'available' });
  });

  it('try to load again what could not be loaded', async () => {
    const loads = [
      () => Promise.reject(new Error('damaged')),
      async () => ({ check: async () => undefined }),
    ];
    const updates = new Updates({
      facts: () => linux,
      loadEngine: () =>
        (loads.shift()?.() ?? Promise.reject(new Error('none left'))) as Promise<UpdateEngine>,
      release: async () => undefined,
      quit: () => undefined,
      notice: () => undefined,
    });
    await expect(updates.take('check')).rejects.toMatchObject({ code: 'UNREACHABLE' });
    expect(await updates.take('check')).toEqual({ kind: 'newest' });
  });

  it('end a panel whose servers are stopped already when the installation does not begin', async () => {
    const install = (onFailure: (error: Error) => void) => onFailure(new Error('no installer'));
    const { updates, done } = createUpdates(mac, { install });
    for (const step of allSteps) await updates.take(step);
    expect(done.slice(-3)).toEqual(['release', 'the update was not installed: no installer', 'quit']);
  });
});

describe('an address for an update', () => {
  it.each(['https://updates.example.org/latest.yml', 'http://127.0.0.1:8080/latest.yml', 'http://[::1]/a'])(
    'may be %s',
    (url) => expect(isUpdateUrl(url)).toBe(true),
  );

  it.each([
    'http://updates.example.org/latest.yml',
    'http://127.0.0.1.example.org/latest.yml',
    'http://localhost@example.org/',
    'ftp://127.0.0.1/latest.yml',
    'file:///etc/passwd',
    'ws://127.0.0.1/',
    'no address',
    '',
  ])('may not be "%s"', (url) => expect(isUpdateUrl(url)).toBe(false));
});
