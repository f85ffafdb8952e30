import type { ServerConfig } from '../../../../shared/server-config.ts';
import type { SpawnRequest } from '../../platform/spawner.ts';
import type { TreeFacts } from '../../telemetry/tree-facts.ts';
import { preparingReason } from '../../../../shared/package-run.ts';
import type { StartGate, StartTicket } from './start-gate.ts';
import { lineWords, type StartPurpose } from './start-line.ts';

export interface StartTurnDeps {
  readonly startGate: StartGate;
  /**
   * Returns the process to spawn, if any; rejects if its program is missing. Called at once, even while other servers start.
   * If it is unsure whether the program exists, it resolves and leaves the check to the spawn.
   */
  readonly prepareSpawn?: ((config: ServerConfig) => Promise<SpawnRequest | undefined>) | undefined;
}

export interface StartTurnOptions extends StartTurnDeps {
  readonly purpose: StartPurpose;
  /** Called when `reason` may have changed before the admission. */
  readonly onMoved: () => void;
}

/** Way of one start through the gate. */
export class StartTurn {
  readonly #config: ServerConfig;
  readonly #options: StartTurnOptions;
  #ticket: StartTicket | undefined;
  #hasCome = false;

  constructor(config: ServerConfig, options: StartTurnOptions) {
    this.#config = config;
    this.#options = options;
  }

  /** Reason why the start takes long, as text for the state; undefined if it does not take long, or not yet. */
  get reason(): string | undefined {
    if (this.#hasCome) return preparingReason(this.#config);
    const line = this.#ticket?.line;
    if (line) return lineWords(line);
    return this.#options.startGate.isOpen ? preparingReason(this.#config) : undefined;
  }

  /**
   * Resolves when the start may begin, not before `ready`; the caller releases the slot when the start is over. A missing
   * command needs no slot. The start is in the queue when this call returns. @param config with its references resolved @returns the process to spawn; undefined if it
   * has to be resolved again, because the start waited after its program was resolved @throws PanelError COMMAND_NOT_FOUND;
   * `signal.reason` when aborted
   */
  async take(
    signal: AbortSignal,
    ready: Promise<void>,
    config = this.#config,
  ): Promise<SpawnRequest | undefined> {
    signal.throwIfAborted();
    const { startGate, prepareSpawn, purpose, onMoved } = this.#options;
    const given = new AbortController();
    const giveUp = () => given.abort(signal.reason);
    signal.addEventListener('abort', giveUp, { once: true });
    const prepared = startGate.opened.then(() => prepareSpawn?.(config));
    let isPrepared = false;
    prepared.then(() => (isPrepared = true)).catch(() => undefined);
    // An error of the next run is withheld until the last run has ended.
    prepared.catch((error: unknown) => ready.then(() => given.abort(error)));
    try {
      this.#ticket = startGate.join(this.#config, { purpose, signal: given.signal, ready, onMoved });
      await this.#ticket.admitted;
      this.#hasCome = true;
      // The programs on this machine may have changed while the start waited.
      const isOld = isPrepared;
      // The start may be admitted before the program is resolved.
      const request = await prepared;
      return isOld ? undefined : request;
    } finally {
      signal.removeEventListener('abort', giveUp);
    }
  }

  /** Gives the start priority because a caller waits for it. */
  hurry(): void {
    this.#ticket?.hurry();
  }

  /** Takes a sample of the starting tree. */
  looked(tree: TreeFacts): void {
    this.#ticket?.looked(tree);
  }

  /** Releases the slot; idempotent, and harmless before the admission. */
  release(): void {
    this.#ticket?.release();
  }
}
