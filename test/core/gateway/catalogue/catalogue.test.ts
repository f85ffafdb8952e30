import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createDeferred } from '../../../../electron/core/deferred.ts';
import {
  Catalogue,
  catalogueKey,
  type CatalogueChange,
} from '../../../../electron/core/gateway/catalogue/catalogue.ts';
import { tempFolder } from '../../../support/temp-folder.ts';
import { createFakeClock } from '../../fake-clock.ts';
import { longResult } from '../../long-message.ts';
import { FakeLink } from '../upstream/one-link.ts';

const KEY = 'a'.repeat(64);
const FOLDER = 'catalogue';

let home: string;
beforeEach(() => {
  home = tempFolder('catalogue-');
});

/** As the key of a home makes it of the key of a server. */
const nameOf = (key: string) => key.slice(24, 64);
const fileOf = (key = KEY) => join(home, FOLDER, `${nameOf(key)}${key.slice(64)}.json`);

function bench() {
  const clock = createFakeClock();
  const notices: string[] = [];
  const changes: CatalogueChange[] = [];
  const catalogue = new Catalogue({
    clock,
    wallClock: clock,
    folder: join(home, FOLDER),
    nameOf,
    agreedFolder: tempFolder('agreed-'),
    onAgreedChanged: () => undefined,
    installedOf: () => Promise.resolve(undefined),
    notice: (line) => notices.push(line),
  });
  onTestFinished(() => catalogue.dispose());
  catalogue.onChanged((change) => changes.push(change));
  /** Waits for work that a disk or a server takes part in. */
  const until = (condition: () => unknown) => expect.poll(() => condition(), { timeout: 5000 }).toBe(true);
  const isFresh = (method = 'tools/list') => catalogue.list(KEY, method)?.isFresh === true;
  const learnt = async (link: FakeLink) => {
    catalogue.learn(link, KEY);
    await until(isFresh);
  };
  const itemsOf = (method = 'tools/list') =>
    JSON.parse(catalogue.list(KEY, method)?.result.toString() ?? 'null') as unknown;
  return { clock, notices, changes, catalogue, until, isFresh, learnt, itemsOf };
}

/** A server with these tools, the cursor being the index of the page. */
function server(pages: object[][], capabilities: object = { tools: {} }): FakeLink {
  const link = new FakeLink(capabilities);
  link.answer = async (method, { cursor = '0' }) => {
    if (method !== 'tools/list') return { [method.split('/')[0]!]: [] };
    const page = Number(cursor);
    return { tools: pages[page], ...(pages[page + 1] && { nextCursor: String(page + 1) }) };
  };
  return link;
}

const add = { name: 'add', description: 'Adds', inputSchema: { type: 'object' } };
const sub = { name: 'sub', inputSchema: {} };

describe('the catalogue of a server that runs', () => {
  it('keeps nothing of an ended link in memory, as a whole run hangs on each, however often its entry is edited', async () => {
    const { catalogue, clock } = bench();
    const keyOf = (index: number) => index.toString(16).padStart(64, '0');
    const live = async (index: number) => {
      const link = server([[add]]);
      catalogue.learn(link, keyOf(index));
      await expect.poll(() => catalogue.list(keyOf(index), 'tools/list')?.isFresh).toBe(true);
      link.end();
      await clock.advance(1000);
      return new WeakRef(link);
    };
    const links: WeakRef<object>[] = [];
    for (let index = 0; index < 20; index += 1) links.push(await live(index));
    const collect = collector();
    await expect
      .poll(
        () => {
          collect();
          return links.filter((link) => link.deref() !== undefined).length;
        },
        { timeout: 10_000 },
      )
      .toBe(0);
    expect(catalogue.greeting(keyOf(0))).toBeDefined();
  });

  it('holds a list in memory of its own, and not in a pool that would stay with it', async () => {
    const { catalogue, learnt } = bench();
    await learnt(server([[add]]));
    const { result } = catalogue.list(KEY, 'tools/list')!;
    expect(result.buffer.byteLength).toBe(result.length);
    await catalogue.dispose();
    const other = bench();
    await other.catalogue.load(KEY);
    const kept = other.catalogue.list(KEY, 'tools/list')!.result;
    expect(kept.buffer.byteLength).toBe(kept.length);
  });

  it('forgets those that nobody asked for longest beyond 2000, and none that runs', async () => {
    const { catalogue, clock, until } = bench();
    const keyOf = (index: number) => index.toString(16).padStart(64, '0');
    const running = server([[add]]);
    catalogue.learn(running, keyOf(0));
    await until(() => catalogue.list(keyOf(0), 'tools/list')?.isFresh === true);
    await clock.advance(1000);
    const next = server([[sub]]);
    catalogue.learn(next, keyOf(1));
    await until(() => catalogue.list(keyOf(1), 'tools/list')?.isFresh === true);
    await clock.advance(1000);
    next.end();
    await until(() => next.notified.size === 0);
    for (let index = 2; index <= 2000; index += 1) await catalogue.load(keyOf(index));
    expect(catalogue.greeting(keyOf(0))).toBeDefined();
    expect(catalogue.greeting(keyOf(1))).toBeUndefined();
  });

  it('holds its greeting at once, and its lists with all their pages as they are sent to clients', async () => {
    const { catalogue, learnt } = bench();
    const link = server([[add], [sub]]);
    catalogue.learn(link, KEY);
    expect(catalogue.greeting(KEY)).toBe(link.greeting);
    await learnt(link);
    const list = catalogue.list(KEY, 'tools/list');
    expect(list?.result.toString()).toBe(JSON.stringify({ tools: [add, sub] }));
    expect(list).toMatchObject({ count: 2, isWhole: true, isFresh: true });
    expect(link.heard).toEqual(['tools/list', 'tools/list 1']);
    expect(catalogue.list(KEY, 'prompts/list')).toBeUndefined();
    expect(catalogue.list(KEY, 'tools/call')).toBeUndefined();
  });

  it('is read again when the server says that it has changed, and tells of a change once', async () => {
    const { clock, changes, learnt, until, isFresh, itemsOf } = bench();
    const link = server([[add]]);
    await learnt(link);
    link.answer = async () => ({ tools: [add, sub] });
    for (let count = 0; count < 5; count += 1)
      link.notified.emit({ method: 'notifications/tools/list_changed' });
    expect(isFresh()).toBe(false);
    await clock.advance(250);
    await until(isFresh);
    expect(itemsOf()).toEqual({ tools: [add, sub] });
    expect(changes).toEqual([{ key: KEY, list: 'tools', method: 'tools/list' }]);
    expect(link.heard).toHaveLength(2);
    // Another order of its fields is no change of a tool.
    const turned = Object.fromEntries(Object.entries(add).toReversed());
    link.answer = async () => ({ tools: [turned, sub] });
    link.notified.emit({ method: 'notifications/tools/list_changed' });
    await clock.advance(250);
    await until(isFresh);
    expect(link.heard).toHaveLength(3);
    expect(changes).toHaveLength(1);
  });

  it('is read once more when it changes while it is read', async () => {
    const { clock, learnt, until, isFresh, itemsOf } = bench();
    const link = server([[add]]);
    await learnt(link);
    const gate = createDeferred<Record<string, unknown>>();
    link.answer = () => gate.promise;
    link.notified.emit({ method: 'notifications/tools/list_changed' });
    await clock.advance(250);
    expect(link.heard).toHaveLength(2);
    link.notified.emit({ method: 'notifications/tools/list_changed' });
    link.answer = async () => ({ tools: [sub] });
    gate.resolve({ tools: [add] });
    await clock.advance(0);
    expect(isFresh()).toBe(false);
    await clock.advance(250);
    await until(isFresh);
    expect(itemsOf()).toEqual({ tools: [sub] });
  });

  it('keeps the last list where the server does not answer, and tells that it said so', async () => {
    const { clock, changes, learnt, until, isFresh, itemsOf } = bench();
    const link = server([[add]]);
    await learnt(link);
    link.answer = () => Promise.reject(new Error('late'));
    link.notified.emit({ method: 'notifications/tools/list_changed' });
    await clock.advance(250);
    await until(() => changes.length === 1);
    expect([isFresh(), itemsOf()]).toEqual([false, { tools: [add] }]);
  });

  it('reads a long list from its bytes, and says of one that is cut that it is not whole', async () => {
    const { catalogue, learnt } = bench();
    const link = server([]);
    const tools = Array.from({ length: 5001 }, (_, index) => ({ name: `tool ${index}` }));
    link.requestRaw = async () => longResult(JSON.stringify({ tools }));
    await learnt(link);
    expect(catalogue.list(KEY, 'tools/list')).toMatchObject({ count: 5000, isWhole: false });
  });

  it('follows one link at a time, and the next one when that has ended', async () => {
    const { catalogue, learnt, until, changes, isFresh, itemsOf } = bench();
    const link = server([[add]]);
    await learnt(link);
    const further = server([[sub]], { tools: {} });
    catalogue.learn(further, KEY);
    expect(further.heard).toEqual([]);
    link.end();
    expect(isFresh()).toBe(false);
    expect(itemsOf()).toEqual({ tools: [add] });
    catalogue.learn(further, KEY);
    await until(isFresh);
    expect(itemsOf()).toEqual({ tools: [sub] });
    expect(changes).toHaveLength(1);
  });

  it('forgets a list that the server does not declare any more', async () => {
    const { catalogue, learnt, until } = bench();
    const link = server([[add]], { tools: {}, prompts: {} });
    await learnt(link);
    await until(() => catalogue.list(KEY, 'prompts/list') !== undefined);
    link.end();
    await learnt(server([[add]]));
    expect(catalogue.list(KEY, 'prompts/list')).toBeUndefined();
  });

  it('leaves no timer and no listener', async () => {
    const { catalogue, clock, learnt } = bench();
    const link = server([[add]]);
    await learnt(link);
    link.notified.emit({ method: 'notifications/tools/list_changed' });
    await catalogue.dispose();
    expect([clock.pending, link.notified.size]).toEqual([0, 0]);
  });
});

describe('the catalogue of a server that is down', () => {
  /** An earlier run of the panel, which knew `add`. */
  async function earlierRun(): Promise<FakeLink> {
    const { catalogue, learnt } = bench();
    const link = server([[add]], { tools: {}, logging: {} });
    await learnt(link);
    await catalogue.dispose();
    return link;
  }

  it('is what an earlier run kept, marked as old', async () => {
    const link = await earlierRun();
    const { catalogue, itemsOf, isFresh } = bench();
    expect(catalogue.greeting(KEY)).toBeUndefined();
    await catalogue.load(KEY);
    expect(catalogue.greeting(KEY)).toEqual(link.greeting);
    expect(itemsOf()).toEqual({ tools: [add] });
    expect(isFresh()).toBe(false);
  });

  it('is in a file that is JSON, for its owner alone', async () => {
    await earlierRun();
    if (process.platform !== 'win32') expect(statSync(fileOf()).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(fileOf(), 'utf8'))).toMatchObject([{ version: 1 }, { tools: [add] }]);
    expect(readdirSync(join(home, FOLDER))).toEqual([`${nameOf(KEY)}.json`]);
  });

  it('is told as changed when the server is up again with another list, and not with the same', async () => {
    await earlierRun();
    const same = bench();
    await same.learnt(server([[add]]));
    expect(same.changes).toEqual([]);
    await same.catalogue.dispose();
    const other = bench();
    await other.learnt(server([[add, sub]]));
    expect(other.changes).toHaveLength(1);
  });

  it.each([
    ['is cut off', (text: string) => text.slice(0, -20)],
    ['has other words in it', (text: string) => text.replace('Adds', 'Eats')],
    ['is of another kind', () => '{"version":1}'],
    ['is empty', () => ''],
    ['is of a later version', (text: string) => text.replace('"version":1,', '"version":2,')],
    ['is too large', () => 'x'.repeat(8 * 1024 * 1024 + 1)],
  ])('ignores a file that %s, says so, and replaces it', async (_how, damage) => {
    await earlierRun();
    writeFileSync(fileOf(), damage(readFileSync(fileOf(), 'utf8')));
    const { catalogue, notices, learnt } = bench();
    await catalogue.load(KEY);
    expect(catalogue.greeting(KEY)).toBeUndefined();
    expect(notices).toEqual([expect.stringContaining('is ignored and will be replaced')]);
    await learnt(server([[sub]]));
    await catalogue.dispose();
    const next = bench();
    await next.catalogue.load(KEY);
    expect(next.itemsOf()).toEqual({ tools: [sub] });
    expect(next.notices).toEqual([]);
  });

  it('is written once for many changes, and not before they have rested', async () => {
    const { clock, learnt, until } = bench();
    await learnt(server([[add]]));
    await clock.advance(999);
    expect(readdirSync(home)).toEqual([]);
    await clock.advance(1);
    await until(() => readdirSync(home).includes(FOLDER));
  });

  it('says so when it cannot be written', async () => {
    const { catalogue, notices, learnt } = bench();
    await learnt(server([[add]]));
    mkdirSync(fileOf(), { recursive: true });
    await catalogue.dispose();
    expect(notices).toEqual([expect.stringContaining('was not written')]);
  });

  it('leaves out the longest lists of a server that says more than a file may hold', async () => {
    const { catalogue, learnt, until } = bench();
    const link = new FakeLink({ tools: {}, prompts: {} });
    const prompts = Array.from({ length: 90 }, (_, index) => ({
      name: `p${index}`,
      text: '€'.repeat(30_000),
    }));
    link.answer = async (method) => (method === 'tools/list' ? { tools: [add] } : { prompts });
    await learnt(link);
    await until(() => catalogue.list(KEY, 'prompts/list')?.isFresh);
    await catalogue.dispose();
    const next = bench();
    await next.catalogue.load(KEY);
    expect(next.itemsOf()).toEqual({ tools: [add] });
    expect(next.itemsOf('prompts/list')).toBeNull();
    expect(statSync(fileOf()).size).toBeLessThan(8 * 1024 * 1024);
  });
});

describe('a file of an earlier version, named by the key of its server', () => {
  it('gets a name that only the key of the home makes, and nobody can find a secret by', async () => {
    const earlier = bench();
    await earlier.learnt(server([[add]]));
    await earlier.catalogue.dispose();
    const former = [KEY, `${KEY}.sampling`].map((key) => join(home, FOLDER, `${key}.json`));
    for (const path of former) copyFileSync(fileOf(), path);
    rmSync(fileOf());
    const { catalogue, itemsOf } = bench();
    await catalogue.prune();
    expect(readdirSync(join(home, FOLDER)).sort()).toEqual(
      [`${nameOf(KEY)}.json`, `${nameOf(KEY)}.sampling.json`].sort(),
    );
    await catalogue.load(KEY);
    expect(itemsOf()).toEqual({ tools: [add] });
  });
});

describe('the key of a catalogue', () => {
  it('is that of the server, and of the class of clients where they have a connection of their own', async () => {
    expect(catalogueKey(KEY)).toBe(KEY);
    const catalogue = bench().catalogue;
    await catalogue.load(catalogueKey(KEY, 'elicitation+sampling'));
  });

  it.each(['', '../x', `${KEY}/..`, `${KEY}.`, 'A'.repeat(64)])('is never a path: %j', async (key) => {
    await expect(bench().catalogue.load(key)).rejects.toThrow('is not the key');
  });
});

/** The garbage collector of this process. */
function collector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}
