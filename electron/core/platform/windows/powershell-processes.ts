import type { LineHelper } from '../line-helper.ts';
import type { ProcessReading } from '../process-table.ts';
import { parseReply } from './parse-rows.ts';
import type { WindowsProcessSource } from './process-source.ts';

/** What a listing costs others: PowerShell and the service behind it, some hundred milliseconds of CPU. */
const LEAST_INTERVAL_MS = 5000;

/** Processes as one PowerShell that stays lists them: where the kernel cannot be asked. */
export class PowerShellProcesses implements WindowsProcessSource {
  readonly leastIntervalMs = LEAST_INTERVAL_MS;
  readonly #helper: LineHelper;
  #questions = 0;

  /** Disposes `helper`, which runs HELPER_SCRIPT, with itself. */
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
