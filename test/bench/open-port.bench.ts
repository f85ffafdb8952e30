/**
 * How long clients find the gateway's port closed after a start: from the spawn of the process to the first connection that
 * is accepted, of the core alone and of the app, each with a dozen servers that start by themselves, beside a bare
 * Node.js program that listens. Launches take turns. Prints a table, and one line of JSON last. `--rounds=N` launches each N times.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { appEnvironment } from '../e2e/support/app-environment.ts';
import { electronCommand, openDisplay } from '../e2e/support/electron-command.ts';
import { fixtureServer } from '../fixtures/fixture-server.ts';
import { freePort } from '../fixtures/gateways/free-port.ts';
import { figure, inTurns, median, numberFlag, report } from './harness/figures.ts';
import { inFolder, numbered, writeHome } from '../support/homes.ts';

const SERVERS = 12;
const LIMIT_MS = 30_000;
const CORE = join(import.meta.dirname, '../../electron/core/headless.ts');

const display = await openDisplay();
const { executablePath, args } = await electronCommand();
const port = await freePort();
const LISTENER = `require('node:http').createServer().listen(${port}, '127.0.0.1')`;
try {
  await inFolder(async (folder) => {
    const servers = numbered(SERVERS, 'server', () => fixtureServer());
    const homeOf = (name: string) =>
      writeHome(join(folder, name), servers, { version: 1, gateway: { port } });
    const coreHome = homeOf('core');
    const env = appEnvironment(homeOf('app'), display.env, {});
    const starts = new Map<string, () => ChildProcess>([
      ['a bare program', () => spawn(process.execPath, ['-e', LISTENER], { stdio: 'ignore' })],
      ['the core', () => spawn(process.execPath, [CORE, '--home', coreHome], { stdio: 'ignore' })],
      ['the app', () => spawn(executablePath, args, { env, stdio: 'ignore' })],
    ]);
    const waits = new Map([...starts].map(([name, start]) => [name, () => untilOpen(start)]));
    const taken = await inTurns(waits, numberFlag('rounds', 7));
    report(
      'open-port',
      [...taken].map(([name, ms]) => figure(`${name}: start → port open (median)`, 'ms', median(ms))),
    );
  });
} finally {
  await display.end();
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
