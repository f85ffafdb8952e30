import type { LineHelper } from '../line-helper.ts';
import type { ProcessReading } from '../process-table.ts';
import { parseReply } from './parse-rows.ts';
import type { WindowsProcessSource } from './process-source.ts';

/**
 * Minimum milliseconds between listings, because a listing costs PowerShell and the service behind it some hundred
 * milliseconds of CPU.
 */
const LEAST_INTERVAL_MS = 5000;

/** Processes listed by one long-running PowerShell, for systems where the kernel cannot be queried. */
export class PowerShellProcesses implements WindowsProcessSource {
  readonly leastIntervalMs = LEAST_INTERVAL_MS;
  readonly #helper: LineHelper;
  #questions = 0;

  /** Takes ownership of `helper`, which runs HELPER_SCRIPT, and disposes it with itself. */
  constructor(helper: LineHelper) {
    this.#helper = helper;
  }

  async list(): Promise<readonly ProcessReading[]> {
    this.#questions += 1;
    const id = String(this.#questions);
    return parseReply(await this.#helper.ask(id), id);
  }

  dispose(): void {
    this.#helper.dispose();
  }
}
