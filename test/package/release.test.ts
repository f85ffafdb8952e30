import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { usePanels, type LaunchOptions, type StartedPanel } from '../e2e/harness.ts';
import { waitUntil } from '../e2e/support/wait-until.ts';
import { KeptHome } from '../core/doorkeeper/kept-home.ts';
import { fixtureServer } from '../fixtures/fixture-server.ts';
import { packages } from './packages.ts';
import { tempFolder } from '../support/temp-folder.ts';

const release = usePanels('each', () => packages().release);
const testFlavour = usePanels('each', () => packages().test);

const servers = { one: fixtureServer() };
const STATE_LINE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z one (stopped|starting|running|stopping)( .+)?$/;

const running = async (panel: StartedPanel) => {
  await waitUntil('the server to run', () => panel.stdout().some((line) => / one running\b/.test(line)));
  return panel;
};
const start = (options: LaunchOptions = {}) => running(release.start({ servers, ...options }));

const tellsOfDebugger = (line: string) => /listening on ws:/.test(line);

/** Port of this machine that nobody listens on. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

const isOpen = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });

/** Main processes of the release that run, with their command lines, which Chromium writes as one text. */
const mainProcesses = () =>
  readdirSync('/proc').flatMap((pid) => {
    try {
      const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
      const isMain = line.startsWith(`${packages().release.executablePath} `) && !line.includes(' --type=');
      return isMain ? [{ pid: Number(pid), line }] : [];
    } catch {
      return []; // It has ended since.
    }
  });

describe('the release flavour', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)(
    'prints its states and ends on %s with exit code 0',
    async (signal) => {
      const panel = await start();
      expect(await panel.terminate(signal)).toBe(0);
      for (const line of panel.stdout()) expect(line).toMatch(STATE_LINE);
      expect(panel.stdout().at(-1)).toMatch(/ one stopped\b/);
      expect(panel.serverProcesses()).toEqual([]);
    },
  );

  it('keeps its history in a database', async () => {
    const panel = await start();
    const { home } = panel;
    expect(await panel.terminate()).toBe(0);
    expect(readFileSync(join(home, 'history.db')).subarray(0, 15).toString()).toBe('SQLite format 3');
    expect(panel.stderr().filter((line) => /history/i.test(line))).toEqual([]);
  });

  it('brings one archive, native parts for its own system alone, and no update feed', () => {
    const resources = join(dirname(packages().release.executablePath), 'resources');
    expect(readdirSync(resources).sort()).toEqual(['app.asar', 'bridge', 'keyring', 'sqlite']);
    const system = `${process.platform}_${process.arch}`;
    for (const library of ['keyring', 'sqlite'])
      expect(readdirSync(join(resources, library), { recursive: true }).map(String)).toEqual([
        system,
        join(system, `${library}.node`),
      ]);
    // A megabyte of it is the library of Kubernetes, which only a server on a cluster loads.
    expect(statSync(join(resources, 'app.asar')).size).toBeLessThan(8 * 1024 * 1024);
  });

  it('is started again, hidden, by a call after it died, where a user allowed that; a signal ends all', async () => {
    const kept = await KeptHome.create({ startWithClients: true });
    try {
      const panel = await running(
        release.start({ home: kept.home, env: { MCP_CONTROL_PANEL_TEST: '', SHELL: '/bin/sh' } }),
      );
      await kept.isKept();
      await kept.greet();
      process.kill(panel.pid, 'SIGKILL');
      await kept.held(5000);
      expect(JSON.stringify((await kept.echo('held')).body.result)).toContain('held');
      const [again] = mainProcesses();
      expect(again?.line).toContain(' --hidden ');
      await kept.isKept();
      process.kill(again!.pid, 'SIGTERM');
      await waitUntil('all to end', () => mainProcesses().length + kept.keepers().length === 0);
      expect(kept.calls()).toEqual(['held']);
    } finally {
      await kept.dispose();
    }
  });

  it('opens no debugger by argument, where the test flavour does', async () => {
    const [inspector, pages] = [await freePort(), await freePort()];
    const args = [`--inspect=127.0.0.1:${inspector}`, `--remote-debugging-port=${pages}`];
    const control = await running(testFlavour.start({ servers, args }));
    for (const port of [inspector, pages]) await waitUntil(`port ${port}`, () => isOpen(port));
    await control.terminate();

    const panel = await start({ args });
    for (const port of [inspector, pages]) expect(await isOpen(port)).toBe(false);
    expect(await panel.terminate()).toBe(0);
    expect(panel.stderr().filter(tellsOfDebugger)).toEqual([]);
  });

  it('opens no debugger by signal: USR1 ends it as it ends any program, and its server with it', async () => {
    const panel = await start();
    process.kill(panel.pid, 'SIGUSR1');
    await waitUntil('the app to end', () => panel.exitCode() !== undefined);
    expect(panel.stderr().filter(tellsOfDebugger)).toEqual([]);
    await waitUntil('the server to end', () => panel.serverProcesses().length === 0);
  });

  it('is no Node for others, and loads nothing that a variable names', async () => {
    const folder = tempFolder('mcp-control-panel-foreign-');
    const script = join(folder, 'foreign.cjs');
    writeFileSync(script, `require('node:fs').writeFileSync(${JSON.stringify(`${script}.ran`)}, '')`);
    const panel = await start({
      args: ['-e', `require(${JSON.stringify(script)})`],
      env: { ELECTRON_RUN_AS_NODE: '1', NODE_OPTIONS: `--require=${script}` },
    });
    expect(await panel.terminate()).toBe(0);
    expect(readdirSync(folder)).toEqual(['foreign.cjs']);
  });

  it('asks before it runs what another program adds, whatever a variable says, where the test flavour agrees', async () => {
    const env = { MCP_CONTROL_PANEL_TEST: '1', MCP_CONTROL_PANEL_CONSENT: 'agree' };
    for (const [flavour, kind] of [
      [release, 'failed'],
      [testFlavour, 'running'],
    ] as const) {
      const panel = await running(flavour.start({ servers, env }));
      const mcpServers = { ...servers, two: fixtureServer() };
      writeFileSync(join(panel.home, 'servers.json'), JSON.stringify({ mcpServers }));
      const ends = () => panel.stdout().filter((line) => / two (?:failed|running)\b/.test(line));
      await waitUntil('the end of its start', () => ends().length > 0);
      expect(ends()).toEqual([expect.stringContaining(` two ${kind}`)]);
      await panel.terminate();
    }
  });

  it('takes no folder in the place of its archive', async () => {
    const folder = join(dirname(packages().release.executablePath), 'resources', 'app');
    mkdirSync(folder);
    try {
      writeFileSync(join(folder, 'package.json'), '{"main":"main.cjs"}');
      writeFileSync(join(folder, 'main.cjs'), 'process.exit(7)');
      expect(await (await start()).terminate()).toBe(0);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
