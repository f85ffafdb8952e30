import type { PanelFigures, PanelProcess } from '../../../shared/panel-figures.ts';
import type { Clock } from '../../core/clock.ts';
import type { ReadUsage } from '../../core/platform/ps/pidusage-reader.ts';
import { ownValue } from '../../../shared/own-value.ts';

const BYTES_PER_KIB = 1024;

/** Fields of Electron's `ProcessMetric` that are used. */
export interface ProcessFacts {
  readonly pid: number;
  readonly type: string;
  readonly name?: string;
  readonly serviceName?: string;
  readonly cpu: { readonly percentCPUUsage: number };
  /** Memory of the process in KiB. */
  readonly memory: { readonly workingSetSize: number; readonly privateBytes?: number };
}

interface AppUsageOptions {
  readonly clock: Clock;
  readonly metrics: () => readonly ProcessFacts[];
  readonly coreCount: number;
  /** Reads memory and CPU time of processes; undefined if reading them costs too much. */
  readonly readUsage: ReadUsage | undefined;
  /**
   * Returns the private memory of the given processes in bytes, plus the memory that they share, which is counted once.
   * Undefined if private and shared memory cannot be distinguished.
   */
  readonly memoryOf: (pids: readonly number[]) => number | undefined;
}

type Usage = Pick<PanelFigures, 'memoryBytes' | 'cpuPercent' | 'processes'>;

/**
 * Samples the app's own processes: this one, the page, and Chromium's helpers. CPU is measured since the previous sample, so a
 * process has no CPU figure in its first sample.
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
      // Chromium's percentage refers to all CPU cores together. It is multiplied by their number, because everywhere else in
      // the app window 100 % means one core.
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

/** Memory of a process in bytes. Used only as a fallback, because working sets count shared memory once per process. */
const memoryBytesOf = ({ memory }: ProcessFacts): number =>
  (memory.privateBytes ?? memory.workingSetSize) * BYTES_PER_KIB;

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

const names: Readonly<Record<string, string>> = {
  Browser: 'Main process',
  Tab: 'Window',
  GPU: 'Graphics',
  Zygote: 'Process starter',
  'Sandbox helper': 'Sandbox helper',
};

/** Returns the display name of a process of the app: its role, or its Chromium service. */
export const processName = ({
  type,
  name,
  serviceName,
}: Pick<ProcessFacts, 'type' | 'name' | 'serviceName'>): string =>
  ownValue(names, type) ?? (name || serviceName || type);
