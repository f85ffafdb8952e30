import { spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { startServer, streamableBackend } from '../core/supervisor/remote/test-server.ts';
import { writeClientHome, type ClientHome } from '../fixtures/client-homes.ts';
import { serverOf, usePanels, type DrivenPanel } from './harness.ts';
import { button, dialog as dialogOf, entriesOf, inState, row, running } from './support/driving.ts';
import { focusStop, tabTo } from './support/focus.ts';
import { takePicture } from './support/pictures.ts';
import { desktopWithTray, seenTray, watchTray } from './support/tray.ts';
import { waitUntil } from './support/wait-until.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean();
});
// Panels register their hook after that of this file, so it runs before it: the app is gone when its home is
// removed.
const panels = usePanels();

/** For a walk through most of the window. */
const LONG = { timeout: 180_000 };
/** Servers in the order in which they stand in the file. */
const imported = ['filesystem', 'memory', 'everything', 'stock', 'search', 'docs', 'notes'];
const KEY = 'canary-of-the-search';
const FOUND = 'Found 8 servers in Claude Desktop, Claude Code and VS Code';

const contentsOf = ({ files }: ClientHome) => Object.values(files).map((path) => readFileSync(path, 'utf8'));
const generationsOf = async (panel: DrivenPanel) =>
  Object.fromEntries((await panel.snapshot()).servers.map(({ name, generation }) => [name, generation]));
/** Starts a panel without servers in the home folder of a person who has used three clients. */
async function firstStart(): Promise<{ readonly panel: DrivenPanel; readonly clients: ClientHome }> {
  const remote = await startServer(streamableBackend().handler);
  cleanups.push(() => remote.close());
  const clients = writeClientHome(remote.url);
  cleanups.push(() => rmSync(clients.path, { recursive: true, force: true }));
  const desktop = desktopWithTray();
  cleanups.push(() => desktop.remove());
  const panel = await panels.launch({
    env: {
      HOME: clients.path,
      XDG_CONFIG_HOME: '',
      // This Node is known to be new enough; the files of the clients name it without a path, as people do.
      PATH: `${dirname(process.execPath)}:${desktop.env['PATH'] ?? ''}`,
      // Questions are asked because somebody is there to answer.
      MCP_CONTROL_PANEL_TEST: '',
    },
  });
  await panel.page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await watchTray(panel);
  await panel.page.getByRole('region', { name: 'Found on this machine' }).getByText(FOUND).waitFor();
  expect(entriesOf(panel)).toEqual({});
  return { panel, clients };
}

describe('the way of a new person', () => {
  it(
    'leads by the pointer from the servers of three clients to a panel that runs them all',
    LONG,
    async () => {
      const { panel, clients } = await firstStart();
      const before = contentsOf(clients);
      await takePicture(panel.page, '1-first-run');
      await importsWhatIsTicked(panel);
      expect(contentsOf(clients)).toEqual(before);
      await readsWhyOneFails(panel, clients);
      await mendsIt(panel, clients);
      await movesAndPutsBack(panel, clients);
      await forgetsWhatIsRemoved(panel);
    },
  );

  it('leads there by the keyboard alone', async () => {
    const { panel, clients } = await firstStart();
    const { page } = panel;
    const press = async (words: string, key = 'Enter') => {
      await tabTo(page, words);
      await page.keyboard.press(key);
    };
    await press('button Look at them and import…');
    await dialogOf(panel, 'Import servers').getByText('VS Code').waitFor();
    await press('input scratch', 'Space');
    await tabTo(page, 'input Key of the search');
    await page.keyboard.type(KEY);
    await press('button Import 7 servers');
    await dialogOf(panel, 'Import servers').waitFor({ state: 'detached' });

    await hasFailed(panel);
    await press('a Details of notes');
    await page.getByRole('heading', { name: 'notes', exact: true }).waitFor();
    await tellsWhy(panel, clients);
    await press('button Edit arguments…');
    await dialogOf(panel, 'Edit notes').waitFor();
    await correctsArguments(panel, clients);
    await press('button Save and start');
    await waitUntil('notes to run', async () => (await serverOf(panel, 'notes')).state.kind === 'running');
    await page.keyboard.press('Escape');
    await runsThemAll(panel);
  });
});

async function importsWhatIsTicked(panel: DrivenPanel): Promise<void> {
  await button(panel, 'Look at them and import…').click();
  const dialog = dialogOf(panel, 'Import servers');
  const box = (name: string) => dialog.getByRole('checkbox', { name, exact: true });
  await box('scratch').uncheck();
  // Nothing starts without the value that it needs.
  expect(await box('search').isChecked()).toBe(false);
  await dialog.getByRole('button', { name: 'Import 6 servers', exact: true }).waitFor();
  const field = dialog.getByRole('group', { name: 'Values for search' }).getByLabel('Key of the search');
  expect(await field.getAttribute('type')).toBe('password');
  await field.fill(KEY);
  for (const name of imported) expect(await box(name).first().isChecked(), name).toBe(true);
  // VS Code has the same server as Claude Desktop, but it is wanted once.
  expect(await box('memory').count()).toBe(2);
  expect(await box('memory').last().isChecked()).toBe(false);
  await takePicture(panel.page, '2-import');
  await dialog.getByRole('button', { name: 'Import 7 servers', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(Object.keys(entriesOf(panel))).toEqual(imported);
  expect(entriesOf(panel)['search']).toMatchObject({ env: { SEARCH_KEY: KEY } });
}

/** Waits until `notes` was given up, and the others run. */
async function hasFailed(panel: DrivenPanel): Promise<void> {
  for (const name of imported) await inState(panel, name, name === 'notes' ? 'Failed' : 'Running');
  await panel.page.getByRole('heading', { name: '1 failed', exact: true }).waitFor();
}

/** Reads on the page of `notes` why it failed. */
async function tellsWhy({ page }: DrivenPanel, { notes }: ClientHome): Promise<void> {
  const card = page.getByRole('region', { name: 'What is wrong' });
  await card.getByRole('heading', { name: `Cannot find module '${notes.mistyped}'` }).waitFor();
  await card.getByText(`Check that ${notes.mistyped} is there`).waitFor();
  expect(await card.locator('dl mark').allTextContents()).toEqual([notes.mistyped]);
}

async function readsWhyOneFails(panel: DrivenPanel, clients: ClientHome): Promise<void> {
  const { page } = panel;
  await hasFailed(panel);
  await trayListsRunning(
    panel,
    imported.filter((name) => name !== 'notes'),
  );
  const card = page.getByRole('region', { name: 'Needs attention' }).getByRole('listitem');
  expect(await card.count()).toBe(1);
  await card.getByText(`Cannot find module '${clients.notes.mistyped}'`).first().waitFor();
  await takePicture(page, '3-failed', { withCurves: true });
  await card.getByRole('link', { name: 'Details of notes' }).click();
  await tellsWhy(panel, clients);
  await takePicture(page, '4-cause');
  await page.keyboard.press('Escape');
}

/** Corrects the script where the form has put the focus. */
async function correctsArguments({ page }: DrivenPanel, { notes }: ClientHome): Promise<void> {
  await waitUntil(
    'the focus on the arguments',
    async () => (await focusStop(page)).words === 'textarea Arguments',
  );
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText(`${notes.meant}\n--name=notes`);
  await page.getByText('This starts notes: arguments changed.').waitFor();
}

async function mendsIt(panel: DrivenPanel, clients: ClientHome): Promise<void> {
  const before = await generationsOf(panel);
  await button(panel, 'Fix notes…').click();
  await correctsArguments(panel, clients);
  await takePicture(panel.page, '5-mend');
  await button(panel, 'Save and start').click();
  await runsThemAll(panel);
  const after = await generationsOf(panel);
  expect({ ...after, notes: 0 }).toEqual({ ...before, notes: 0 });
  expect(entriesOf(panel)['notes']).toMatchObject({ args: [clients.notes.meant, '--name=notes'] });
  await takePicture(panel.page, '6-running', { withCurves: true });
  expect(await panel.page.locator('body').innerText()).not.toContain(KEY);
}

async function runsThemAll(panel: DrivenPanel): Promise<void> {
  await running(panel, ...imported);
  await panel.page.getByRole('heading', { name: 'All 7 fine', exact: true }).waitFor();
  const { servers } = await panel.snapshot();
  const pids = panel.serverProcesses().map(({ pid }) => pid);
  for (const { name, pid } of servers) {
    if (name !== 'docs') expect(pids, name).toContain(pid);
  }
  await trayListsRunning(panel, imported);
}

/** Waits until the menu of the tray lists these as running, and no other. */
const trayListsRunning = (panel: DrivenPanel, names: readonly string[]) =>
  waitUntil(`the tray to list ${names.join(', ')}`, async () => {
    const { labels } = await seenTray(panel);
    const running = labels.filter((label) => label.startsWith('● '));
    return running.join() === names.map((name) => `● ${name}: Running`).join();
  });

/** Servers that move: five, of three programs. */
const moving = [
  ['Claude Desktop', 'filesystem'],
  ['Claude Desktop', 'memory'],
  ['Claude Code', 'everything'],
  ['VS Code', 'docs'],
  ['VS Code', 'memory'],
] as const;

/** Moves servers of the programs to the panel, while one of them still runs a copy of its own, and puts them back. */
async function movesAndPutsBack(panel: DrivenPanel, clients: ClientHome): Promise<void> {
  const { page } = panel;
  const before = contentsOf(clients);
  const script = join(clients.path, 'servers', 'everything', 'dist/index.js');
  const copy = spawn('node', [script, 'stdio'], { stdio: ['pipe', 'ignore', 'ignore'] });
  cleanups.push(() => copy.kill('SIGKILL'));
  const program = (name: string) => page.getByRole('region', { name, exact: true });
  await page.keyboard.press('Control+4');
  await program('Claude Code').getByText('MiB').first().waitFor();
  const box = ([name, server]: (typeof moving)[number]) =>
    program(name).getByRole('checkbox', { name: new RegExp(`^${server},`) });
  for (const one of moving) await box(one).check();
  await takePicture(page, '7-programs');
  // Entries of Claude Desktop name folders of this machine, which belong into no picture.
  for (const one of moving.slice(0, 2)) await box(one).uncheck();
  await button(panel, 'Move 3 servers…').click();
  const dialog = dialogOf(panel, 'Move servers to the panel');
  await dialog.getByText('/servers/everything/mcp').waitFor();
  await takePicture(page, '8-move');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  for (const one of moving.slice(0, 2)) await box(one).check();
  await button(panel, 'Move 5 servers…').click();
  await dialog.getByRole('button', { name: 'Move 5 servers', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  await program('VS Code').getByText('Through the panel').nth(1).waitFor();
  await takePicture(page, '9-moved');
  expect(contentsOf(clients)).not.toEqual(before);
  await button(panel, 'Put all back').click();
  await page.getByText('Through the panel').first().waitFor({ state: 'detached' });
  expect(contentsOf(clients)).toEqual(before);
  await page.keyboard.press('Control+1');
}

async function forgetsWhatIsRemoved(panel: DrivenPanel): Promise<void> {
  const processes = () => panel.serverProcesses().filter(({ command }) => command.includes('--name=stock'));
  const left = imported.filter((name) => name !== 'stock');
  expect(processes()).toHaveLength(1);
  await button(panel, 'More for stock').click();
  await panel.page.getByRole('menuitem', { name: 'Remove' }).click();
  await button(panel, 'Remove stock').click();
  await row(panel, 'stock').waitFor({ state: 'detached' });
  await panel.page.getByText('Removed stock from servers.json.').waitFor();
  await trayListsRunning(panel, left);
  expect(Object.keys(entriesOf(panel))).toEqual(left);
  expect(processes()).toEqual([]);
}
