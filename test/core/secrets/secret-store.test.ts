import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { createDeferred } from '../../../electron/core/deferred.ts';
import { SecretStore } from '../../../electron/core/secrets/secret-store.ts';
import type { AskKeyring } from '../../../electron/core/secrets/store-key.ts';
import type { KeyAnswer } from '../../../electron/core/secrets/store-state.ts';
import { tempFolder } from '../../support/temp-folder.ts';

let home: string;
let keyring: Map<string, string>;
/** What the keyring answers in place of the truth. */
let trouble: KeyAnswer | undefined;

beforeEach(() => {
  home = tempFolder('secrets-');
  keyring = new Map();
  trouble = undefined;
});

const askKeyring: AskKeyring = (question) => {
  if (trouble) return Promise.resolve(trouble);
  if (question.kind === 'write') keyring.set(question.account, question.value);
  if (question.kind === 'remove') keyring.delete(question.account);
  const value = keyring.get(question.account);
  return Promise.resolve(value === undefined ? { kind: 'none' } : { kind: 'found', value });
};

const path = (name = 'secrets.json') => join(home, name);
const text = () => readFileSync(path(), 'utf8');

const begin = (ask = askKeyring, passphrase?: string): Promise<SecretStore> =>
  SecretStore.open({
    ...{ home, randomBytes, askKeyring: ask, passphrase },
    wallClock: { epochMs: () => 1000 },
  });

async function open(passphrase?: string): Promise<SecretStore> {
  const store = await begin(askKeyring, passphrase);
  await store.settled;
  return store;
}

const put = (store: SecretStore, name: string, value: string) => store.put(new Map([[name, value]]));

describe('the store of secrets', () => {
  it('makes no file before there is a secret', async () => {
    expect((await open()).state).toEqual({ state: 'none' });
    expect(readdirSync(home)).toEqual([]);
  });

  it('keeps values sealed, with the key in the keyring', async () => {
    const store = await open();
    await put(store, 'TOKEN', 'canary-value');
    expect(store.state).toEqual({ state: 'open', keyKind: 'keyring' });
    expect(text()).not.toContain('canary');
    expect(text()).not.toContain('TOKEN');
    if (process.platform !== 'win32') expect(statSync(path()).mode & 0o777).toBe(0o600);
    const again = await open();
    expect(again.get('TOKEN')).toBe('canary-value');
    expect(again.secrets.get('TOKEN')?.setAt).toBe(1000);
  });

  it('keeps a secret with a name that every object has', async () => {
    await put(await open(), '__proto__', 'canary-value');
    expect((await open()).get('__proto__')).toBe('canary-value');
    expect((await open()).get('constructor')).toBeUndefined();
  });

  it.each<[string, KeyAnswer, string]>([
    ['there is no keyring', { kind: 'absent', reason: 'no bus' }, 'no-keyring'],
    ['the keyring is locked', { kind: 'refused', reason: 'dismissed' }, 'locked'],
    ['nobody answers', { kind: 'silent', waitedMs: 5000 }, 'locked'],
    ['the keyring does not know the key', { kind: 'none' }, 'key-missing'],
  ])('stays shut, and makes no new key, when %s', async (_, answer, state) => {
    await put(await open(), 'TOKEN', 'canary-value');
    const sealed = text();
    trouble = answer;
    const store = await open();
    expect(store.state).toMatchObject({ state, keyKind: 'keyring', problem: expect.any(String) as string });
    await expect(put(store, 'OTHER', 'other-value')).rejects.toMatchObject({ code: 'SECRET_MISSING' });
    await expect(store.setKey('file')).rejects.toMatchObject({ code: 'SECRET_MISSING' });
    await expect(store.unlock()).rejects.toMatchObject({ code: 'SECRET_MISSING' });
    expect(text()).toBe(sealed);
    trouble = undefined;
    await store.unlock();
    expect(store.get('TOKEN')).toBe('canary-value');
  });

  it('says that there is no keyring, and takes a file instead', async () => {
    trouble = { kind: 'absent', reason: 'no bus' };
    const store = await open();
    await expect(put(store, 'TOKEN', 'canary-value')).rejects.toMatchObject({ code: 'SECRET_MISSING' });
    expect(store.state).toMatchObject({ state: 'no-keyring' });
    expect(readdirSync(home)).toEqual([]);
    await store.setKey('file');
    await put(store, 'TOKEN', 'canary-value');
    expect((await open()).get('TOKEN')).toBe('canary-value');
    expect(readdirSync(home).sort()).toEqual(['secrets.json', 'secrets.json.bak', 'secrets.key']);
  });

  it('changes the kind of its key, and leaves none of the old one behind', async () => {
    const store = await open();
    await put(store, 'TOKEN', 'canary-value');
    await store.setKey('file');
    expect(keyring.size).toBe(0);
    await store.setKey('passphrase', 'correct horse');
    expect(readdirSync(home).sort()).toEqual(['secrets.json', 'secrets.json.bak']);
    const locked = await open();
    expect(locked.state).toMatchObject({ state: 'locked', keyKind: 'passphrase' });
    await expect(locked.unlock('wrong horse')).rejects.toMatchObject({ code: 'SECRET_MISSING' });
    await locked.unlock('correct horse');
    expect(locked.get('TOKEN')).toBe('canary-value');
    expect((await open('correct horse')).get('TOKEN')).toBe('canary-value');
  }, 60_000);

  it('opens its backup where the file was damaged, and says so where both were', async () => {
    const store = await open();
    await put(store, 'TOKEN', 'canary-value');
    await put(store, 'OTHER', 'other-value');
    const whole = text();
    writeFileSync(path(), whole.replace(/"sealed": "..../, '"sealed": "AAAA'));
    expect((await open()).get('TOKEN')).toBe('canary-value');
    writeFileSync(path(), '{');
    expect((await open()).get('TOKEN')).toBe('canary-value');
    writeFileSync(path('secrets.json.bak'), '{');
    expect((await open()).state).toMatchObject({ state: 'damaged' });
  });

  it('is damaged when anything in its file was changed', async () => {
    const store = await open();
    await store.setKey('file');
    const other = text()
      .replace(/"home": "."/, '"home": "e"')
      .replace(/"home": "../, '"home": "ef');
    rmSync(path('secrets.json.bak'));
    writeFileSync(path(), other);
    expect((await open()).state).toMatchObject({ state: 'damaged', keyKind: 'file' });
  });

  it('sets the files aside when a person starts anew', async () => {
    await put(await open(), 'TOKEN', 'canary-value');
    keyring.clear();
    const store = await open();
    await store.startAnew();
    expect(store.state).toEqual({ state: 'none' });
    expect(readdirSync(home)).toContain('secrets.json.aside');
    await put(store, 'TOKEN', 'second-value');
    expect((await open()).get('TOKEN')).toBe('second-value');
  });

  it('stays set aside, whatever answer still comes', async () => {
    await put(await open(), 'TOKEN', 'canary-value');
    const asked = createDeferred<KeyAnswer>();
    const store = await begin(() => asked.promise);
    const { settled } = store;
    await store.startAnew();
    asked.resolve({ kind: 'found', value: [...keyring.values()][0] ?? '' });
    await settled;
    expect(store.state).toEqual({ state: 'none' });
    expect(store.get('TOKEN')).toBeUndefined();
  });

  it('lets the later question decide when a person unlocks while the first is open', async () => {
    await put(await open(), 'TOKEN', 'canary-value');
    const first = createDeferred<KeyAnswer>();
    let count = 0;
    const store = await begin((...asked) => ((count += 1) === 1 ? first.promise : askKeyring(...asked)));
    expect(store.state).toEqual({ state: 'opening', keyKind: 'keyring' });
    await store.unlock();
    first.resolve({ kind: 'silent', waitedMs: 5000 });
    await first.promise;
    expect(store.state.state).toBe('open');
    expect(store.get('TOKEN')).toBe('canary-value');
  });

  it('says which values have changed', async () => {
    const store = await open();
    await put(store, 'A', 'value-a');
    const changes: (readonly string[])[] = [];
    store.onChanged(({ names }) => changes.push(names));
    await store.put(
      new Map([
        ['A', 'value-a'],
        ['B', 'value-b'],
      ]),
    );
    await store.copy('B', 'C');
    await store.remove(['A']);
    expect(changes).toEqual([['B'], ['C'], ['A']]);
    expect([...store.secrets.keys()]).toEqual(['B', 'C']);
  });
});
