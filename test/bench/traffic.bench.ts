/**
 * Messages that a window costs: bytes and number of the pushes of 100 idle servers, and of 25 calls a second
 * to one of them, each over ten seconds. Prints a table, and one line of JSON last; exit code 1 when a budget
 * is missed. `TRAFFIC_SERVERS` and `TRAFFIC_SECONDS` change the size.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Push } from '../../shared/domain.ts';
import { openTestPanel } from '../core/panel/open-test-panel.ts';
import { eventually } from '../core/support/eventually.ts';
import { tinyServer } from '../fixtures/fixture-server.ts';
import { figure, report } from './harness/figures.ts';

const SERVERS = Number(process.env['TRAFFIC_SERVERS'] ?? 100);
const SECONDS = Number(process.env['TRAFFIC_SECONDS'] ?? 10);
const CALLS_PER_S = 25;
const START_LIMIT_MS = 120_000;
const SETTLE_MS = 12_000;
const BYTES_PER_KIB = 1024;
const BUDGETS = { kibPerS: 24, pushesPerS: 1.5 };

const names = Array.from({ length: SERVERS }, (_, index) => `server-${String(index).padStart(3, '0')}`);
const opened = await openTestPanel(Object.fromEntries(names.map((name) => [name, tinyServer(name)])));
const { panel } = opened;
try {
  panel.start();
  await eventually(areRunning, undefined, START_LIMIT_MS);
  // By then the servers have answered their first checks, which come more often than later ones.
  await delay(SETTLE_MS);
  const idle = await trafficDuring(() => delay(SECONDS * 1000));
  const calling = await trafficDuring(() => callFor(SECONDS));
  report('traffic', [
    figure(`${SERVERS} idle servers`, 'KiB/s', idle.kibPerS, BUDGETS.kibPerS),
    figure(`${SERVERS} idle servers`, 'pushes/s', idle.pushesPerS, BUDGETS.pushesPerS),
    figure(`and ${CALLS_PER_S} calls/s to one`, 'KiB/s', calling.kibPerS, BUDGETS.kibPerS),
    figure(`and ${CALLS_PER_S} calls/s to one`, 'pushes/s', calling.pushesPerS, BUDGETS.pushesPerS),
  ]);
} finally {
  await opened.dispose();
}

function areRunning(): boolean {
  return panel.getSnapshot().servers.every(({ state }) => state.kind === 'running');
}

async function trafficDuring(wait: () => Promise<void>): Promise<{ kibPerS: number; pushesPerS: number }> {
  const pushes: Push[] = [];
  const stop = panel.onPush((push) => pushes.push(push));
  const beganMs = performance.now();
  await wait();
  const seconds = (performance.now() - beganMs) / 1000;
  stop();
  const bytes = pushes.reduce((sum, push) => sum + Buffer.byteLength(JSON.stringify(push)), 0);
  return { kibPerS: bytes / BYTES_PER_KIB / seconds, pushesPerS: pushes.length / seconds };
}

/** Calls one after the other, at a steady pace. */
async function callFor(seconds: number): Promise<void> {
  const beganMs = performance.now();
  for (let index = 0; index < CALLS_PER_S * seconds; index += 1) {
    const params = { name: 'anything', arguments: {} };
    const call = { callId: `call-${index}`, context: 'bench', name: names[0]!, params };
    await panel.sessions.call({ ...call, method: 'tools/call' });
    await delay(Math.max(0, beganMs + ((index + 1) * 1000) / CALLS_PER_S - performance.now()));
  }
}
