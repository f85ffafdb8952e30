/**
 * Time after its launch at which the panel's window is usable, beside an empty window of the same runtime in
 * the same run: from the spawn of the process to the first painted frame with the rows of all servers.
 * Launches take turns, each in a home that was used before. Prints the steps on the way, a table, and one
 * line of JSON last. `--rounds=N` launches each N times.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDisplay } from '../e2e/support/electron-command.ts';
import { median, report, type Figure } from './supervision/figures.ts';
import { launch, type Launch, type Launched } from './window/launch.ts';

const ROUNDS = 12;
/** Launches before the measured ones, because Chromium keeps compiled scripts from the second load on. */
const WARM_UPS = 3;
const BUDGET = 1.5;
const projectRoot = join(import.meta.dirname, '../..');

const reference = (name: string, ...args: string[]) => ({
  command: process.execPath,
  args: [join(projectRoot, `node_modules/@modelcontextprotocol/server-${name}/dist/index.js`), ...args],
});

const rounds = Number(process.argv.find((arg) => arg.startsWith('--rounds='))?.slice(9) ?? ROUNDS);
const folder = mkdtempSync(join(tmpdir(), 'window-bench-'));
const launched: Readonly<Record<'empty' | 'software' | 'stopped' | 'started', Launched>> = {
  empty: emptyWindow('empty'),
  // Software drawing in an empty window shows how much of the panel's time is due to it where there is no
  // graphics hardware.
  software: emptyWindow('empty-software'),
  stopped: panelWith('stopped', { autoStart: false }),
  started: panelWith('started', {}),
};
type Name = keyof typeof launched;
const names = Object.keys(launched) as Name[];

const display = await openDisplay();
try {
  const taken: Record<Name, Launch[]> = { empty: [], software: [], stopped: [], started: [] };
  for (let round = 0; round < WARM_UPS + rounds; round += 1) {
    for (const name of names) {
      const one = await launch(launched[name], display.env);
      if (round >= WARM_UPS) taken[name].push(one);
    }
  }
  console.table(Object.fromEntries(names.map((name) => [name, steps(taken[name])])));
  report('window', figures(taken), []);
} finally {
  await display.end();
  rmSync(folder, { recursive: true, force: true });
}

function emptyWindow(name: string): Launched {
  const main = join(import.meta.dirname, `window/${name}-main.cjs`);
  return { main, home: homeWith(name, undefined), selector: 'body', count: 1 };
}

/** Panel of three rows, whose servers start with it or do not. */
function panelWith(name: string, panel: object): Launched {
  const mcpServers = {
    everything: { ...reference('everything', 'stdio'), panel },
    filesystem: { ...reference('filesystem', folder), panel },
    memory: { ...reference('memory'), env: { MEMORY_FILE_PATH: join(folder, 'memory.json') }, panel },
  };
  return {
    home: homeWith(name, { mcpServers }),
    selector: '[role="row"][data-server]',
    count: Object.keys(mcpServers).length,
  };
}

function homeWith(name: string, servers: object | undefined): string {
  const home = join(folder, name);
  mkdirSync(home);
  if (servers !== undefined) writeFileSync(join(home, 'servers.json'), JSON.stringify(servers));
  return home;
}

/** Median of each step, in the order in which they come. */
function steps(launches: readonly Launch[]): Record<string, number> {
  const keys = Object.keys(launches[0] ?? {}) as (keyof Launch)[];
  const medians = keys.map((key) => [key, Math.round(median(launches.map((one) => one[key])))] as const);
  return Object.fromEntries(medians.sort(([, one], [, other]) => one - other));
}

function figures(taken: Readonly<Record<Name, readonly Launch[]>>): Figure[] {
  const usable = (name: Name) => taken[name].map((one) => one.usable);
  const least = (name: Name) => Math.min(...usable(name));
  const times = (what: string, name: Name): Figure[] => [
    { what: `${what}, median`, unit: 'ms', measured: median(usable(name)) },
    { what: `${what}, least`, unit: 'ms', measured: least(name) },
  ];
  const ratios = (what: string, name: Name): Figure[] => [
    {
      what: `${what}, median`,
      unit: '× the empty window',
      budget: BUDGET,
      measured: median(usable(name)) / median(usable('empty')),
    },
    { what: `${what}, least`, unit: '× the empty window', measured: least(name) / least('empty') },
  ];
  return [
    ...times('an empty window', 'empty'),
    ...times('an empty window, drawn in software from the start', 'software'),
    ...times('usable, three stopped servers', 'stopped'),
    ...times('usable, three servers that start', 'started'),
    ...ratios('three stopped servers', 'stopped'),
    ...ratios('three servers that start', 'started'),
  ];
}
