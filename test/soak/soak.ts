import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { processesOfTest } from '../e2e/support/processes.ts';
import { BareClient } from '../fixtures/gateways/bare-client.ts';
import { createClients } from '../fixtures/gateways/own-gateway.ts';
import { SoakConfig } from './config.ts';
import { soakFleet } from './fleet.ts';
import { JournalReader } from './journal.ts';
import type { SoakOptions } from './options.ts';
import { SoakPanel } from './panel.ts';
import { SeededRandom } from './random.ts';
import type { CallRecord, SoakRecord, StateLine } from './record.ts';
import { torment } from './torment.ts';
import { Traffic } from './traffic.ts';
import { ProcessWatch } from './watch.ts';
import { World } from './world.ts';

const CLIENTS = 6;
const SESSIONS_EACH = 4;
const START_MS = 180_000;
const MORE_TIME_MS = 15 * 60_000;
const CALM_MS = 120_000;
const GONE_MS = 10_000;
const CALL_MS = 120_000;
const LOOK_MS = 250;

export interface SoakRun extends SoakOptions {
  readonly home: string;
  /** Mark in the environment of everything that is started. */
  readonly run: string;
  readonly displayEnv: Readonly<Record<string, string>>;
  /** Ends it early, and in order. */
  readonly interruption: AbortSignal;
}

/** Runs it and gives the record. The caller ends what is left, should this throw. */
export async function soak(options: SoakRun): Promise<SoakRecord> {
  const { home, run, minutes, seed, interruption } = options;
  const now = () => Date.now();
  const spanMs = minutes * 60_000;
  const lines: StateLine[] = [];
  const calls: CallRecord[] = [];
  const problems: string[] = [];
  const servers = soakFleet(spanMs + MORE_TIME_MS);
  const config = new SoakConfig(home, servers);
  const tokens = await createClients(home, CLIENTS + 1);
  const serverPids = () => processesOfTest(run).flatMap(({ pid, isServer }) => (isServer ? [pid] : []));
  const panel = await SoakPanel.create({
    ...options,
    onLine: (line) => {
      lines.push(line);
      world.take(line);
    },
  });
  const journal = new JournalReader(home);
  const random = new SeededRandom(seed);
  const world = new World({
    panel,
    servers,
    config,
    random,
    now,
    serverPids,
    newestEvents: journal.newest,
    problem: (sentence) => problems.push(sentence),
    onPanelStarted: () => traffic.fill(),
    callOnce: async (server, tool, args) => {
      const client = new BareClient({ url: panel.urlOf(server), token: tokens[CLIENTS]! });
      try {
        const opened = await client.open(CALL_MS);
        return opened.end === 'answered' ? await client.callTool(tool, args, CALL_MS) : opened;
      } finally {
        client.dispose();
      }
    },
  });
  const lateness = watchLateness();
  const traffic = new Traffic({
    urlOf: panel.urlOf,
    tokens: tokens.slice(0, CLIENTS),
    servers: servers.map(({ name }) => name),
    sessionsEach: SESSIONS_EACH,
    // Traffic draws numbers of its own, because how often it does depends on the machine.
    random: new SeededRandom(seed + 1),
    now,
    record: (call) => {
      calls.push(call);
      if (call.end !== 'answered' && call.end !== 'error') console.error(JSON.stringify(call));
    },
  });
  const watch = new ProcessWatch(panel, now);
  const areRunning = () => servers.every(({ name }) => world.stateOf(name)?.state === 'running');
  try {
    await panel.start();
    if (!(await world.until(areRunning, START_MS)))
      throw new Error(`not all servers started: ${panel.notices.join(' | ')}`);
    const startedAt = now();
    journal.start();
    watch.start(() => world.isPanelBusy);
    traffic.start();
    const endAt = startedAt + spanMs;
    await torment(world, () => (interruption.aborted ? 0 : endAt));
    if (!(await world.until(areRunning, CALM_MS)))
      problems.push('not all servers were running when all was calm again');
    await traffic.stop();
    await traffic.callAll();
    await watch.stop();
    const endedAt = now();
    // The stubborn ones are killed at the end, too.
    world.deeds.push({
      kind: 'end',
      server: null,
      at: endedAt,
      justifies: ['force-killed'],
      breaksCalls: true,
    });
    problems.push(...(await endPanel(panel, serverPids, home)));
    const events = await journal.stop();
    return {
      startedAt,
      endedAt,
      deeds: world.deeds,
      calls,
      lines,
      events,
      samples: watch.samples,
      problems,
      latenessMs: lateness.stop(),
    };
  } finally {
    lateness.stop();
    traffic.dispose();
  }
}

/** Asks the panel to end. @returns what it left */
async function endPanel(
  panel: SoakPanel,
  serverPids: () => readonly number[],
  home: string,
): Promise<readonly string[]> {
  const problems: string[] = [];
  const ended = await panel.end();
  if (ended !== 0) problems.push(`the panel ended with ${ended ?? 'nothing, and was killed'} in place of 0`);
  for (let waitedMs = 0; serverPids().length > 0 && waitedMs < GONE_MS; waitedMs += LOOK_MS)
    await sleep(LOOK_MS);
  const left = serverPids();
  if (left.length > 0) problems.push(`${left.length} processes of servers were left: ${left.join(', ')}`);
  const ledgers = readdirSync(join(home, 'ledger'));
  if (ledgers.length > 0) problems.push(`ledgers were left: ${ledgers.join(', ')}`);
  return problems;
}

/** The greatest delay of a timer of this process, which tells how busy the machine is. */
function watchLateness(): { stop(): number } {
  let greatestMs = 0;
  let last = performance.now();
  const timer = setInterval(() => {
    const next = performance.now();
    greatestMs = Math.max(greatestMs, next - last - LOOK_MS);
    last = next;
  }, LOOK_MS);
  return {
    stop: () => {
      clearInterval(timer);
      return greatestMs;
    },
  };
}
