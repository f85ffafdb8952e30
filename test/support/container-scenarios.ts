import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { findPrlimit, markingSpawner } from '../../electron/core/platform/marking-spawner.ts';
import { runCommand } from '../../electron/core/platform/run-command.ts';
import { spawnChild } from '../../electron/core/platform/spawner.ts';
import { openTestPanel, type TestPanel } from '../core/panel/open-test-panel.ts';

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

const STUBBORN = ['--ignore-sigterm', '--ignore-eof'];
const HEADLESS = join(import.meta.dirname, '../../electron/core/headless.ts');
const prlimit = findPrlimit(runCommand);

/** Tests for any engine: no container of ours is left, and no other container is touched. */
export function testContainers(engine: EngineUnderTest): void {
  const { command, limitMs } = engine;
  const env = { ...process.env, ...engine.env };
  const listed = async () => {
    const ids = await runCommand(command, ['ps', '-a', '-q', '--no-trunc'], { env, timeoutMs: limitMs });
    return ids.split('\n').filter((id) => id !== '');
  };
  const entry = (...flags: string[]) => ({
    command,
    args: ['run', '-i', '--rm', ...engine.server(...flags)],
    env: engine.env,
    panel: { stopGraceMs: 300, killGraceMs: 300, restart: { initialBackoffMs: 100 } },
  });

  /** Container of another program; it must still exist after the test. */
  async function holdAnothers(): Promise<readonly string[]> {
    const before = await listed();
    const args = ['run', '-i', '--rm', ...engine.server('--ignore-eof')];
    const client = spawn(command, args, { env, stdio: ['pipe', 'ignore', 'ignore'] });
    const findOwn = async () => (await listed()).filter((id) => !before.includes(id));
    onTestFinished(async () => {
      for (const id of await findOwn())
        await runCommand(command, ['rm', '-f', id], { env, timeoutMs: limitMs }).catch(() => '');
      client.kill('SIGKILL');
    }, limitMs);
    await until(async () => (await findOwn()).length === 1, limitMs);
    return await listed();
  }

  async function openPanel(...flags: string[]): Promise<TestPanel> {
    const spawner = markingSpawner(spawnChild, () => prlimit);
    const opened = await openTestPanel({ box: entry(...flags) }, { spawner });
    onTestFinished(() => opened.dispose(), limitMs);
    return opened;
  }

  it(
    'leaves no container of a stubborn server after restarts and a stop',
    { timeout: 12 * limitMs },
    async () => {
      const anothers = await holdAnothers();
      const { home, panel } = await openPanel(...STUBBORN);
      panel.start();
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
      const { panel } = await openPanel(...STUBBORN);
      panel.start();
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

  it('leaves none after the next start of a panel that was killed', { timeout: 8 * limitMs }, async () => {
    const anothers = await holdAnothers();
    const home = mkdtempSync(join(tmpdir(), 'containers-'));
    onTestFinished(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }));
    // Two panels under test may run side by side.
    writeFileSync(join(home, 'settings.json'), JSON.stringify({ gateway: { enabled: false } }));
    const write = (mcpServers: object) =>
      writeFileSync(join(home, 'servers.json'), JSON.stringify({ mcpServers }));
    write({ box: entry(...STUBBORN) });
    const first = startHeadless(home, env);
    await until(() => Promise.resolve(first.output().includes('box running')), limitMs);
    first.child.kill('SIGKILL');
    await once(first.child, 'close');
    // The entry was removed meanwhile; containers of its last run are ended all the same.
    write({});
    const second = startHeadless(home, env);
    await until(async () => (await listed()).length === anothers.length, 2 * limitMs);
    expect(await listed()).toEqual(anothers);
    await until(() => Promise.resolve(second.output().includes('box: ended container')), limitMs);
    second.child.kill('SIGTERM');
    await once(second.child, 'close');
  });
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

async function until(isSo: () => Promise<boolean>, limitMs: number): Promise<void> {
  const end = performance.now() + limitMs;
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error(`not within ${limitMs} ms: ${isSo.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
