import type { Clock } from '../clock.ts';
import { ProcessForest } from './process-forest.ts';
import type { ProcessDetails, ProcessIdentity, ProcessReading, ProcessTable } from './process-table.ts';
import { parseDetails } from './ps/parse-details.ts';
import { parsePs, PS_FORMAT } from './ps/parse-ps.ts';
import type { ReadUsage } from './ps/pidusage-reader.ts';
import { CommandError, type RunCommand } from './run-command.ts';
import { SharedLook } from './shared-look.ts';

/** Pause in lengths of the last listing, which is one process at work: at most a tenth of a core goes into them. */
const PAUSE_PER_LISTING = 10;
/** More would let a server go too long beyond its limits. */
const MOST_PAUSE_MS = 5000;

export interface PsProcessTableOptions {
  readonly run: RunCommand;
  /** Without it nobody measures what a listing takes, and none is spared. */
  readonly clock?: Pick<Clock, 'now'>;
  /** Where the memory and CPU columns of `ps` cannot be trusted, reads both. On macOS the listing holds them already. */
  readonly readUsage?: ReadUsage;
}

/**
 * The process table of macOS and other systems with ps(1): one listing serves all trees of a pass, and everybody who asks
 * before it has begun. There is no cheap source of open files, written bytes, or the time of children that have ended.
 */
export class PsProcessTable implements ProcessTable {
  readonly #options: PsProcessTableOptions;
  readonly #processes = new SharedLook(() => this.#list());
  #listingMs = 0;
  readonly #environments = new SharedLook(() => this.#listEnvironments());

  constructor(options: PsProcessTableOptions) {
    this.#options = options;
  }

  get leastIntervalMs(): number {
    return Math.min(MOST_PAUSE_MS, this.#listingMs * PAUSE_PER_LISTING);
  }

  async readTrees(rootPids: readonly number[]): Promise<ReadonlyMap<number, readonly ProcessReading[]>> {
    if (rootPids.length === 0) return new Map();
    const trees = (await this.#processes.ask()).trees(rootPids);
    const { readUsage } = this.#options;
    return readUsage === undefined ? trees : withUsage(trees, readUsage);
  }

  async identify(pid: number): Promise<ProcessIdentity | undefined> {
    const found = (await this.#processes.ask()).get(pid);
    return found && identityOf(found);
  }

  async listDescendants(pid: number): Promise<readonly ProcessIdentity[]> {
    return (await this.#processes.ask()).tree(pid).slice(1).map(identityOf);
  }

  /** `-E` shows, for own processes, the environment behind the arguments: names and values stand there in plain text. */
  async findByEnvironment(name: string, value: string): Promise<readonly ProcessIdentity[]> {
    const variable = ` ${name}=${value} `;
    const pids = (await this.#environments.ask()).filter((line) => `${line} `.includes(variable));
    if (pids.length === 0) return [];
    const forest = await this.#processes.ask();
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
    // Every listing is a process of its own, which ends by itself.
  }

  async #list(): Promise<ProcessForest> {
    const { clock, run } = this.#options;
    const startedMs = clock?.now() ?? 0;
    const output = await run('ps', ['-axo', PS_FORMAT]);
    this.#listingMs = (clock?.now() ?? 0) - startedMs;
    return new ProcessForest(parsePs(output));
  }

  /** Lines of a pid, arguments and environment. Other systems' ps refuses -E. */
  async #listEnvironments(): Promise<readonly string[]> {
    const output = await this.#options.run('ps', ['-axwwE', '-o', 'pid=,command=']).catch(nothingFound);
    return output.split('\n').map((line) => line.trimEnd());
  }
}

/** A `ps` that has ended with a failure has answered. One that could not even run has not, and nobody is gone for that. */
function nothingFound(error: unknown): string {
  if (error instanceof CommandError && error.exitCode !== undefined) return '';
  throw error;
}

function identityOf({ pid, startTime }: ProcessReading): ProcessIdentity {
  return { pid, startTime };
}

async function withUsage(
  trees: ReadonlyMap<number, readonly ProcessReading[]>,
  readUsage: ReadUsage,
): Promise<ReadonlyMap<number, readonly ProcessReading[]>> {
  const pids = [...trees.values()].flatMap((tree) => tree.map(({ pid }) => pid));
  const usage = await readUsage([...new Set(pids)]);
  return new Map(
    [...trees].map(([root, tree]) => [root, tree.map((one) => ({ ...one, ...usage.get(one.pid) }))]),
  );
}
