import type { DeathPipe } from '../../platform/death-pipe.ts';
import type { ProcessIdentity } from '../../platform/process-table.ts';
import type { ProcessLedger } from './process-ledger.ts';

/** Which processes a run consists of, as far as they were seen. */
export interface RunRecord {
  readonly server: string;
  readonly generation: number;
  readonly marker: string;
  readonly groupPid: number;
  /** Everything recorded that may be alive, the group's leader too. */
  readonly members: readonly ProcessIdentity[];
}

/**
 * Makes sure that runs end even if we die first: the helper on the death pipe ends them within seconds, the ledger lets
 * the next panel end what is left. Either may be missing on a system that cannot have it.
 */
export class ProcessCustody {
  readonly #ledger: ProcessLedger | undefined;
  readonly #startDeathPipe: (() => DeathPipe) | undefined;
  readonly #owner: Promise<unknown>;
  #deathPipe: DeathPipe | undefined;
  #isClosed = false;

  /** @param owner settles when it is known whose ledger it is */
  constructor(
    ledger: ProcessLedger | undefined,
    startDeathPipe: (() => DeathPipe) | undefined,
    owner: Promise<unknown> = Promise.resolve(),
  ) {
    this.#ledger = ledger;
    this.#startDeathPipe = startDeathPipe;
    this.#owner = owner;
  }

  /** Resolves when runs are written down as soon as they are recorded. Servers wait for it, the window does not. */
  async ready(): Promise<void> {
    await this.#owner;
  }

  /** Starts the helper, so that the first run need not wait for it. Idempotent. */
  prepare(): void {
    if (!this.#isClosed) this.#deathPipe ??= this.#startDeathPipe?.();
  }

  /** Notes a run that is about to be spawned. Resolves with the undo once that is on disk, or could not be written. */
  async announce({
    server,
    generation,
    marker,
  }: Pick<RunRecord, 'server' | 'generation' | 'marker'>): Promise<() => void> {
    this.#ledger?.record({ server, generation, marker, members: [] });
    await this.#ledger?.flush();
    return () => this.#ledger?.forget(marker);
  }

  /** Takes over a run as it is now. Called at the spawn and after each look at its tree; cheap when nothing changed. */
  record({ server, generation, marker, groupPid, members }: RunRecord): void {
    const startTime = members.find((member) => member.pid === groupPid)?.startTime;
    const group = startTime === undefined ? { pid: groupPid } : { pid: groupPid, startTime };
    this.#ledger?.record({
      server,
      generation,
      marker,
      group,
      members: [...members],
    });
    this.prepare();
    this.#deathPipe?.update({ groupPid, startTime, marker, members });
  }

  /** Nothing of the run is left. */
  forget({ marker, groupPid }: Pick<RunRecord, 'marker' | 'groupPid'>): void {
    this.#ledger?.forget(marker);
    this.#deathPipe?.forget(groupPid);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#ledger?.close();
    await this.#deathPipe?.close();
  }
}
