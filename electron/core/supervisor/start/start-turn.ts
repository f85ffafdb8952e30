import type { ServerConfig } from '../../../../shared/server-config.ts';
import type { SpawnRequest } from '../../platform/spawner.ts';
import type { TreeFacts } from '../../telemetry/tree-facts.ts';
import { preparingReason } from '../../../../shared/package-run.ts';
import type { StartGate, StartTicket } from './start-gate.ts';
import { lineWords, type StartPurpose } from './start-line.ts';

export interface StartTurnDeps {
  readonly startGate: StartGate;
  /**
   * What is spawned for the server, if anything; rejects when that is not there. Told at once, whoever is starting; who is
   * not sure resolves, and leaves it to the spawn.
   */
  readonly prepareSpawn?: ((config: ServerConfig) => Promise<SpawnRequest | undefined>) | undefined;
}

export interface StartTurnOptions extends StartTurnDeps {
  readonly purpose: StartPurpose;
  /** `reason` may be another one, while the turn has not come. */
  readonly onMoved: () => void;
}

/** One start's way through the gate. */
export class StartTurn {
  readonly #config: ServerConfig;
  readonly #options: StartTurnOptions;
  #ticket: StartTicket | undefined;
  #hasCome = false;

  constructor(config: ServerConfig, options: StartTurnOptions) {
    this.#config = config;
    this.#options = options;
  }

  /** Why the start takes long, in words for the state; undefined when it does not, or not yet. */
  get reason(): string | undefined {
    if (this.#hasCome) return preparingReason(this.#config);
    const line = this.#ticket?.line;
    if (line) return lineWords(line);
    return this.#options.startGate.isOpen ? preparingReason(this.#config) : undefined;
  }

  /**
   * Resolves when the start may begin, which is not before `ready`; the caller releases the turn when the start is over. A
   * command that does not exist needs no turn. The start is in the line when this returns.
   * @returns what is to be spawned; undefined where it has to be asked anew, because the start waited after the look
   * @throws PanelError COMMAND_NOT_FOUND; `signal.reason` when aborted.
   */
  async take(signal: AbortSignal, ready: Promise<void>): Promise<SpawnRequest | undefined> {
    signal.throwIfAborted();
    const { startGate, prepareSpawn, purpose, onMoved } = this.#options;
    const given = new AbortController();
    const giveUp = () => given.abort(signal.reason);
    signal.addEventListener('abort', giveUp, { once: true });
    const prepared = startGate.opened.then(() => prepareSpawn?.(this.#config));
    let isPrepared = false;
    prepared.then(() => (isPrepared = true)).catch(() => undefined);
    // While the last run is going, nothing is said of the next.
    prepared.catch((error: unknown) => ready.then(() => given.abort(error)));
    try {
      this.#ticket = startGate.join(this.#config, { purpose, signal: given.signal, ready, onMoved });
      await this.#ticket.admitted;
      this.#hasCome = true;
      // The programs of the machine may have changed while the start waited.
      const isOld = isPrepared;
      // The start may have been let in before the look was over.
      const request = await prepared;
      return isOld ? undefined : request;
    } finally {
      signal.removeEventListener('abort', giveUp);
    }
  }

  /** Somebody waits for the start now. */
  hurry(): void {
    this.#ticket?.hurry();
  }

  /** A look at the tree that starts. */
  looked(tree: TreeFacts): void {
    this.#ticket?.looked(tree);
  }

  /** Gives the place back; harmless for a turn that never came, and the second time. */
  release(): void {
    this.#ticket?.release();
  }
}
