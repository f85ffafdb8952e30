import type { PanelFigures, PanelProcess } from '../../../shared/panel-figures.ts';
import type { Clock } from '../../core/clock.ts';
import type { ReadUsage } from '../../core/platform/ps/pidusage-reader.ts';
import { processName, type NamedProcess } from './process-names.ts';

const BYTES_PER_KIB = 1024;

/** The part of Electron's `ProcessMetric` that is read. */
export interface ProcessFacts extends NamedProcess {
  readonly pid: number;
  readonly cpu: { readonly percentCPUUsage: number };
  /** In KiB. */
  readonly memory: { readonly workingSetSize: number; readonly privateBytes?: number };
}

export interface AppUsageOptions {
  readonly clock: Clock;
  readonly metrics: () => readonly ProcessFacts[];
  readonly coreCount: number;
  /** Undefined where a look costs more than it tells. */
  readonly readUsage: ReadUsage | undefined;
  /** Private memory of processes, and once what they share; undefined where that is not told apart. */
  readonly memoryOf: (pids: readonly number[]) => number | undefined;
}

type Usage = Pick<PanelFigures, 'memoryBytes' | 'cpuPercent' | 'processes'>;

/**
 * What the processes of the app itself use: this one, the page, and Chromium's helpers. CPU since the look before;
 * what came since then has none yet.
 */
export class AppUsage {
  readonly #options: AppUsageOptions;
  #before: { readonly atMs: number; readonly cpuTimeMs: ReadonlyMap<number, number> } | undefined;

  constructor(options: AppUsageOptions) {
    this.#options = options;
  }

  async look(): Promise<Usage> {
    const { memoryOf, metrics } = this.#options;
    const facts = metrics();
    const processes = await this.#processes(facts);
    const total = memoryOf(facts.map(({ pid }) => pid)) ?? sumOf(facts.map(memoryBytesOf));
    const shares = processes.flatMap(({ cpuPercent }) => cpuPercent ?? []);
    return {
      memoryBytes: total,
      ...(shares.length > 0 && { cpuPercent: sumOf(shares) }),
      processes: processes.toSorted((a, b) => (b.memoryBytes ?? 0) - (a.memoryBytes ?? 0)),
    };
  }

  async #processes(facts: readonly ProcessFacts[]): Promise<PanelProcess[]> {
    const { clock, coreCount, memoryOf, readUsage } = this.#options;
    const used = await readUsage?.(facts.map(({ pid }) => pid));
    const atMs = clock.now();
    const before = this.#before;
    const cpuTimeMs = new Map([...(used ?? [])].map(([pid, { cpuTimeMs: ms }]) => [pid, ms]));
    this.#before = { atMs, cpuTimeMs };
    const shareOf = (fact: ProcessFacts): number | undefined => {
      // Chromium divides by the number of cores; everywhere else in the window 100 % is one.
      if (used === undefined) return fact.cpu.percentCPUUsage * coreCount;
      const [earlierMs, nowMs] = [before?.cpuTimeMs.get(fact.pid), cpuTimeMs.get(fact.pid)];
      if (before === undefined || earlierMs === undefined || nowMs === undefined) return undefined;
      return atMs > before.atMs ? (100 * Math.max(0, nowMs - earlierMs)) / (atMs - before.atMs) : undefined;
    };
    return facts.map((fact) => {
      const cpuPercent = shareOf(fact);
      return {
        name: processName(fact),
        pid: fact.pid,
        memoryBytes: memoryOf([fact.pid]) ?? used?.get(fact.pid)?.rssBytes ?? memoryBytesOf(fact),
        ...(cpuPercent !== undefined && { cpuPercent }),
      };
    });
  }
}

/** Working sets hold what processes share once for each, so they serve only where nothing better is told. */
const memoryBytesOf = ({ memory }: ProcessFacts): number =>
  (memory.privateBytes ?? memory.workingSetSize) * BYTES_PER_KIB;

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
