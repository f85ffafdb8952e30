import type { LogEvent } from '../../../../shared/events.ts';
import type { StopReport } from '../../platform/hosted-run.ts';
import type { ProcessCustody } from '../custody/process-custody.ts';
import type { Run } from './run.ts';
import { messageOf } from '../../../../shared/message-of.ts';

export interface RunSlotOptions {
  readonly server: string;
  readonly logEvent: LogEvent;
  readonly notice: (line: string) => void;
  readonly onChange: () => void;
  readonly custody: ProcessCustody;
}

/** Slot of the one run that a server may have. It is free when no process of an earlier run is left. */
export class RunSlot {
  readonly #options: RunSlotOptions;
  #run: Run | undefined;
  #generation = 0;
  #cleared: Promise<void> = Promise.resolve();

  constructor(options: RunSlotOptions) {
    this.#options = options;
  }

  get run(): Run | undefined {
    return this.#run;
  }

  /** Settles, never rejects, when no process of the ended runs is left. */
  get cleared(): Promise<void> {
    return this.#cleared;
  }

  /** Puts a run into the slot. May only be called after `cleared` has settled. */
  put(run: Run, generation: number): void {
    this.#run = run;
    this.#generation = generation;
  }

  /** Records a process before its spawn, as `RunHooks.announce` describes. */
  announce(marker: string): Promise<() => void> {
    const { server, custody } = this.#options;
    return custody.announce({ server, generation: this.#generation, marker });
  }

  /** Records the processes of the run as they are currently known. */
  record(): void {
    const { server, custody } = this.#options;
    if (this.#run?.record) custody.record({ server, generation: this.#generation, ...this.#run.record });
  }

  /** Ends the run, if any; `cleared` waits for it. */
  end(how: (run: Run) => Promise<StopReport>): void {
    const run = this.#run;
    if (!run) return;
    const ended = how(run).then(
      (report) => this.#leave(run, report),
      (error: unknown) => this.#notice(`its processes could not be ended: ${messageOf(error)}`),
    );
    this.#cleared = Promise.all([this.#cleared, ended]).then(() => undefined);
  }

  #leave(run: Run, report: StopReport): void {
    if (this.#run !== run) return; // Ended twice (a crash, then a stop): reported once.
    this.#run = undefined;
    const { forceKilledPids: pids, leftPids, lookError, leftContainer } = report;
    const left = leftPids.length > 0 ? leftPids : undefined;
    if (pids.length > 0) this.#options.logEvent('force-killed', { pids, signal: 'SIGKILL', leftPids: left });
    if (left) this.#notice(`processes ${left.join(', ')} did not end even after SIGKILL`);
    if (lookError)
      this.#notice(`its processes could not be looked up, some may be left: ${lookError.message}`);
    if (leftContainer !== undefined) this.#notice(leftContainer);
    // Processes that may still run stay on record, so that the next panel tries again.
    if (run.record && !left && !lookError) this.#options.custody.forget(run.record);
    this.#options.onChange();
  }

  #notice(words: string): void {
    this.#options.notice(`${this.#options.server}: ${words}`);
  }
}
