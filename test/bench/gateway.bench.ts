/**
 * What a call through the gateway costs, beside two floors, a bare HTTP responder and a bare relay in front of one stdio
 * server, for the app that relay in the app's runtime as well, and beside the gateways of others, which are fetched from npm and left out, with a notice, where that cannot be, or
 * with `--alone`. The targets take turns; those of others are stopped while they are not measured. Clients share 20 tokens,
 * as programs of the SDK and as plain sockets. Then results of 64 KiB and 1 MiB, growth with the number of clients, and one
 * client's calls while the server of another floods. Each ratio is of one round; shown are the median of the rounds and the
 * ends of their range. `--in=core|app`, `--rounds=N`, `--only=calls,long,growth,flood`, and `--picture`, which draws the growth
 * for the documentation. Linux only.
 * Prints tables, and one line of JSON last.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  closeCallers,
  connectCallers,
  echoCall,
  measureFlood,
  payloadCall,
  runLoad,
  type Caller,
  type CallerKind,
  type LoadFigures,
} from './gateway/load.ts';
import {
  RELAY_IN_ELECTRON,
  startFloor,
  startOther,
  startOurs,
  startRelayFloor,
  startRelayInElectron,
  type Target,
} from './gateway/targets.ts';
import { fetchPackages } from '../fixtures/gateways/npm-packages.ts';
import { figure, flag, inTurns, median, medianFigure, numberFlag, report } from './harness/figures.ts';
import type { Figure } from './harness/figures.ts';
import { drawGrowth } from './harness/picture.ts';

interface Load {
  readonly kind: CallerKind;
  readonly count: number;
  /** Calls of each client in a round. */
  readonly calls: number;
}

/** Figures of each round, by target. */
type Measured = ReadonlyMap<string, readonly LoadFigures[]>;

const KIBI = 1024;
const MEBI = KIBI * KIBI;
const OTHERS = ['mcp-hub', 'supergateway', 'mcp-proxy'] as const;
const ONE: Load = { kind: 'sdk', count: 1, calls: 600 };
const CROWD: Load = { kind: 'raw', count: 100, calls: 60 };
const GROWTH = [1, 10, 50, 100, 200];
const GROWTH_CALLS = 6000;
/** Calls of one client in a round, within the rate that a client is allowed. */
const MAX_CALLS = 1500;
const LONG = [
  { bytes: 64 * KIBI, calls: 200, budget: 2 },
  { bytes: MEBI, calls: 40, budget: 1.3 },
];
const BUDGETS = {
  core: { p50: 1.15, cpu: 1.4, crowdCpu: 1.6 },
  app: { p50: 1.6, cpu: 2.5, crowdCpu: undefined },
};
const WARM_UP_CALLS = 3;
const RESUME_MS = 300;

const place = flag('in') === 'app' ? 'app' : 'core';
const rounds = numberFlag('rounds', 5);
const parts = (flag('only') ?? 'calls,long,growth,flood').split(',');
const figures: Figure[] = [];
const problems: string[] = [];
const packages = process.argv.includes('--alone') ? undefined : await fetchPackages(OTHERS);
if (!packages) console.error('the gateways of others are left out');
const ours = await startOurs(place);
const inElectron = place === 'app' ? [await startRelayInElectron()] : [];
const own: readonly Target[] = [await startFloor(), await startRelayFloor(), ...inElectron, ours];
const all: Target[] = [...own];
let failures = 0;
try {
  for (const name of packages ? OTHERS : []) all.push(await startOther(name, packages!));
  if (parts.includes('calls')) figures.push(...(await callFigures()));
  if (parts.includes('long')) figures.push(...(await longFigures()));
  if (parts.includes('growth')) await showGrowth();
  if (parts.includes('flood')) figures.push(...(await floodFigures()));
  figures.push(figure('failed calls through ours', 'calls', failures, 0));
  report(`gateway (${place})`, figures, problems);
} finally {
  for (const target of all) target.resume?.();
  await Promise.all(all.map((target) => target.end()));
  packages?.remove();
}
// Timers of the clients outlive their connections.
process.exit();

async function callFigures(): Promise<Figure[]> {
  const { p50, cpu, crowdCpu } = BUDGETS[place];
  const one = await measureAll(all, ONE, echoCall);
  // supergateway starts a process for each client.
  const shared = all.filter(({ title }) => title !== 'supergateway');
  const crowd = await measureAll(shared, CROWD, echoCall);
  const programs = await measureAll(own, { ...CROWD, kind: 'sdk', calls: 20 }, echoCall);
  show('1 client of the SDK, echo', one);
  show('100 raw clients, echo', crowd);
  show('100 clients of the SDK, echo', programs);
  const relay = 'relay floor';
  return [
    medianFigure('1 client: p50 against the relay floor', '×', ratios(one, 'p50Ms', relay), p50),
    medianFigure('1 client: CPU against the relay floor', '×', ratios(one, 'cpuUs', relay), cpu),
    ...inElectron.flatMap(() => [
      medianFigure(
        '1 client: p50 against that relay in Electron',
        '×',
        ratios(one, 'p50Ms', RELAY_IN_ELECTRON),
      ),
      medianFigure(
        '1 client: CPU against that relay in Electron',
        '×',
        ratios(one, 'cpuUs', RELAY_IN_ELECTRON),
      ),
    ]),
    ...againstOthers('1 client: p50 against the best other', one, 'p50Ms', 0.9),
    medianFigure(
      '100 raw clients: CPU against the relay floor',
      '×',
      ratios(crowd, 'cpuUs', relay),
      crowdCpu,
    ),
    ...againstOthers('100 raw clients: time of a call against the best other', crowd, 'loadUs', 1 / 2.5),
    medianFigure(
      '100 clients of the SDK: CPU against the relay floor',
      '×',
      ratios(programs, 'cpuUs', relay),
    ),
    figure('server processes for 100 clients', '', crowd.get('ours')!.at(-1)!.servers, 1),
  ];
}

async function longFigures(): Promise<Figure[]> {
  const found: Figure[] = [];
  for (const { bytes, calls, budget } of LONG) {
    const measured = await measureAll(all, { kind: 'raw', count: 1, calls }, (target) =>
      payloadCall(target, bytes),
    );
    const what = `results of ${bytes / KIBI} KiB`;
    show(`1 raw client, ${what}`, measured);
    found.push(
      medianFigure(`${what}: CPU against the floor`, '×', ratios(measured, 'cpuUs', 'floor'), budget),
      medianFigure(`${what}: CPU against the relay floor`, '×', ratios(measured, 'cpuUs', 'relay floor')),
    );
  }
  return found;
}

async function showGrowth(): Promise<void> {
  const rows: object[] = [];
  const curves = ['relay floor', 'ours'].map((name) => ({ name, points: [] as [number, number][] }));
  for (const count of GROWTH) {
    const load: Load = { kind: 'raw', count, calls: Math.min(MAX_CALLS, GROWTH_CALLS / count) };
    const measured = await measureAll(own.slice(1), load, echoCall);
    const of = (title: string, key: keyof LoadFigures) =>
      median(measured.get(title)!.map((round) => round[key]));
    const cpu = ratios(measured, 'cpuUs', 'relay floor');
    for (const { name, points } of curves) points.push([count, Math.round(of(name, 'cpuUs'))]);
    rows.push({
      'raw clients': count,
      'CPU µs/call, relay floor': Math.round(of('relay floor', 'cpuUs')),
      ours: Math.round(of('ours', 'cpuUs')),
      ratio: `${median(cpu).toFixed(2)} (${Math.min(...cpu).toFixed(2)}–${Math.max(...cpu).toFixed(2)})`,
      'calls/s, relay floor': Math.round(of('relay floor', 'callsPerS')),
      'calls/s, ours': Math.round(of('ours', 'callsPerS')),
      failures: measured.get('ours')!.reduce((sum, round) => sum + round.failures, 0),
    });
  }
  drawGrowth(0, 'CPU of a call, µs', 'clients', curves);
  console.log('\ngrowth');
  console.table(rows);
}

async function floodFigures(): Promise<Figure[]> {
  const { quietP99Ms, floodedP99Ms, failures: failed } = await measureFlood(ours);
  if (failed > 0) problems.push(`${failed} calls failed beside the flood`);
  return [
    figure("a client's p99, quiet", 'ms', quietP99Ms),
    figure('  while the server of another floods, against that', '×', floodedP99Ms / quietP99Ms, 2),
  ];
}

/** The targets in turns, each with clients of its own that are connected for all rounds. */
async function measureAll(
  targets: readonly Target[],
  { kind, count, calls }: Load,
  callOf: (target: Target) => ReturnType<typeof echoCall>,
): Promise<Measured> {
  console.error(`measuring ${targets.map(({ title }) => title).join(', ')}: ${count} ${kind}`);
  const callers = new Map<Target, Caller[]>();
  for (const target of targets)
    callers.set(target, await whileRunning(target, () => connectCallers(target, kind, count)));
  const loads = targets.map((target) => {
    const load = (each: number) => runLoad(target, callers.get(target)!, each, callOf(target));
    const act = () => whileRunning(target, () => load(WARM_UP_CALLS).then(() => load(calls)));
    return [target.title, act] as const;
  });
  const taken = await inTurns(new Map(loads), rounds);
  for (const target of targets) await whileRunning(target, () => closeCallers(callers.get(target)!));
  for (const round of taken.get('ours')!) failures += round.failures;
  return taken;
}

/** Lets a target run for as long as `act` takes. */
async function whileRunning<T>(target: Target, act: () => Promise<T>): Promise<T> {
  target.resume?.();
  // Its timers are due, and close connections that were idle.
  if (target.resume) await sleep(RESUME_MS);
  try {
    return await act();
  } finally {
    target.pause?.();
  }
}

/** Ratio of ours to another target, in each round. */
function ratios(measured: Measured, key: keyof LoadFigures, beside: string): number[] {
  const others = measured.get(beside)!;
  return measured.get('ours')!.map((round, index) => round[key] / others[index]![key]);
}

/** Ratio of ours to whoever of the others is the best by its median. */
function againstOthers(what: string, measured: Measured, key: keyof LoadFigures, budget: number): Figure[] {
  const medianOf = (name: string) => median(measured.get(name)!.map((round) => round[key]));
  const [best] = OTHERS.filter((name) => measured.has(name)).sort((a, b) => medianOf(a) - medianOf(b));
  return best ? [medianFigure(`${what}, ${best}`, '×', ratios(measured, key, best), budget)] : [];
}

function show(what: string, measured: Measured): void {
  console.log(`\n${what}`);
  console.table(Object.fromEntries([...measured].map(([title, taken]) => [title, rowOf(taken)])));
}

function rowOf(taken: readonly LoadFigures[]) {
  const of = (key: keyof LoadFigures) => median(taken.map((round) => round[key]));
  const cpu = taken.map(({ cpuUs }) => Math.round(cpuUs));
  return {
    'CPU µs/call': Math.round(of('cpuUs')),
    range: `${Math.min(...cpu)}–${Math.max(...cpu)}`,
    'with servers': Math.round(of('treeCpuUs')),
    'p50 ms': of('p50Ms').toFixed(2),
    'p99 ms': of('p99Ms').toFixed(2),
    'calls/s': Math.round(of('callsPerS')),
    failures: taken.reduce((sum, round) => sum + round.failures, 0),
    servers: of('servers'),
    'memory MiB': Math.round(of('pssBytes') / MEBI),
  };
}
