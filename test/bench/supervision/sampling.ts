import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Figure } from './figures.ts';

const BENCH = fileURLToPath(new URL('../sampling.bench.ts', import.meta.url));
const LIMIT_MS = 180_000;

interface SamplingResult {
  readonly cpuPercent: number;
  readonly blockedP99Ms: number;
  readonly budgets: { readonly cpuPercent: number; readonly blockedP99Ms: number };
}

/** Figures of the sampling benchmark, which runs in a process of its own because that process is what it measures. */
export async function measureSampling(): Promise<readonly Figure[]> {
  const { cpuPercent, blockedP99Ms, budgets } = await runBench();
  return [
    {
      what: 'sampling 100 servers of 3, CPU',
      unit: '% of a core',
      budget: budgets.cpuPercent,
      measured: cpuPercent,
    },
    {
      what: 'sampling 100 servers of 3, loop blocked p99',
      unit: 'ms',
      budget: budgets.blockedP99Ms,
      measured: blockedP99Ms,
    },
  ];
}

function runBench(): Promise<SamplingResult> {
  return new Promise((resolve, reject) => {
    // The benchmark exits with 1 when a budget is missed; the figures say so as well.
    execFile(process.execPath, [BENCH], { timeout: LIMIT_MS }, (error, stdout) => {
      const last = stdout.trim().split('\n').at(-1) ?? '';
      if (last.startsWith('{')) resolve(JSON.parse(last) as SamplingResult);
      else reject(error ?? new Error('the sampling benchmark printed no figures'));
    });
  });
}
