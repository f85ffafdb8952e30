import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Figure } from '../harness/figures.ts';

const BENCH = fileURLToPath(new URL('../sampling.bench.ts', import.meta.url));
const LIMIT_MS = 180_000;

/** Figures of the sampling benchmark, which runs in a process of its own because that process is what it measures. */
export function measureSampling(): Promise<readonly Figure[]> {
  return new Promise((resolve, reject) => {
    // The benchmark exits with 1 when a budget is missed; the figures say so as well.
    execFile(process.execPath, [BENCH], { timeout: LIMIT_MS }, (error, stdout) => {
      const last = stdout.trim().split('\n').at(-1) ?? '';
      if (last.startsWith('{')) resolve((JSON.parse(last) as { figures: readonly Figure[] }).figures);
      else reject(error ?? new Error('the sampling benchmark printed no figures'));
    });
  });
}
