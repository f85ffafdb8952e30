import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fixtureServer, referenceServer } from '../fixtures/fixture-server.ts';
import { replaceFile, serverOf, sharedPanel, usePanels } from './harness.ts';
import { button, inState, row, running } from './support/driving.ts';
import { waitUntil } from './support/wait-until.ts';
import { isAlive } from '../support/proc.ts';

const panelWith = sharedPanel(usePanels('all'));

describe('the panel with the three reference servers', () => {
  it('shows each with its state and real figures, on the overview and on its page', async () => {
    const folder = process.cwd();
    const panel = await panelWith({
      everything: referenceServer('everything', 'stdio'),
      memory: referenceServer('memory'),
      filesystem: referenceServer('filesystem', folder),
    });
    await running(panel, 'everything', 'memory', 'filesystem');
    await panel.page.getByText('All 3 fine').waitFor();
    for (const name of ['everything', 'memory', 'filesystem']) {
      await waitUntil(`a memory figure of ${name}`, async () =>
        /\d+(\.\d+)? MiB/.test(await row(panel, name).innerText()),
      );
      // Memory tells a running Node server, which holds some tens of MiB; a figure in KiB or in pages would
      // be far off.
      const isUp = async () => ((await serverOf(panel, name)).sample?.memoryBytes ?? 0) > 20 * 1024 * 1024;
      await waitUntil(`more than 20 MiB of ${name}`, isUp);
      const { sample, pid } = await serverOf(panel, name);
      expect(pid).toBeGreaterThan(0);
      expect(sample?.memoryBytes).toBeLessThan(500 * 1024 * 1024);
      expect(sample?.processCount).toBeGreaterThanOrEqual(1);
      expect(sample?.openFiles).toBeGreaterThan(3);
    }

    await panel.page.getByRole('link', { name: 'Open everything' }).click();
    await panel.page.getByLabel('Memory of everything').filter({ hasText: /MiB/ }).waitFor();
    await panel.page.getByLabel('CPU of everything').filter({ hasText: /%/ }).waitFor();
    await panel.page.getByRole('log', { name: 'Events' }).getByText('started').first().waitFor();
    // A curve drawn from samples is a path with more than one point.
    await waitUntil('a curve of several samples', async () => {
      const curves = await panel.page.locator('svg path[data-curve=line]').all();
      const paths = await Promise.all(curves.map((curve) => curve.getAttribute('d')));
      return paths.some((d) => (d?.match(/[LC]/g) ?? []).length >= 2);
    });
    expect((await panel.call<unknown[]>('getHistory', 'everything', 0)).length).toBeGreaterThan(1);
    expect(await panel.call('getHistory', 'nobody', 0)).toMatchObject({
      rejected: { code: 'SERVER_UNKNOWN' },
    });
  });
});

describe('controls', () => {
  it('stops, starts and restarts by clicking, one process at a time', async () => {
    const panel = await panelWith({ one: fixtureServer() });
    await running(panel, 'one');
    const first = await serverOf(panel, 'one');

    await button(panel, 'Stop one').click();
    await inState(panel, 'one', 'Stopped');
    expect(isAlive(first.pid!)).toBe(false);
    expect(panel.serverProcesses()).toEqual([]);
    expect(await button(panel, 'Stop one').isDisabled()).toBe(true);
    expect((await serverOf(panel, 'one')).pid).toBeUndefined();

    await button(panel, 'Start one').click();
    await running(panel, 'one');
    expect(await button(panel, 'Start one').isDisabled()).toBe(true);
    expect((await serverOf(panel, 'one')).generation).toBe(2);

    await button(panel, 'Restart one').click();
    await waitUntil('generation 3', async () => (await serverOf(panel, 'one')).generation === 3);
    await running(panel, 'one');
    expect(panel.serverProcesses()).toHaveLength(1);
  });

  it('answers commands with promises that keep the contract', async () => {
    const panel = await panelWith({ one: { ...fixtureServer(), panel: { autoStart: false } } });
    await inState(panel, 'one', 'Stopped');
    expect(await panel.call('stopServer', 'one')).toBeUndefined();
    expect(await panel.call('restartServer', 'one')).toBeUndefined();
    expect((await serverOf(panel, 'one')).state.kind).toBe('running');
    expect(await panel.call('startServer', 'one')).toBeUndefined();
    expect((await serverOf(panel, 'one')).generation).toBe(1);
    expect(await panel.call('startServer', 'nobody')).toMatchObject({ rejected: { code: 'SERVER_UNKNOWN' } });
    const [start, stop] = await Promise.all([
      panel.call('restartServer', 'one'),
      panel.call('stopServer', 'one'),
    ]);
    expect(start).toMatchObject({ rejected: { code: 'SUPERSEDED' } });
    expect(stop).toBeUndefined();
    expect(panel.serverProcesses()).toEqual([]);
  });

  it('shows a crash and the restart after kill -9, with both events', async () => {
    const panel = await panelWith({
      one: { ...fixtureServer(), panel: { restart: { initialBackoffMs: 50 } } },
    });
    await running(panel, 'one');
    const { pid } = await serverOf(panel, 'one');
    process.kill(pid!, 'SIGKILL');
    await waitUntil('a new generation', async () => (await serverOf(panel, 'one')).generation === 2);
    await running(panel, 'one');
    const { events } = await panel.snapshot();
    expect(events.map((event) => event.kind)).toEqual(
      expect.arrayContaining(['crashed', 'restart-scheduled', 'restarted']),
    );
    expect(events.find((event) => event.kind === 'crashed')?.detail).toMatchObject({ signal: 'SIGKILL' });
    await panel.page
      .getByRole('log', { name: 'Events' })
      .getByText(/crashed/)
      .first()
      .waitFor();
    expect((await serverOf(panel, 'one')).restartsTotal).toBe(1);
  });

  it('fails at once, with the remedy on the page, when a command does not exist', async () => {
    const panel = await panelWith({ broken: { command: 'no-such-command-anywhere' } });
    await inState(panel, 'broken', 'Failed');
    const { lastError, restartsTotal } = await serverOf(panel, 'broken');
    expect(lastError).toMatchObject({ code: 'COMMAND_NOT_FOUND', remedy: expect.any(String) as string });
    expect(restartsTotal).toBe(0);
    await panel.page.getByRole('link', { name: 'Open broken' }).click();
    await panel.page.getByText(lastError!.remedy!).first().waitFor();
  });
});

describe('servers.json', () => {
  it('picks up an outside edit within a second, and restarts only the server that changed', async () => {
    const panel = await panelWith({ one: fixtureServer(), two: fixtureServer() });
    await running(panel, 'one', 'two');
    const before = await serverOf(panel, 'two');
    const servers = {
      one: fixtureServer('--name=changed'),
      two: { ...fixtureServer(), panel: { stopGraceMs: 4000, stopGraze: 1 } },
      three: fixtureServer(),
    };
    replaceFile(join(panel.home, 'servers.json'), JSON.stringify({ mcpServers: servers }));
    await running(panel, 'three');
    await waitUntil(
      'the changed name',
      async () => (await serverOf(panel, 'one')).serverInfo?.name === 'changed',
    );
    expect(await serverOf(panel, 'one')).toMatchObject({ generation: 2 });
    expect(await serverOf(panel, 'two')).toMatchObject({ generation: 1, pid: before.pid });
    expect(panel.stderr().join('\n')).toContain('mcpServers.two.panel.stopGraze is not a known setting');
  });

  it('reports a broken file with line and column, leaves it alone, and keeps what was in force', async () => {
    const panel = await panelWith({ one: fixtureServer() });
    await running(panel, 'one');
    const path = join(panel.home, 'servers.json');
    const broken = '{\n  "mcpServers": {\n    "one": { "command": \n  }\n';
    replaceFile(path, broken);
    await waitUntil(
      'the error in the snapshot',
      async () => (await panel.snapshot()).config.error?.line !== undefined,
    );
    await panel.page
      .getByText(/servers\.json/)
      .first()
      .waitFor();
    expect((await serverOf(panel, 'one')).state.kind).toBe('running');
    expect(await panel.call('putServer', { name: 'two', command: 'x' })).toMatchObject({
      rejected: { code: 'CONFIG_BROKEN' },
    });
    expect(readFileSync(path, 'utf8')).toBe(broken);
    expect(panel.stderr().join('\n')).toContain(`${path}:`);
    replaceFile(path, JSON.stringify({ mcpServers: { one: fixtureServer() } }));
    await waitUntil('the error to go', async () => (await panel.snapshot()).config.error === undefined);
  });

  it('adds and removes a server through the preload interface, keeping the comments of the file', async () => {
    const panel = await panelWith();
    await waitUntil('the empty state', async () => (await panel.snapshot()).servers.length === 0);
    const path = join(panel.home, 'servers.json');
    replaceFile(path, '{\n  // mine\n  "mcpServers": {}\n}\n');
    expect(await panel.call('putServer', { name: 'one', ...fixtureServer() })).toBeUndefined();
    await running(panel, 'one');
    expect(readFileSync(path, 'utf8')).toContain('// mine');
    expect(
      await panel.call('putServer', { name: 'one', command: 'x', panel: { limits: { maxMemoryMiB: -1 } } }),
    ).toMatchObject({
      rejected: { code: 'CONFIG_INVALID', message: expect.stringContaining('maxMemoryMiB') as string },
    });
    expect(await panel.call('removeServer', 'one')).toBeUndefined();
    expect(panel.serverProcesses()).toEqual([]);
    expect((await panel.snapshot()).servers).toEqual([]);
    expect(readFileSync(path, 'utf8')).toContain('// mine');
  });
});

// It comes last because the panel ends with it.
describe('quitting', () => {
  it('leaves no process and exits with 0, also when a server ignores everything', async () => {
    const stubborn = {
      ...fixtureServer('--ignore-eof', '--ignore-sigterm', '--detached-grandchild'),
      panel: { stopGraceMs: 200, killGraceMs: 200 },
    };
    const panel = await panelWith({ one: fixtureServer(), stubborn });
    await running(panel, 'one', 'stubborn');
    expect(panel.serverProcesses().length).toBeGreaterThanOrEqual(3);
    expect(await panel.terminate('SIGINT')).toBe(0);
    expect(panel.serverProcesses()).toEqual([]);
    expect(text(panel)).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z one starting$/m);
    expect(text(panel)).toMatch(/stubborn stopped/);
  });
});

const text = (panel: { stdout(): string[] }) => panel.stdout().join('\n');
