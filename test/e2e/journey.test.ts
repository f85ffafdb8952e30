import { readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { startServer, streamableBackend } from '../core/supervisor/remote/test-server.ts';
import { writeClientHome, type ClientHome } from '../fixtures/client-homes.ts';
import { usePanels, type DrivenPanel } from './harness.ts';
import { takePicture } from './support/pictures.ts';
import { desktopWithTray, labelsBecome, tooltipBecomes, watchTray } from './support/tray.ts';
import { waitUntil } from './support/wait-until.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean();
});
// Panels register their hook after that of this file, so it runs before it: the app is gone when its home is
// removed.
const panels = usePanels();

const imported = ['filesystem', 'memory', 'everything', 'stock', 'search', 'docs', 'git'];
/** Servers with a process of their own here; the other is reached at an address. */
const local = imported.filter((name) => name !== 'docs');

const button = ({ page }: DrivenPanel, name: string) => page.getByRole('button', { name, exact: true });
const row = ({ page }: DrivenPanel, name: string) => page.getByRole('row', { name, exact: true });
const inState = (panel: DrivenPanel, name: string, word: string) =>
  row(panel, name).getByText(word, { exact: true }).waitFor();
const serverOf = async (panel: DrivenPanel, name: string) =>
  (await panel.snapshot()).servers.find((server) => server.name === name);
const entriesOf = ({ home }: DrivenPanel) =>
  (
    JSON.parse(readFileSync(join(home, 'servers.json'), 'utf8')) as {
      mcpServers: Record<string, Record<string, unknown>>;
    }
  ).mcpServers;

async function choose(panel: DrivenPanel, server: string, item: string): Promise<void> {
  await button(panel, `More for ${server}`).click();
  await panel.page.getByRole('menuitem', { name: item }).click();
}

async function prepareClients(): Promise<ClientHome> {
  const remote = await startServer(streamableBackend().handler);
  cleanups.push(() => remote.close());
  const clients = writeClientHome(remote.url);
  cleanups.push(() => rmSync(clients.path, { recursive: true, force: true }));
  return clients;
}

describe('the way of a new person', () => {
  it('leads from the servers of five clients to one panel that runs, shows, changes and forgets them', async () => {
    const clients = await prepareClients();
    const desktop = desktopWithTray();
    cleanups.push(() => desktop.remove());
    const before = contentsOf(clients);
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
    await panel.page.emulateMedia({ colorScheme: 'light' });
    await watchTray(panel);

    await offersWhatWasFound(panel);
    await importsWhatIsTicked(panel);
    await runsThemAll(panel);
    expect(contentsOf(clients)).toEqual(before);
    await restartsWhatIsEdited(panel);
    await forgetsWhatIsRemoved(panel);
  });
});

const trayLabels = (running: readonly string[]) => [
  running.length === 0 ? 'No servers' : `${running.length} running`,
  '-',
  ...running.map((name) => `● ${name}: Running`),
  ...(running.length === 0 ? [] : ['-', 'Stop all', 'Restart failed']),
  '-',
  'Open MCP Control Panel',
  'Settings',
  'Quit',
];

const contentsOf = ({ files }: ClientHome) => Object.values(files).map((path) => readFileSync(path, 'utf8'));

async function offersWhatWasFound(panel: DrivenPanel): Promise<void> {
  const offer = panel.page.getByRole('region', { name: 'Found on this machine' });
  await offer
    .getByText('Found 8 servers in Claude Desktop, Claude Code, VS Code, Cursor and Windsurf', {
      exact: true,
    })
    .waitFor();
  expect(entriesOf(panel)).toEqual({});
  await takePicture(panel.page, '1-first-run');
}

async function importsWhatIsTicked(panel: DrivenPanel): Promise<void> {
  await button(panel, 'Look at them and import…').click();
  const dialog = panel.page.getByRole('dialog', { name: 'Import servers' });
  const box = (name: string) => dialog.getByRole('checkbox', { name, exact: true });
  await box('scratch').uncheck();
  for (const name of imported) expect(await box(name).first().isChecked(), name).toBe(true);
  // Cursor has the same server as Claude Desktop, but it is wanted once.
  expect(await box('memory').count()).toBe(2);
  expect(await box('memory').last().isChecked()).toBe(false);
  await takePicture(panel.page, '2-import');
  await dialog.getByRole('button', { name: 'Import 7 servers', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(Object.keys(entriesOf(panel))).toEqual(imported);
}

async function runsThemAll(panel: DrivenPanel): Promise<void> {
  // Git is switched off in Windsurf, and so here; what was ticked and is on starts by itself.
  await inState(panel, 'git', 'Stopped');
  await button(panel, 'Start git').click();
  for (const name of imported) await inState(panel, name, 'Running');
  await panel.page.getByRole('heading', { name: 'All 7 fine', exact: true }).waitFor();
  const { servers } = await panel.snapshot();
  const pids = panel.serverProcesses().map(({ pid }) => pid);
  for (const { name, pid } of servers) {
    if (name !== 'docs') expect(pids, name).toContain(pid);
  }
  await tooltipBecomes(panel, '7 running');
  await labelsBecome(panel, trayLabels(imported));
  await takePicture(panel.page, '3-running', { withCurves: true });
  // No note appears because the list shows what came.
  expect(await button(panel, 'Dismiss the note').count()).toBe(0);
}

async function restartsWhatIsEdited(panel: DrivenPanel): Promise<void> {
  const generations = async () =>
    Object.fromEntries((await panel.snapshot()).servers.map(({ name, generation }) => [name, generation]));
  const before = await generations();
  const pid = (await serverOf(panel, 'search'))?.pid;
  await choose(panel, 'search', 'Edit');
  const dialog = panel.page.getByRole('dialog', { name: 'Edit search' });
  await dialog.getByRole('button', { name: 'Add variable' }).click();
  await dialog.getByLabel('Name of variable 1', { exact: true }).fill('LANGUAGE');
  await dialog.getByLabel('Value of LANGUAGE', { exact: true }).fill('fr');
  await dialog.getByText('This restarts search: environment changed.').waitFor();
  await takePicture(panel.page, '4-edit');
  await button(panel, 'Save and restart').click();
  await waitUntil('a run with a new process', async () => {
    const server = await serverOf(panel, 'search');
    return server?.state.kind === 'running' && server.pid !== pid;
  });
  await inState(panel, 'search', 'Running');
  expect(await generations()).toEqual({ ...before, search: (before['search'] ?? 0) + 1 });
  expect(entriesOf(panel)['search']).toMatchObject({ env: { LANGUAGE: 'fr' } });
  await row(panel, 'search').getByRole('link').click();
  await panel.page.getByLabel('Memory of search', { exact: true }).waitFor();
  await takePicture(panel.page, '5-restarted', { withCurves: true });
  await panel.page.keyboard.press('Escape');
}

async function forgetsWhatIsRemoved(panel: DrivenPanel): Promise<void> {
  const processes = () => panel.serverProcesses().filter(({ command }) => command.includes('--name=stock'));
  expect(processes()).toHaveLength(1);
  await choose(panel, 'stock', 'Remove');
  await panel.page.getByRole('dialog', { name: 'Remove stock?' }).waitFor();
  await takePicture(panel.page, '6-remove');
  await button(panel, 'Remove stock').click();
  await row(panel, 'stock').waitFor({ state: 'detached' });
  await panel.page.getByText('Removed stock from servers.json.').waitFor();
  await tooltipBecomes(panel, '6 running');
  await labelsBecome(panel, trayLabels(imported.filter((name) => name !== 'stock')));
  expect(Object.keys(entriesOf(panel))).toEqual(imported.filter((name) => name !== 'stock'));
  expect(processes()).toEqual([]);
  expect(panel.serverProcesses()).toHaveLength(local.length - 1);
  await takePicture(panel.page, '7-removed');
}
