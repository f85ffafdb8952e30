/**
 * Promises of supervision, measured on real processes beside their budgets (docs/benchmarks.md). Prints a
 * table, and one line of JSON last. Exit code 1 when a budget is missed. `--only=crash,wedges` takes some
 * parts; `--no-pm2` leaves the comparison out, which fetches pm2 from the package registry.
 */
import { measureCrash } from './supervision/crash.ts';
import { flag, report, type Figure } from './harness/figures.ts';
import { measureFalseVerdicts } from './supervision/healthy.ts';
import { measureMemory } from './supervision/memory.ts';
import { measurePanel } from './supervision/panel.ts';
import { compareWithPm2 } from './supervision/pm2.ts';
import { measureSampling } from './supervision/sampling.ts';
import { measureWedges } from './supervision/wedges.ts';

const PARTS: ReadonlyMap<string, () => Promise<readonly Figure[]>> = new Map([
  ['crash', measureCrash],
  ['wedges', measureWedges],
  ['healthy', measureFalseVerdicts],
  ['panel', measurePanel],
  ['memory', measureMemory],
  ['sampling', measureSampling],
  ['pm2', compareWithPm2],
]);

const hasPm2 = !process.argv.includes('--no-pm2');
const names = flag('only')?.split(',') ?? [...PARTS.keys()].filter((name) => name !== 'pm2' || hasPm2);

const figures: Figure[] = [];
const problems: string[] = [];
for (const name of names) {
  const part = PARTS.get(name);
  if (part === undefined) {
    problems.push(`There is no part "${name}". Known: ${[...PARTS.keys()].join(', ')}.`);
    continue;
  }
  console.error(`measuring: ${name}`);
  try {
    figures.push(...(await part()));
  } catch (error) {
    problems.push(
      `${name} could not be measured: ${error instanceof Error ? (error.stack ?? '') : String(error)}`,
    );
  }
}
report('supervision', figures, problems);
