/**
 * Promises of supervision, measured on real processes beside their budgets (docs/benchmarks.md). Prints a
 * table, and one line of JSON last. Exit code 1 when a budget is missed. `--only=crash,wedges` takes some
 * parts; `--no-pm2` leaves the comparison out, which fetches pm2 from the package registry.
 */
import { measureCrash } from './supervision/crash.ts';
import { reportParts } from './harness/figures.ts';
import { measureFalseVerdicts } from './supervision/healthy.ts';
import { measureMemory } from './supervision/memory.ts';
import { measurePanel } from './supervision/panel.ts';
import { compareWithPm2 } from './supervision/pm2.ts';
import { measureSampling } from './supervision/sampling.ts';
import { measureWedges } from './supervision/wedges.ts';

const parts = new Map([
  ['crash', measureCrash],
  ['wedges', measureWedges],
  ['healthy', measureFalseVerdicts],
  ['panel', measurePanel],
  ['memory', measureMemory],
  ['sampling', measureSampling],
  ['pm2', compareWithPm2],
]);
if (process.argv.includes('--no-pm2')) parts.delete('pm2');
await reportParts('supervision', parts);
