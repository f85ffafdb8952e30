/**
 * What a call through the gateway costs, beside a bare HTTP responder (the floor) and the gateways of others, which are
 * fetched from npm and left out, with a notice, where that cannot be, or with `--alone`. 1, 10 and 100 clients of the SDK
 * call `echo`, the targets in turns; then 100 bare clients, because those of the SDK take more than the gateways; then
 * results of 1 MiB; then one client's calls while the server of another floods. Linux only.
 * Prints tables, and one line of JSON last.
 */
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
import { startFloor, startOther, startOurs, type OwnTarget, type Target } from './gateway/targets.ts';
import { fetchPackages, PINNED } from '../fixtures/gateways/npm-packages.ts';
import { figure, inTurns, median, report, type Figure } from './harness/figures.ts';

const ROUNDS = 3;
/** How many clients of which kind, and how many calls each of them makes in a round. */
const LOADS = [
  { kind: 'sdk', count: 1, calls: 300 },
  { kind: 'sdk', count: 10, calls: 50 },
  { kind: 'sdk', count: 100, calls: 20 },
  { kind: 'bare', count: 100, calls: 40 },
] as const;
type Load = (typeof LOADS)[number];
const nameOf = ({ kind, count }: Pick<Load, 'kind' | 'count'>) => `${count} ${kind}`;
const MEBI = 1024 * 1024;
const LONG_CALLS = 30;
const OTHERS = ['mcp-hub', 'supergateway', 'mcp-proxy'] as const;

/** Medians over the rounds, by target. */
type Measured = ReadonlyMap<string, LoadFigures>;

const problems: string[] = [];
const packages = process.argv.includes('--alone') ? undefined : await fetchPackages(OTHERS);
if (!packages) console.error('the gateways of others are left out');
const ours = await startOurs();
const targets: Target[] = [await startFloor(), ours];
try {
  for (const name of packages ? OTHERS : []) targets.push(await startOther(name, packages!));
  const byLoad = new Map<string, Measured>();
  for (const load of LOADS) {
    const measured = await measureAll(targets, load, echoCall);
    byLoad.set(nameOf(load), measured);
    show(`${nameOf(load)} clients, echo`, measured);
  }
  const long = await measureAll(targets, { kind: 'bare', count: 1, calls: LONG_CALLS }, (target) =>
    payloadCall(target, MEBI),
  );
  show('1 bare client, results of 1 MiB', long);
  report('gateway', [...figuresOf(byLoad, long), ...(await floodFigures(ours))], problems);
} finally {
  for (const target of targets) await target.end();
  packages?.remove();
}
// Timers of the clients outlive their connections.
process.exit();

/** The targets in turns, each with clients of its own that are connected for all rounds. */
async function measureAll(
  all: readonly Target[],
  { kind, count, calls }: { readonly kind: CallerKind; readonly count: number; readonly calls: number },
  callOf: (target: Target) => ReturnType<typeof echoCall>,
): Promise<Measured> {
  const callers = new Map<Target, Caller[]>();
  for (const target of all) callers.set(target, await connectCallers(target, kind, count));
  const loads = all.map((target) => {
    const load = () => runLoad(target, callers.get(target)!, calls, callOf(target));
    return [target.title, load] as const;
  });
  const taken = await inTurns(new Map(loads), ROUNDS);
  for (const connected of callers.values()) await closeCallers(connected);
  return new Map([...taken].map(([title, rounds]) => [title, medians(rounds)]));
}

function medians(rounds: readonly LoadFigures[]): LoadFigures {
  const keys = Object.keys(rounds[0]!) as (keyof LoadFigures)[];
  const of = (key: keyof LoadFigures) => {
    const values = rounds.map((round) => round[key]);
    const isTotal = key === 'calls' || key === 'failures';
    return isTotal ? values.reduce((sum, value) => sum + value, 0) : median(values);
  };
  return Object.fromEntries(keys.map((key) => [key, of(key)])) as unknown as LoadFigures;
}

function show(what: string, measured: Measured): void {
  console.log(`\n${what}`);
  console.table(Object.fromEntries([...measured].map(([title, figures]) => [title, rowOf(figures)])));
}

function rowOf(figures: LoadFigures) {
  return {
    'CPU µs/call': Math.round(figures.cpuUs),
    'with servers': Math.round(figures.treeCpuUs),
    'p50 ms': figures.p50Ms.toFixed(2),
    'p99 ms': figures.p99Ms.toFixed(2),
    'calls/s': Math.round(figures.callsPerS),
    failures: figures.failures,
    servers: figures.servers,
    'memory MiB': Math.round(figures.pssBytes / MEBI),
  };
}

function figuresOf(byLoad: ReadonlyMap<string, Measured>, long: Measured): Figure[] {
  const ratio = (measured: Measured | undefined, figure: keyof LoadFigures, beside: string) =>
    measured!.get('ours')![figure] / measured!.get(beside)![figure];
  const one = byLoad.get(nameOf({ kind: 'sdk', count: 1 }));
  const hundred = byLoad.get(nameOf({ kind: 'bare', count: 100 }));
  const all = [...byLoad.values(), long];
  const failures = all.reduce((sum, measured) => sum + measured.get('ours')!.failures, 0);
  const figures: Figure[] = [
    figure('1 client: p50 against the floor', '×', ratio(one, 'p50Ms', 'floor'), 1.5),
    figure('1 client: p99 against the floor', '×', ratio(one, 'p99Ms', 'floor'), 3),
    figure('1 client: CPU against the floor', '×', ratio(one, 'cpuUs', 'floor')),
    figure('1 MiB results: CPU against the floor', '×', ratio(long, 'cpuUs', 'floor'), 1.5),
    figure('failed calls through ours', 'calls', failures, 0),
    figure('server processes for 100 clients', '', hundred!.get('ours')!.servers, 1),
  ];
  if (hundred?.has('mcp-hub')) {
    const what = `100 clients: calls/s of mcp-hub ${PINNED['mcp-hub']} against ours`;
    figures.push(figure(what, '×', 1 / ratio(hundred, 'callsPerS', 'mcp-hub'), 1 / 1.5));
  }
  return figures;
}

async function floodFigures(target: OwnTarget): Promise<Figure[]> {
  const { quietP99Ms, floodedP99Ms, failures } = await measureFlood(target);
  if (failures > 0) problems.push(`${failures} calls failed beside the flood`);
  return [
    figure("a client's p99, quiet", 'ms', quietP99Ms),
    figure('  while the server of another floods, against that', '×', floodedP99Ms / quietP99Ms, 2),
  ];
}
