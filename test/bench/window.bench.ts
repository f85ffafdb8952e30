/**
 * Time after its launch at which the panel's window is usable, beside an empty window of the same runtime in
 * the same run: from the spawn of the process to the first painted frame with the rows of all servers.
 * Launches take turns, each in a home that was used before. Prints the steps on the way, a table, and one
 * line of JSON last. `--rounds=N` launches each N times.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openDisplay } from '../e2e/support/electron-command.ts';
import { figure, inTurns, median, numberFlag, report, type Figure } from './harness/figures.ts';
import { inFolder, writeHome } from '../support/homes.ts';
import { launch, type Launch, type Launched } from './window/launch.ts';

/** Launches before the measured ones, because Chromium keeps compiled scripts from the second load on. */
const WARM_UPS = 3;
const BUDGETS = { stopped: 1.5, started: 1.6 };
const projectRoot = join(import.meta.dirname, '../..');

const reference = (name: string, ...args: string[]) => ({
  command: process.execPath,
  args: [join(projectRoot, `node_modules/@modelcontextprotocol/server-${name}/dist/index.js`), ...args],
});

const display = await openDisplay();
try {
  await inFolder(async (folder) => {
    const launched = new Map<Name, Launched>([
      ['empty', emptyWindow(folder, 'empty')],
      // Software drawing in an empty window shows how much of the panel's time is due to it where there is no
      // graphics hardware.
      ['software', emptyWindow(folder, 'empty-software')],
      ['stopped', panelWith(folder, 'stopped', { autoStart: false })],
      ['started', panelWith(folder, 'started', {})],
    ]);
    const launches = [...launched].map(([name, one]) => [name, () => launch(one, display.env)] as const);
    const taken = await inTurns(new Map(launches), numberFlag('rounds', 12), WARM_UPS);
    console.table(Object.fromEntries([...taken].map(([name, all]) => [name, steps(all)])));
    report('window', figures(taken));
  });
} finally {
  await display.end();
}

type Name = 'empty' | 'software' | 'stopped' | 'started';

function emptyWindow(folder: string, name: string): Launched {
  const main = join(import.meta.dirname, `window/${name}-main.cjs`);
  const home = join(folder, name);
  mkdirSync(home);
  return { main, home, selector: 'body', count: 1 };
}

/** Panel of three rows, whose servers start with it or do not. */
function panelWith(folder: string, name: string, panel: object): Launched {
  const servers = {
    everything: { ...reference('everything', 'stdio'), panel },
    filesystem: { ...reference('filesystem', folder), panel },
    memory: { ...reference('memory'), env: { MEMORY_FILE_PATH: join(folder, 'memory.json') }, panel },
  };
  const home = writeHome(join(folder, name), servers);
  return { home, selector: '[role="row"][data-server]', count: Object.keys(servers).length };
}

/** Median of each step, in the order in which they come. */
function steps(launches: readonly Launch[]): Record<string, number> {
  const keys = Object.keys(launches[0] ?? {}) as (keyof Launch)[];
  const medians = keys.map((key) => [key, Math.round(median(launches.map((one) => one[key])))] as const);
  return Object.fromEntries(medians.sort(([, one], [, other]) => one - other));
}

function figures(taken: ReadonlyMap<Name, readonly Launch[]>): Figure[] {
  const usable = (name: Name) => taken.get(name)!.map((one) => one.usable);
  const least = (name: Name) => Math.min(...usable(name));
  const times = (what: string, name: Name) => [
    figure(`${what}, median`, 'ms', median(usable(name))),
    figure(`${what}, least`, 'ms', least(name)),
  ];
  const ratios = (what: string, name: keyof typeof BUDGETS) => [
    figure(
      `${what}, median`,
      '× the empty window',
      median(usable(name)) / median(usable('empty')),
      BUDGETS[name],
    ),
    figure(`${what}, least`, '× the empty window', least(name) / least('empty')),
    figure(
      `${what}, median`,
      '× the empty one drawn in software',
      median(usable(name)) / median(usable('software')),
    ),
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
