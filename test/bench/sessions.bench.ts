/**
 * Cost of the session manager, and whether it keeps its promises: 10 000 acquires at once over 1 000 contexts
 * and 10 servers, the cost of one acquire and release of an open session, and 1 000 changing headers, each a
 * server of its own to the manager. No process and no network: connects take a turn of the loop. Then what a
 * call costs over a lease, beside a bare request of the connection. Prints a table, and one line of JSON
 * last.
 */
import { performance } from 'node:perf_hooks';
import { setImmediate } from 'node:timers/promises';
import type { Lease } from '../../electron/core/sessions/lease.ts';
import { SessionManager } from '../../electron/core/sessions/session-manager.ts';
import { FakeConnection } from '../core/sessions/fake-servers.ts';
import { defaultPanelSettings } from '../../shared/panel-settings.ts';
import type { RemoteServerConfig } from '../../shared/server-config.ts';
import { createFakeClock } from '../core/fake-clock.ts';
import { measureLeases } from './requests/lease-cost.ts';
import { figure, median, report } from './harness/figures.ts';

const ACQUIRES = 10_000;
const CONTEXTS = 1000;
const KEYS = 10;
const HEADERS = 1000;
const WARM_ROUNDS = 5;
const IDLE_MS = 1000;
const SWEEP_MS = 100;
const MIB = 2 ** 20;

type Bench = ReturnType<typeof createBench>;

function createBench() {
  const clock = createFakeClock();
  const counted = { connects: 0 };
  const manager = new SessionManager({
    clock,
    idleTimeoutMs: IDLE_MS,
    sweepIntervalMs: SWEEP_MS,
    connect: async () => {
      counted.connects += 1;
      await setImmediate();
      return new FakeConnection();
    },
  });
  return { clock, manager, counted };
}

function remote(index: number, headers: Record<string, string> = {}): RemoteServerConfig {
  const url = `http://127.0.0.1:1/servers/${index}`;
  const base = { name: `server-${index}`, enabled: true, panel: defaultPanelSettings };
  return { ...base, transport: 'http', url, headers };
}

/** Acquires everything at once, so that no lease exists when the last one is requested. */
async function acquireAtOnce({ manager }: Bench) {
  const configs = Array.from({ length: KEYS }, (_, index) => remote(index));
  const startedMs = performance.now();
  const outcomes = await Promise.allSettled(
    Array.from({ length: ACQUIRES }, (_, index) =>
      manager.acquire(`context ${index % CONTEXTS}`, configs[index % KEYS]!),
    ),
  );
  const tookMs = performance.now() - startedMs;
  const leases = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  return { tookMs, failures: outcomes.length - leases.length, leases };
}

async function releaseAll(leases: readonly Lease[], { clock, manager }: Bench): Promise<number> {
  await Promise.all(leases.map((lease) => lease.release()));
  await clock.advance(IDLE_MS + 2 * SWEEP_MS);
  return manager.size + clock.pending;
}

/** Microseconds for one acquire and release of a session that is open, one after the other. */
async function warmAcquire({ manager }: Bench): Promise<number> {
  const config = remote(0);
  const holder = await manager.acquire('holder', config);
  const rounds: number[] = [];
  for (let round = 0; round < WARM_ROUNDS; round += 1) {
    const startedMs = performance.now();
    for (let index = 0; index < ACQUIRES; index += 1)
      await (await manager.acquire(`context ${index % CONTEXTS}`, config)).release();
    rounds.push(((performance.now() - startedMs) / ACQUIRES) * 1000);
  }
  await holder.release();
  return median(rounds);
}

/** Rotates a token in a header, which makes another server of it: none of them may be kept. */
async function rotateHeaders(bench: Bench): Promise<number> {
  const leases: Lease[] = [];
  for (let index = 0; index < HEADERS; index += 1) {
    const config = remote(0, { authorization: `Bearer ${index}` });
    leases.push(await bench.manager.acquire('context', config));
  }
  return releaseAll(leases, bench);
}

function heapBytes(): number {
  globalThis.gc?.();
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

/** Memory still held by one whole round after everything was released and ran idle. */
async function measureHeld(): Promise<number> {
  const bench = createBench();
  const round = async () => {
    await releaseAll((await acquireAtOnce(bench)).leases, bench);
    await rotateHeaders(bench);
  };
  // The first rounds are not counted, because they fill what the runtime keeps for itself.
  await round();
  await round();
  const before = heapBytes();
  await round();
  await setImmediate();
  return heapBytes() - before;
}

const bench = createBench();
const { tookMs, failures, leases } = await acquireAtOnce(bench);
const { connects } = bench.counted;
const leftAfterRelease = await releaseAll(leases, bench);
const warmUs = await warmAcquire(createBench());
const rotating = createBench();
const leftAfterRotation = await rotateHeaders(rotating);
const heldBytes = await measureHeld();
const leaseFigures = await measureLeases();

const together = `${ACQUIRES} acquires at once, ${CONTEXTS} contexts, ${KEYS} servers`;
const figures = [
  figure(`${together}: failures`, 'count', failures, 0),
  figure('  connects', 'count', connects, KEYS),
  figure('  until the last has its lease', 'ms', tookMs),
  figure('  keys and timers left when all ran idle', 'count', leftAfterRelease, 0),
  figure('acquire and release of an open session', 'µs', warmUs),
  figure(`${HEADERS} changing headers: keys and timers left`, 'count', leftAfterRotation, 0),
  figure('memory held after a round of all this', 'MiB', heldBytes / MIB, 1),
  ...leaseFigures,
];
report(
  'sessions',
  figures,
  rotating.counted.connects === HEADERS ? [] : [`connects: ${rotating.counted.connects}`],
);
