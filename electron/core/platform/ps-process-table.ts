import type { Clock } from '../clock.ts';
import { identityOf, ListedProcesses, ProcessForest, SharedLook } from './process-forest.ts';
import type { ProcessDetails, ProcessIdentity, ProcessReading, ProcessTable } from './process-table.ts';
import { CommandError, type RunCommand } from './run-command.ts';
import { basename } from 'node:path';

/** Pause as a multiple of the last listing's duration, so that listings use at most a tenth of a core. */
const PAUSE_PER_LISTING = 10;
/** Maximum pause in ms between two listings. With a longer one, a server could exceed its limits unnoticed for too long. */
const MOST_PAUSE_MS = 5000;

interface PsProcessTableOptions {
  readonly run: RunCommand;
  /** Measures how long listings take, which determines the pauses between them; without a clock there are no pauses. */
  readonly clock?: Pick<Clock, 'now'>;
  /** Reads figures that replace those columns of `ps` that are not reliable on this system. */
  readonly refine?: RefineReadings;
}

/** Returns, by pid, figures that replace those of the readings. */
export type RefineReadings = (
  readings: readonly ProcessReading[],
) => Promise<ReadonlyMap<number, Partial<ProcessReading>>>;

/**
 * The process table of macOS and other systems with ps(1). One listing serves all process trees of a pass, and all callers that
 * asked before the listing began. Open files, written bytes and the CPU time of ended children are absent, because reading them
 * would be expensive.
 */
export class PsProcessTable extends ListedProcesses implements ProcessTable {
  readonly #options: PsProcessTableOptions;
  #listingMs = 0;
  readonly #environments = new SharedLook(() => this.#listEnvironments());

  constructor(options: PsProcessTableOptions) {
    super();
    this.#options = options;
  }

  get leastIntervalMs(): number {
    return Math.min(MOST_PAUSE_MS, this.#listingMs * PAUSE_PER_LISTING);
  }

  override async readTrees(rootPids: readonly number[]) {
    const trees = await super.readTrees(rootPids);
    const refined = new Map((await this.#refined([...trees.values()].flat())).map((one) => [one.pid, one]));
    return new Map([...trees].map(([root, tree]) => [root, tree.map((one) => refined.get(one.pid) ?? one)]));
  }

  override async readAll(): Promise<readonly ProcessReading[]> {
    return this.#refined(await super.readAll());
  }

  /**
   * Searches the output of `ps -E`. For the user's own processes, it prints the environment as plain text after the arguments.
   */
  async findByEnvironment(name: string, value: string): Promise<readonly ProcessIdentity[]> {
    const variable = ` ${name}=${value} `;
    const pids = (await this.#environments.ask()).filter((line) => `${line} `.includes(variable));
    if (pids.length === 0) return [];
    const forest = await this.processes.ask();
    const found = pids.map((line) => forest.get(Number.parseInt(line, 10)));
    return found.filter((reading) => reading !== undefined).map(identityOf);
  }

  async describe(processes: readonly ProcessIdentity[]): Promise<ReadonlyMap<number, ProcessDetails>> {
    if (processes.length === 0) return new Map();
    const pids = processes.map(({ pid }) => pid).join(',');
    const output = await this.#options
      .run('ps', ['-ww', '-o', 'pid=,command=', '-p', pids])
      .catch(nothingFound);
    return parseDetails(output, processes);
  }

  dispose(): void {
    // There is nothing to release: every listing is a `ps` process that ends when it has printed its output.
  }

  async #refined(readings: readonly ProcessReading[]): Promise<readonly ProcessReading[]> {
    if (readings.length === 0) return readings;
    const figures = await this.#options.refine?.(readings);
    return figures ? readings.map((one) => ({ ...one, ...figures.get(one.pid) })) : readings;
  }

  protected async list(): Promise<ProcessForest> {
    const { clock, run } = this.#options;
    const startedMs = clock?.now() ?? 0;
    const output = await run('ps', ['-axo', PS_FORMAT]);
    this.#listingMs = (clock?.now() ?? 0) - startedMs;
    return new ProcessForest(parsePs(output));
  }

  /**
   * Returns lines that consist of a pid, the arguments and the environment. On systems other than macOS, `ps` may refuse -E;
   * then there are no lines.
   */
  async #listEnvironments(): Promise<readonly string[]> {
    const output = await this.#options.run('ps', ['-axwwE', '-o', 'pid=,command=']).catch(nothingFound);
    return output.split('\n').map((line) => line.trimEnd());
  }
}

/**
 * Returns an empty listing if `ps` exited with an error code. If `ps` could not run, throws the error again, because then
 * nothing is known about the processes.
 */
function nothingFound(error: unknown): string {
  if (error instanceof CommandError && error.exitCode !== undefined) return '';
  throw error;
}

/**
 * Parses a listing of `ps -o pid=,command=`. The start times come from `processes`, in the local time that `parsePs` has read.
 */
export function parseDetails(
  output: string,
  processes: readonly ProcessIdentity[],
): ReadonlyMap<number, ProcessDetails> {
  const startTimes = new Map(processes.map(({ pid, startTime }) => [pid, startTime]));
  const details = new Map<number, ProcessDetails>();
  for (const line of output.split('\n')) {
    const [, pidText, commandLine] = /^(\d+)\s+(\S.*)$/.exec(line.trim()) ?? [];
    const pid = Number(pidText);
    const startTime = startTimes.get(pid);
    if (commandLine === undefined || startTime === undefined) continue;
    const startedAtMs = Date.parse(startTime);
    details.set(pid, { commandLine, ...(!Number.isNaN(startedAtMs) && { startedAtMs }) });
  }
  return details;
}

/** Columns of `ps -o` that `parsePs` reads. Only the start time and the name contain spaces, and the name comes last. */
const PS_FORMAT = 'pid=,ppid=,pgid=,stat=,lstart=,rss=,time=,comm=';

const LINE =
  /^(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\w{3}\s+\w{3}\s+\d+\s+[\d:]+\s+\d{4})\s+(\d+)\s+([\d:.-]+)\s+(\S.*)$/;

/**
 * Parses a listing that ps(1) of macOS or Linux printed in the C locale. Skips zombies and malformed lines. Start times are
 * exact to the second. Together with the pid, that is enough to distinguish a process from a later one with the same pid.
 */
export function parsePs(output: string): readonly ProcessReading[] {
  return output.split('\n').flatMap((line) => {
    const [, pid, ppid, groupId, state = '', startTime = '', rss, time = '', command = ''] =
      LINE.exec(line.trim()) ?? [];
    if (pid === undefined || state.startsWith('Z')) return [];
    return [
      {
        pid: Number(pid),
        ppid: Number(ppid),
        groupId: Number(groupId),
        startTime: startTime.replace(/\s+/g, ' '),
        // macOS prints the whole path.
        command: basename(command),
        isStopped: state.startsWith('T') && !state.includes('X'),
        // On macOS, X ("The process is being traced or debugged") appears next to T while a debugger has stopped the process.
        // Linux has a separate state for that.
        isHeld: state.startsWith('t') || (state.startsWith('T') && state.includes('X')),
        cpuTimeMs: parseCpuTime(time),
        reapedCpuTimeMs: 0,
        rssBytes: Number(rss) * 1024,
      },
    ];
  });
}

/** Parses `[days-][hours:]minutes:seconds[.hundredths]` into milliseconds. */
export function parseCpuTime(text: string): number {
  const [clock = '', days = '0'] = text.split('-').reverse();
  const seconds = clock.split(':').reduce((total, part) => total * 60 + Number(part), 0);
  return Math.round((Number(days) * 86_400 + seconds) * 1000);
}
