import type { LineHelper } from './line-helper.ts';
import { ProcessForest } from './process-forest.ts';
import type { ProcessDetails, ProcessIdentity, ProcessReading, ProcessTable } from './process-table.ts';
import { SharedLook } from './shared-look.ts';
import { canBeChild, epochMsOfTicks, parseReply } from './windows/parse-rows.ts';

/**
 * The process table of Windows: one PowerShell that stays, asked once per pass. A listing costs it some hundred
 * milliseconds of CPU, so that every five seconds is often enough. Handles stand for open files; Windows tells neither
 * environments, nor whether a process is stopped.
 */
export class WindowsProcessTable implements ProcessTable {
  readonly #helper: LineHelper;
  readonly #processes = new SharedLook(() => this.#list());
  #questions = 0;

  /** Disposes `helper`, which runs HELPER_SCRIPT, with itself. */
  constructor(helper: LineHelper) {
    this.#helper = helper;
  }

  async readTrees(rootPids: readonly number[]): Promise<ReadonlyMap<number, readonly ProcessReading[]>> {
    return rootPids.length === 0 ? new Map() : (await this.#processes.ask()).trees(rootPids);
  }

  async identify(pid: number): Promise<ProcessIdentity | undefined> {
    const found = (await this.#processes.ask()).get(pid);
    return found && identityOf(found);
  }

  async listDescendants(pid: number): Promise<readonly ProcessIdentity[]> {
    return (await this.#processes.ask()).tree(pid).slice(1).map(identityOf);
  }

  findByEnvironment(): Promise<readonly ProcessIdentity[]> {
    return Promise.resolve([]);
  }

  /** Command lines would make every listing several times as long. */
  describe(processes: readonly ProcessIdentity[]): Promise<ReadonlyMap<number, ProcessDetails>> {
    const details = processes.map(
      ({ pid, startTime }) => [pid, { startedAtMs: epochMsOfTicks(startTime) }] as const,
    );
    return Promise.resolve(new Map(details));
  }

  dispose(): void {
    this.#helper.dispose();
  }

  async #list(): Promise<ProcessForest> {
    this.#questions += 1;
    const id = String(this.#questions);
    return new ProcessForest(parseReply(await this.#helper.ask(id), id), canBeChild);
  }
}

function identityOf({ pid, startTime }: ProcessReading): ProcessIdentity {
  return { pid, startTime };
}
