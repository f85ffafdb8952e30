import { ProcessForest } from './process-forest.ts';
import type { ProcessDetails, ProcessIdentity, ProcessReading, ProcessTable } from './process-table.ts';
import { SharedLook } from './shared-look.ts';
import { canBeChild } from './windows/parse-rows.ts';
import type { WindowsProcessSource } from './windows/process-source.ts';
import { epochMsOfTicks } from './windows/start-time.ts';

/**
 * The process table of Windows. Callers that ask before a listing has begun share it. Handles count as open files; Windows
 * reports neither environments, nor whether a process is stopped.
 */
export class WindowsProcessTable implements ProcessTable {
  readonly leastIntervalMs: number;
  readonly identifySync?: (pid: number) => ProcessIdentity | undefined;
  readonly #source: WindowsProcessSource;
  readonly #processes: SharedLook<ProcessForest>;

  /** Takes ownership of `source`, and disposes it with itself. */
  constructor(source: WindowsProcessSource) {
    this.#source = source;
    this.#processes = new SharedLook(async () => new ProcessForest(await source.list(), canBeChild));
    this.leastIntervalMs = source.leastIntervalMs ?? 0;
    if (source.identify) this.identifySync = source.identify.bind(source);
  }

  async readTrees(rootPids: readonly number[]): Promise<ReadonlyMap<number, readonly ProcessReading[]>> {
    return rootPids.length === 0 ? new Map() : (await this.#processes.ask()).trees(rootPids);
  }

  async identify(pid: number): Promise<ProcessIdentity | undefined> {
    if (this.identifySync) return this.identifySync(pid);
    const found = (await this.#processes.ask()).get(pid);
    return found && identityOf(found);
  }

  async listDescendants(pid: number): Promise<readonly ProcessIdentity[]> {
    return (await this.#processes.ask()).tree(pid).slice(1).map(identityOf);
  }

  findByEnvironment(): Promise<readonly ProcessIdentity[]> {
    return Promise.resolve([]);
  }

  describe(processes: readonly ProcessIdentity[]): Promise<ReadonlyMap<number, ProcessDetails>> {
    return Promise.resolve(new Map(processes.map((process) => [process.pid, this.#detailsOf(process)])));
  }

  dispose(): void {
    this.#source.dispose();
  }

  #detailsOf({ pid, startTime }: ProcessIdentity): ProcessDetails {
    const startedAtMs = epochMsOfTicks(startTime);
    const isSame = this.identifySync?.(pid)?.startTime === startTime;
    const commandLine = isSame ? this.#source.commandLine?.(pid) : undefined;
    return { startedAtMs, ...(commandLine !== undefined && { commandLine }) };
  }
}

function identityOf({ pid, startTime }: ProcessReading): ProcessIdentity {
  return { pid, startTime };
}
