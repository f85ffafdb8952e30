import { CurrentTask } from '../../../electron/core/current-task.ts';
import { ServerTelemetry } from '../../../electron/core/telemetry/server-telemetry.ts';
import type { FakeClock } from '../fake-clock.ts';
import { LISTING_MS, SlowMachine, slowPanelTable, type ListingSystem } from './slow-machine.ts';

export interface WatchOptions {
  readonly system: ListingSystem;
  /** Servers, each a wrapper with the real server below it. */
  readonly servers: number;
  /** The window shows the processes of one server, and asks for them each second. Else nobody asks, hidden or not. */
  readonly showsProcesses: boolean;
}

export interface WatchFigures {
  readonly listingsPerMinute: number;
  /** Share of time in which some listing is running. */
  readonly listingPercent: number;
  /** CPU of the listings if they compute all the time that they take; 100 is one core. */
  readonly mostCpuPercent: number;
  readonly samplesPerMinute: number;
}

const SETTLING_MS = 20_000;
const WATCHED_MINUTES = 5;
const MINUTE_MS = 60_000;
/** Time moves in steps, because a look takes several turns of the loop to come to its end. */
const STEP_MS = 20;
/** The clock of the page, which asks one question at a time. */
const PAGE_TICK_MS = 1000;

/** Watches servers that do nothing, on a machine where each look at the processes takes `LISTING_MS`. */
export async function simulateWatch({
  system,
  servers,
  showsProcesses,
}: WatchOptions): Promise<WatchFigures> {
  const machine = new SlowMachine();
  const { clock } = machine;
  const table = slowPanelTable(system, machine);
  let samples = 0;
  const instances = Array.from({ length: servers }, (_, index) => {
    const { pid } = machine.spawn(1000 + 10 * index, false);
    const sampled = () => (samples += 1);
    const config = { transport: 'stdio' as const };
    return { name: `server ${index}`, config, run: { pid }, connection: undefined, sampled };
  });
  const telemetry = new ServerTelemetry({
    clock,
    wallClock: clock,
    currentTask: new CurrentTask(clock),
    table,
    supervisors: () => instances,
    onSampled: () => undefined,
    onTickDone: () => undefined,
    onError: (error) => {
      throw error;
    },
  });
  telemetry.poke();
  const ask = () => table.describe?.(telemetry.processes('server 0').flatMap(({ processes }) => processes));
  const page = showsProcesses ? follow(clock, ask) : undefined;
  await pass(clock, SETTLING_MS);
  const before = { listings: machine.listings, listingMs: machine.listingMs };
  samples = 0;
  await pass(clock, WATCHED_MINUTES * MINUTE_MS);
  const listings = machine.listings - before.listings;
  const figures = {
    listingsPerMinute: listings / WATCHED_MINUTES,
    listingPercent: percentOfTime(machine.listingMs - before.listingMs),
    mostCpuPercent: percentOfTime(listings * LISTING_MS),
    samplesPerMinute: samples / servers / WATCHED_MINUTES,
  };
  page?.dispose();
  telemetry.dispose();
  table.dispose();
  return figures;
}

const percentOfTime = (ms: number) => (100 * ms) / (WATCHED_MINUTES * MINUTE_MS);

async function pass(clock: FakeClock, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += STEP_MS) await clock.advance(STEP_MS);
}

/** Asks at every tick of the page for which the last answer is there. */
function follow(clock: FakeClock, ask: () => Promise<unknown> | undefined) {
  let isAsking = false;
  let timer = clock.setTimeout(tick, PAGE_TICK_MS);
  function tick(): void {
    timer = clock.setTimeout(tick, PAGE_TICK_MS);
    if (isAsking) return;
    isAsking = true;
    void Promise.resolve(ask()).finally(() => (isAsking = false));
  }
  return { dispose: () => timer.dispose() };
}
