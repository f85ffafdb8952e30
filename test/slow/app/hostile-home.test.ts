import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { fixtureServer } from '../../fixtures/fixture-server.ts';
import { usePanels, type DrivenPanel } from '../../e2e/harness.ts';
import { running } from '../../e2e/support/driving.ts';
import { waitUntil } from '../../e2e/support/wait-until.ts';

// Obstacles in the home in the place of the panel's own files; see docs/security.md.

let home: string;
const panels = usePanels();
beforeEach(() => {
  home = panels.tempFolder('hostile-home-');
  mkdirSync(join(home, 'logs', 'servers'), { recursive: true });
  mkdirSync(join(home, 'ledger'));
  writeFileSync(join(home, 'servers.json'), JSON.stringify({ mcpServers: { one: fixtureServer() } }));
});

/** Files that are read at the start or written while the panel runs, except servers.json. */
const files = [
  'settings.json',
  'window.json',
  'logs/events.jsonl',
  'logs/servers/one.log',
  'ledger/999999-abcdef01.json',
];

/** Notices about a file at the start, or when it is first written. */
const notices = (panel: DrivenPanel, file: string) =>
  panel.stderr().filter((line) => line.includes(file.split('/').at(-1)!));

describe('in the place of its files', () => {
  it.each<[string, (path: string) => void]>([
    ['named pipes', (path) => void execFileSync('mkfifo', [path])],
    ['folders', (path) => mkdirSync(path)],
    [
      'files of 300 MB',
      (path) => {
        writeFileSync(path, '');
        truncateSync(path, 300 * 1024 * 1024);
      },
    ],
  ])('%s keep the panel neither from starting nor from ending, and are kept', async (name, put) => {
    for (const file of files) put(join(home, file));
    const panel = await panels.launch({ home });
    await running(panel, 'one');
    const unheard = () => {
      // Output files may have any size because the panel only appends to them.
      const mattering = name === 'files of 300 MB' ? files.filter((file) => !file.endsWith('.log')) : files;
      return mattering.filter((file) => file !== 'logs/servers/one.log' && notices(panel, file).length === 0);
    };
    await waitUntil('a notice of each', () => unheard().length === 0);
    expect(await panel.terminate()).toBe(0);
    const left = readdirSync(home, { recursive: true }).map(String);
    for (const file of files) expect(left.some((path) => path.startsWith(file))).toBe(true);
  });
});

describe('events of an earlier launch', () => {
  const id = (index: number) => `${String(1_700_000_000_000 + index).padStart(14, '0')}-00000001-abc`;
  const event = (index: number, fields: object = {}) =>
    JSON.stringify({
      id: id(index),
      at: 1_700_000_000_000,
      server: 'one',
      kind: 'stopped',
      detail: {},
      ...fields,
    });

  it('that are nested deeply, of no time or of no server are passed over, and the window is drawn', async () => {
    const lines = [
      event(1),
      event(2).replace('"detail":{}', `"detail":{"a":${'['.repeat(5000)}${']'.repeat(5000)}}`),
      event(3, { at: 1e300 }),
      event(4, { at: -1e15 }),
      event(5, { id: '' }),
      event(6, { server: '../../etc' }),
      event(7, {
        kind: 'crashed',
        detail: { exitCode: { toString: 1 }, words: ['x'], at: 'y', stderrTail: 7 },
      }),
      event(1),
    ];
    writeFileSync(join(home, 'logs', 'events.jsonl'), `${lines.join('\n')}\n`);
    const panel = await panels.launch({ home });
    await running(panel, 'one');
    const { events } = await panel.snapshot();
    expect(events.filter((one) => one.at === 1_700_000_000_000).map((one) => one.id)).toEqual([id(7), id(1)]);
    expect(notices(panel, 'events.jsonl')).toEqual([expect.stringContaining('6 lines')]);
    await panel.page.getByRole('link', { name: 'Open one' }).click();
    await panel.page.getByRole('log', { name: 'Events' }).waitFor();
  });
});

describe('a servers.json of 8 MB of entries', () => {
  it('is refused by their number, and the window is there', async () => {
    const entry = { ...fixtureServer(), disabled: true, env: { API_KEY: 'x'.repeat(100) } };
    const entries = Array.from({ length: 20_000 }, (_, index) => [`server-${index}`, entry]);
    const text = JSON.stringify({ mcpServers: Object.fromEntries(entries) as object });
    writeFileSync(join(home, 'servers.json'), text.slice(0, 8 * 1024 * 1024));
    expect(text.length).toBeLessThan(8 * 1024 * 1024);
    const panel = await panels.launch({ home });
    const { config } = await panel.snapshot();
    expect(config.error?.message).toBe('mcpServers: expected at most 1000 servers, found 20000');
    await panel.page.getByText('found 20000').first().waitFor();
  });
});

describe('the files of the home', () => {
  it("are for their owner alone, Chromium's and those of a first run too", async () => {
    const panel = await panels.launch({ home });
    await running(panel, 'one');
    await panel.call('putSettings', { theme: 'dark' });
    await waitUntil('the events', () => existsSync(join(home, 'logs', 'events.jsonl')));
    expect(await panel.terminate()).toBe(0);
    const open = readdirSync(home, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name !== 'servers.json')
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => (statSync(path).mode & 0o077) !== 0);
    expect(open.map((path) => relative(home, path))).toEqual([]);
    const found = readdirSync(home);
    expect(found).toEqual(expect.arrayContaining(['window.json', 'settings.json', 'Crashpad']));
  });
});
