import type { Clock } from '../../clock.ts';
import type { ProcessReading } from '../process-table.ts';
import type { RefineReadings } from '../ps-process-table.ts';
import type { RunCommand } from '../run-command.ts';

/**
 * Minimum pause in ms between two samples, because sampling all footprints (physical memory of a process, as macOS counts it)
 * costs many times as much as a listing of `ps`.
 */
const LEAST_PAUSE_MS = 10_000;
/** Pause between samples as a multiple of the last one's duration, so that sampling uses at most two hundredths of a core. */
const PAUSE_PER_LOOK = 50;
/** Pause in ms after `top` failed or printed unreadable output, because an immediate retry would probably fail as well. */
const PAUSE_AFTER_FAILURE_MS = 300_000;
/** Absolute path, so that no other `top` is run. */
const TOP = '/usr/bin/top';

interface Footprint {
  readonly startTime: string;
  readonly footprintBytes: number;
  /** Resident size at the time of the footprint's sample; later growth of the resident size is added to the footprint. */
  readonly rssBytes: number;
}

interface FootprintOptions {
  readonly run: RunCommand;
  readonly clock: Clock;
}

/**
 * Estimates the private memory of processes on macOS: the footprint (physical memory, as macOS counts it) of the last sample,
 * plus the growth of the resident size since that sample. The resident size is not enough, because it counts shared libraries
 * in each process and omits compressed memory. Growth shows immediately, all other changes within seconds. Reading the process
 * table never waits for a sample. Until a process has been sampled, only its resident size is known.
 */
export class Footprints {
  readonly #options: FootprintOptions;
  #known: ReadonlyMap<number, Footprint> = new Map();
  #isLooking = false;
  #nextLookMs = -Infinity;

  constructor(options: FootprintOptions) {
    this.#options = options;
  }

  readonly of: RefineReadings = (readings) => {
    this.#lookSoon(readings);
    return Promise.resolve(
      new Map(
        readings.flatMap(({ pid, startTime, rssBytes = 0 }) => {
          const known = this.#known.get(pid);
          if (known?.startTime !== startTime) return [];
          return [[pid, { privateBytes: known.footprintBytes + Math.max(0, rssBytes - known.rssBytes) }]];
        }),
      ),
    );
  };

  #lookSoon(readings: readonly ProcessReading[]): void {
    if (readings.length === 0 || this.#isLooking || this.#options.clock.now() < this.#nextLookMs) return;
    this.#isLooking = true;
    void this.#look(readings).finally(() => (this.#isLooking = false));
  }

  async #look(readings: readonly ProcessReading[]): Promise<void> {
    const { clock, run } = this.#options;
    const startedMs = clock.now();
    const output = await run(TOP, TOP_ARGS).catch(() => '');
    const footprints = parseTop(output);
    const tookMs = clock.now() - startedMs;
    const pauseMs = Math.max(LEAST_PAUSE_MS, tookMs * PAUSE_PER_LOOK);
    this.#nextLookMs = clock.now() + (footprints.size === 0 ? PAUSE_AFTER_FAILURE_MS : pauseMs);
    this.#known = new Map(
      readings.flatMap(({ pid, startTime, rssBytes = 0 }) => {
        const footprintBytes = footprints.get(pid);
        return footprintBytes === undefined ? [] : [[pid, { startTime, footprintBytes, rssBytes }] as const];
      }),
    );
  }
}

/** Arguments with which `top` prints one sample for `parseTop`, without the most costly parts: maps of frameworks and memory. */
const TOP_ARGS = ['-l', '1', '-F', '-R', '-stats', 'pid,mem'] as const;

const LINE = /^\s*(\d+)[*+-]?\s+(\d+(?:\.\d+)?)([BKMGT])[+-]?\s*$/;
const UNITS = 'BKMGT';
const BYTES_PER_STEP = 1024;

/** Parses top(1) of macOS: the physical footprint by pid, as in Activity Monitor. Skips malformed lines. */
export function parseTop(output: string): ReadonlyMap<number, number> {
  const footprints = new Map<number, number>();
  for (const line of output.split('\n')) {
    const [, pid, size, unit] = LINE.exec(line) ?? [];
    if (pid === undefined || unit === undefined) continue;
    footprints.set(Number(pid), Math.round(Number(size) * BYTES_PER_STEP ** UNITS.indexOf(unit)));
  }
  return footprints;
}
