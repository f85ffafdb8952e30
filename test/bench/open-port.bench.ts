/**
 * How long clients find the gateway's port closed after a start: from the spawn of the process to the first connection that
 * is accepted, of the core alone and of the app, each with a dozen servers that start by themselves, beside a bare
 * Node.js program that listens. Launches take turns. Prints a table, and one line of JSON last. `--rounds=N` launches each N times.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { appEnvironment } from '../e2e/support/app-environment.ts';
import { electronCommand, openDisplay } from '../e2e/support/electron-command.ts';
import { fixtureServer } from '../fixtures/fixture-server.ts';
import { freePort } from '../fixtures/gateways/free-port.ts';
import { median, report } from './supervision/figures.ts';

const ROUNDS = 7;
const SERVERS = 12;
const LIMIT_MS = 30_000;
const CORE = join(import.meta.dirname, '../../electron/core/headless.ts');

const rounds = Number(process.argv.find((arg) => arg.startsWith('--rounds='))?.slice(9) ?? ROUNDS);
const folder = mkdtempSync(join(tmpdir(), 'open-port-bench-'));
const display = await openDisplay();
const { executablePath, args } = await electronCommand();
const port = await freePort();
const LISTENER = `require('node:http').createServer().listen(${port}, '127.0.0.1')`;
const coreHome = homeOf('core');
const appHome = homeOf('app');
const starts = new Map<string, () => ChildProcess>([
  ['a bare program', () => spawn(process.execPath, ['-e', LISTENER], { stdio: 'ignore' })],
  ['the core', () => spawn(process.execPath, [CORE, '--home', coreHome], { stdio: 'ignore' })],
  [
    'the app',
    () => spawn(executablePath, args, { env: appEnvironment(appHome, display.env, {}), stdio: 'ignore' }),
  ],
]);
try {
  const taken = new Map<string, number[]>([...starts.keys()].map((name) => [name, []]));
  for (let round = 0; round <= rounds; round += 1)
    for (const [name, start] of starts) {
      const ms = await untilOpen(start);
      // The first round is not counted, because it fills the disk cache.
      if (round > 0) taken.get(name)?.push(ms);
    }
  const figures = [...taken].map(([name, ms]) => ({
    what: `${name}: start → port open (median)`,
    unit: 'ms',
    measured: median(ms),
  }));
  report('open-port', figures, []);
} finally {
  await display.end();
  rmSync(folder, { recursive: true, force: true });
}

function homeOf(name: string): string {
  const home = join(folder, name);
  mkdirSync(home);
  const servers = Array.from(
    { length: SERVERS },
    (_, index) => [`server-${index}`, fixtureServer()] as const,
  );
  writeFileSync(join(home, 'servers.json'), JSON.stringify({ mcpServers: Object.fromEntries(servers) }));
  writeFileSync(join(home, 'settings.json'), JSON.stringify({ version: 1, gateway: { port } }));
  return home;
}

async function untilOpen(start: () => ChildProcess): Promise<number> {
  const startMs = performance.now();
  const child = start();
  const exited = once(child, 'exit');
  try {
    while (!(await accepts())) {
      if (performance.now() - startMs > LIMIT_MS) throw new Error(`not open within ${LIMIT_MS} ms`);
      await sleep(1);
    }
    return performance.now() - startMs;
  } finally {
    child.kill('SIGTERM');
    await exited;
  }
}

async function accepts(): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
