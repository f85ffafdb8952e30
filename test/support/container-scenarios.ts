import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { findPrlimit, markingSpawner } from '../../electron/core/platform/marking-spawner.ts';
import type { ControlPanelOptions } from '../../electron/core/panel/panel-options.ts';
import { runCommand } from '../../electron/core/platform/run-command.ts';
import { spawnChild } from '../../electron/core/platform/spawner.ts';
import { openTestPanel, type TestPanel } from '../core/panel/open-test-panel.ts';
import { tempFolder } from './temp-folder.ts';

export interface EngineUnderTest {
  /** Command of the engine's client. */
  readonly command: string;
  /** Arguments that run the fixture server with these flags in a container, after `run -i --rm`. */
  readonly server: (...flags: string[]) => readonly string[];
  /** Environment variables of the entry. */
  readonly env: Readonly<Record<string, string>>;
  /** Time limit of a test and of each command of the engine, in ms. */
  readonly limitMs: number;
}

export const STUBBORN = ['--ignore-sigterm', '--ignore-eof'];
const HEADLESS = join(import.meta.dirname, '../../electron/core/headless.ts');
const prlimit = findPrlimit(runCommand);

/** Entry of a server in a container. */
export interface ContainerEntry {
  /** Flags of the fixture server. */
  readonly flags?: readonly string[];
  /** Options of `run`. */
  readonly options?: readonly string[];
  readonly panel?: object;
}

/** What tests of containers share on one engine. */
export function containerBench({ command, env: own, server, limitMs }: EngineUnderTest) {
  const env = { ...process.env, ...own };
  const ask = (...args: readonly string[]) => runCommand(command, args, { env, timeoutMs: limitMs });
  const listed = async () => {
    const ids = await ask('ps', '-a', '-q', '--no-trunc');
    return ids.split('\n').filter((id) => id !== '');
  };
  const entry = ({ flags = [], options = [], panel }: ContainerEntry) => ({
    command,
    args: ['run', '-i', '--rm', ...options, ...server(...flags)],
    env: own,
    panel: { stopGraceMs: 300, killGraceMs: 300, restart: { initialBackoffMs: 100 }, ...panel },
  });

  /** Container of another program; it must still exist after the test. */
  async function holdAnothers(): Promise<readonly string[]> {
    // Containers of others may come meanwhile: only the one with this label is the test's.
    const label = `mcp-control-panel-test=${randomUUID()}`;
    // A name of a server of ours in a label proves nothing.
    const labels = ['--label', label, '--label', 'mcp-control-panel.server=box'];
    const args = ['run', '-i', '--rm', ...labels, ...server('--ignore-eof')];
    const client = spawn(command, args, { env, stdio: ['pipe', 'ignore', 'ignore'] });
    const findOwn = async () => {
      const ids = await ask('ps', '-a', '-q', '--no-trunc', '--filter', `label=${label}`);
      return ids.split('\n').filter((id) => id !== '');
    };
    onTestFinished(async () => {
      for (const id of await findOwn()) await ask('rm', '-f', id).catch(() => '');
      client.kill('SIGKILL');
    }, limitMs);
    await until(async () => (await findOwn()).length === 1, limitMs);
    return await listed();
  }

  /** @param boxes entries by the name of the server */
  async function openPanel(
    boxes: Readonly<Record<string, ContainerEntry>>,
    changes: Partial<ControlPanelOptions> = {},
  ): Promise<TestPanel> {
    const spawner = markingSpawner(spawnChild, () => prlimit);
    const entries = Object.fromEntries(Object.entries(boxes).map(([name, box]) => [name, entry(box)]));
    const opened = await openTestPanel(entries, { spawner, ...changes });
    let disposal: Promise<void> | undefined;
    const dispose = () => (disposal ??= opened.dispose());
    onTestFinished(dispose, limitMs);
    opened.panel.start();
    return { ...opened, dispose };
  }

  return { ask, entry, env, holdAnothers, limitMs, listed, openPanel };
}

/** Tests for any engine: no container of ours is left, and no other container is touched. */
export function testContainers(engine: EngineUnderTest): void {
  const { entry, env, holdAnothers, limitMs, listed, openPanel } = containerBench(engine);

  it(
    'leaves no container of a stubborn server after restarts and a stop',
    { timeout: 12 * limitMs },
    async () => {
      const anothers = await holdAnothers();
      const { home, panel } = await openPanel({ box: { flags: STUBBORN } });
      await panel.servers.start('box');
      expect((await listed()).length).toBe(anothers.length + 1);
      for (let restart = 0; restart < 9; restart += 1) await panel.servers.restart('box');
      expect((await listed()).length).toBe(anothers.length + 1);
      await panel.servers.stop('box');
      expect(await listed()).toEqual(anothers);
      expect(readdirSync(join(home, 'containers'))).toEqual([]);
    },
  );

  it(
    'leaves none where the client was killed, nor where the stop came in the midst of a start',
    { timeout: 12 * limitMs },
    async () => {
      const anothers = await holdAnothers();
      const { panel } = await openPanel({ box: { flags: STUBBORN } });
      await panel.servers.start('box');
      for (let round = 0; round < 2; round += 1) {
        const { generation, pid = 0 } = panel.getSnapshot().servers[0] ?? {};
        process.kill(pid, 'SIGKILL');
        const isBack = () => {
          const [box] = panel.getSnapshot().servers;
          return box?.state.kind === 'running' && box.generation !== generation;
        };
        await until(() => Promise.resolve(isBack()), limitMs);
      }
      expect((await listed()).length).toBe(anothers.length + 1);
      for (const afterMs of [0, 100, 300, 600]) {
        await panel.servers.stop('box');
        const start = panel.servers.start('box').catch(() => undefined);
        await new Promise((resolve) => setTimeout(resolve, afterMs));
        await panel.servers.stop('box');
        await start;
      }
      expect(await listed()).toEqual(anothers);
    },
  );

  it(
    'leaves none of a panel that was killed, by its helper or by the next start',
    { timeout: 12 * limitMs },
    async () => {
      const anothers = await holdAnothers();
      const home = tempFolder('containers-');
      // Two panels under test may run side by side.
      writeFileSync(join(home, 'settings.json'), JSON.stringify({ gateway: { enabled: false } }));
      const write = (mcpServers: object) =>
        writeFileSync(join(home, 'servers.json'), JSON.stringify({ mcpServers }));
      write({ box: entry({ flags: STUBBORN }) });
      for (const hasHelper of [true, false]) {
        const panel = startHeadless(home, env);
        await until(() => Promise.resolve(panel.output().includes('box running')), limitMs);
        if (!hasHelper) for (const pid of helpersOf(panel.child.pid ?? 0)) process.kill(pid, 'SIGKILL');
        panel.child.kill('SIGKILL');
        await once(panel.child, 'close');
        if (hasHelper) await until(async () => (await listed()).length === anothers.length, limitMs);
        else expect((await listed()).length).toBe(anothers.length + 1);
      }
      // The entry was removed meanwhile; containers of its last run are ended all the same.
      write({});
      const next = startHeadless(home, env);
      await until(async () => (await listed()).length === anothers.length, 2 * limitMs);
      expect(await listed()).toEqual(anothers);
      await until(() => Promise.resolve(next.output().includes('box: ended container')), limitMs);
      next.child.kill('SIGTERM');
      await once(next.child, 'close');
    },
  );
}

/** Pids of the helpers that end the servers of a panel that dies. */
function helpersOf(pid: number): readonly number[] {
  const listing = execFileSync('ps', ['-A', '-o', 'pid=', '-o', 'ppid=', '-o', 'args='], {
    encoding: 'utf8',
  });
  const helpers = listing.split('\n').filter((line) => line.includes('mcp-control-panel-death-pipe'));
  return helpers
    .map((line) => line.trim().split(/\s+/).map(Number))
    .flatMap(([own = 0, parent]) => (parent === pid ? [own] : []));
}

function startHeadless(home: string, env: NodeJS.ProcessEnv): { child: ChildProcess; output: () => string } {
  const child = spawn(process.execPath, [HEADLESS, '--home', home], {
    env: { ...env, SHELL: '/bin/sh' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => (text += part));
  onTestFinished(() => void child.kill('SIGKILL'));
  return { child, output: () => text };
}

/** Kills a panel with one server on an engine elsewhere, and starts the next, which ends politely. @param id of what runs the server */
export async function adoptByNextPanel(
  home: string,
  env: NodeJS.ProcessEnv,
  id: () => unknown,
  limitMs: number,
) {
  const start = async () => {
    const { child, output } = startHeadless(home, env);
    await until(() => Promise.resolve(output().includes('running')), limitMs);
    return child;
  };
  const first = await start();
  const before = await id();
  first.kill('SIGKILL');
  await once(first, 'close');
  const second = await start();
  expect(await id()).toEqual(before);
  second.kill('SIGTERM');
  await once(second, 'close');
}

/** What a test sees of one server of a panel, and asks of it. @param limitMs for what it waits for */
export function watchServer(panel: TestPanel['panel'], name: string, limitMs: number) {
  return {
    view: () => panel.getSnapshot().servers.find((server) => server.name === name)!,
    events: (kind: string) => panel.getSnapshot().events.filter((event) => event.kind === kind),
    call: (tool: string, args: object = {}) => {
      const params = { name: tool, arguments: { ...args } };
      return panel.sessions.call({ callId: randomUUID(), name, method: 'tools/call', params });
    },
    shows: (isSo: () => boolean) => until(() => Promise.resolve(isSo()), limitMs),
  };
}

export async function until(isSo: () => Promise<boolean>, limitMs: number): Promise<void> {
  const end = performance.now() + limitMs;
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error(`not within ${limitMs} ms: ${isSo.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
