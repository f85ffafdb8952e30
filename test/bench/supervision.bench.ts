/**
 * Promises of supervision, measured on real processes beside their budgets (docs/benchmarks.md). Prints a
 * table, and one line of JSON last. Exit code 1 when a budget is missed. `--only=crash,wedges` takes some
 * parts; `--no-pm2` leaves the comparison out, which fetches pm2 from the package registry.
 */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { measureCrash } from './supervision/crash.ts';
import { reportParts, type Figure } from './harness/figures.ts';
import { measureFalseVerdicts } from './supervision/healthy.ts';
import { measureMemory } from './supervision/memory.ts';
import { measurePanel } from './supervision/panel.ts';
import { compareWithPm2 } from './supervision/pm2.ts';
import { measureFrozen, measureWedges } from './supervision/wedges.ts';

const SAMPLING = fileURLToPath(new URL('./sampling.bench.ts', import.meta.url));
const SAMPLING_LIMIT_MS = 180_000;

const parts = new Map([
  ['crash', measureCrash],
  ['wedges', measureWedges],
  ['frozen', measureFrozen],
  ['healthy', measureFalseVerdicts],
  ['panel', measurePanel],
  ['memory', measureMemory],
  ['sampling', measureSampling],
  ['pm2', compareWithPm2],
]);
if (process.argv.includes('--no-pm2')) parts.delete('pm2');
await reportParts('supervision', parts);

/** Figures of the sampling benchmark, which runs in a process of its own because that process is what it measures. */
function measureSampling(): Promise<readonly Figure[]> {
  return new Promise((resolve, reject) => {
    // The benchmark exits with 1 when a budget is missed; the figures say so as well.
    execFile(process.execPath, [SAMPLING], { timeout: SAMPLING_LIMIT_MS }, (error, stdout) => {
      const last = stdout.trim().split('\n').at(-1) ?? '';
      if (last.startsWith('{')) resolve((JSON.parse(last) as { figures: readonly Figure[] }).figures);
      else reject(error ?? new Error('the sampling benchmark printed no figures'));
    });
  });
}
