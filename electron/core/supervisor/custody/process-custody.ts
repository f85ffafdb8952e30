import type { DeathPipe } from '../../platform/death-pipe.ts';
import type { RunProcesses } from '../../platform/hosted-run.ts';
import type { ProcessLedger } from './process-ledger.ts';

export interface RunRecord extends RunProcesses {
  readonly server: string;
  readonly generation: number;
}

/**
 * Ensures that the processes of runs end if the panel dies. The death pipe, a helper process that notices the death, ends them
 * within seconds. If that fails, the next panel process ends them; it finds them in the ledger, a list on disk.
 */
export class ProcessCustody {
  readonly #ledger: ProcessLedger | undefined;
  readonly #startDeathPipe: (() => DeathPipe) | undefined;
  readonly #owner: Promise<unknown>;
  #deathPipe: DeathPipe | undefined;
  #isClosed = false;

  /** @param owner settles when the identity of this panel is known */
  constructor(
    ledger: ProcessLedger | undefined,
    startDeathPipe: (() => DeathPipe) | undefined,
    owner: Promise<unknown> = Promise.resolve(),
  ) {
    this.#ledger = ledger;
    this.#startDeathPipe = startDeathPipe;
    this.#owner = owner;
  }

  /** Resolves once runs can be written to disk. The start of servers waits for it; the app window does not. */
  async ready(): Promise<void> {
    await this.#owner;
  }

  /** Starts the helper process of the death pipe in advance, so that the first run does not wait for it. Idempotent. */
  prepare(): void {
    if (!this.#isClosed) this.#deathPipe ??= this.#startDeathPipe?.();
  }

  /** Records a run before its spawn. Resolves with a function that removes the record, even if the write failed. */
  async announce({
    server,
    generation,
    marker,
  }: Pick<RunRecord, 'server' | 'generation' | 'marker'>): Promise<() => void> {
    this.#ledger?.record({ server, generation, marker, members: [] });
    await this.#ledger?.flush();
    return () => this.#ledger?.forget(marker);
  }

  /**
   * Records the current state of a run. Called at the spawn and after each scan of its process tree; cheap if nothing changed.
   */
  record({ server, generation, marker, groupPid, members, onDeath }: RunRecord): void {
    if (groupPid === undefined) return;
    const startTime = members.find((member) => member.pid === groupPid)?.startTime;
    const group = startTime === undefined ? { pid: groupPid } : { pid: groupPid, startTime };
    this.#ledger?.record({ server, generation, marker, group, members: [...members] });
    this.prepare();
    this.#deathPipe?.update({ groupPid, startTime, marker, members, onDeath });
  }

  forget({ marker, groupPid }: Pick<RunRecord, 'marker' | 'groupPid'>): void {
    this.#ledger?.forget(marker);
    if (groupPid !== undefined) this.#deathPipe?.forget(groupPid);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#ledger?.close();
    await this.#deathPipe?.close();
  }
}
