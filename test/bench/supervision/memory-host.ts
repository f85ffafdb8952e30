/**
 * Core of a panel in a plain Node, without a window: `argv` is home, the number of servers in its
 * servers.json, and for how long they idle. Prints its private memory in bytes after garbage collection, and
 * ends its servers.
 */
import { randomBytes } from 'node:crypto';
import { homedir } from 'node:os';
import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { createPanel } from '../../../electron/core/panel/create-panel.ts';
import { readBootId } from '../../../electron/core/platform/boot-id.ts';
import { spawnDeathPipeWatcher } from '../../../electron/core/platform/death-pipe.ts';
import { processTableForPlatform } from '../../../electron/core/platform/process-system.ts';
import { runCommand } from '../../../electron/core/platform/run-command.ts';
import { signallerForPlatform } from '../../../electron/core/platform/signals.ts';
import { spawnChild } from '../../../electron/core/platform/spawner.ts';
import { systemClock } from '../../../electron/core/platform/system-clock.ts';

const START_LIMIT_MS = 60_000;

const [home = '', count = '0', idleMs = '0'] = process.argv.slice(2);

const panel = await createPanel({
  home,
  appVersion: '0.0.0',
  electronVersion: '0.0.0',
  clock: systemClock,
  wallClock: systemClock,
  random: Math.random,
  createToken: () => randomBytes(16).toString('hex'),
  randomBytes,
  table: processTableForPlatform(),
  signaller: signallerForPlatform(process.platform),
  spawner: spawnChild,
  run: runCommand,
  parentEnvironment: process.env,
  startMessageWorker: () => {
    throw new Error('no message here is long');
  },
  startConcurrency: 3,
  bootId: await readBootId(),
  ownPid: process.pid,
  asksQuestions: false,
  userHome: homedir(),
  loginPath: undefined,
  importEnvironment: { home: '/nowhere', platform: process.platform },
  spawnDeathPipeWatcher: () => spawnDeathPipeWatcher(),
});
panel.start();
await allRunning(Number(count));
await delay(Number(idleMs));
const bytes = await leastPrivateBytes();
const { servers } = panel.getSnapshot();
const restarts = servers.reduce((sum, server) => sum + server.restartsTotal, 0);
console.log(JSON.stringify({ bytes, restarts }));
await panel.dispose();

async function allRunning(expected: number): Promise<void> {
  const endMs = performance.now() + START_LIMIT_MS;
  const running = () => panel.getSnapshot().servers.filter(({ state }) => state.kind === 'running').length;
  while (running() < expected) {
    if (performance.now() > endMs) throw new Error(`only ${running()} of ${expected} servers came up`);
    await delay(100);
  }
}

/** Collects garbage as if memory were short, because what the collector keeps in reserve varies and would hide what we hold. */
async function leastPrivateBytes(): Promise<number> {
  let least = Infinity;
  for (let look = 0; look < 10; look += 1) {
    void globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
    await delay(200);
    least = Math.min(least, privateBytes());
  }
  return least;
}

function privateBytes(): number {
  const status = readFileSync('/proc/self/status', 'utf8');
  return Number(/^RssAnon:\s+(\d+)/m.exec(status)?.[1]) * 1024;
}
