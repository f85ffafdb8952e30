import type { ServerConfig } from '../../../../shared/server-config.ts';
import type { SpawnRequest } from '../../platform/spawner.ts';
import type { TreeFacts } from '../../telemetry/tree-facts.ts';
import { preparingReason } from './package-runner.ts';
import type { StartGate, StartPlace } from './start-gate.ts';

export interface StartTurnDeps {
  readonly startGate: StartGate;
  /**
   * What is spawned for the server, if anything; rejects when that is not there. Told at once, whoever is starting; who is
   * not sure resolves, and leaves it to the spawn.
   */
  readonly prepareSpawn?: ((config: ServerConfig) => Promise<SpawnRequest | undefined>) | undefined;
}

/** One start's way through the gate. */
export class StartTurn {
  readonly #config: ServerConfig;
  readonly #deps: StartTurnDeps;
  #place: StartPlace | undefined;

  constructor(config: ServerConfig, deps: StartTurnDeps) {
    this.#config = config;
    this.#deps = deps;
  }

  /** Why the start takes long, in words for the state; undefined when it does not, or not yet. */
  get reason(): string | undefined {
    const { startGate } = this.#deps;
    if (this.#place !== undefined) return preparingReason(this.#config);
    const others = startGate.othersBefore(this.#config);
    if (others > 0) return `waiting for ${others} other ${others === 1 ? 'start' : 'starts'}`;
    return startGate.isOpen ? preparingReason(this.#config) : undefined;
  }

  /**
   * Resolves when the start may begin, which is not before `ready`; the caller releases the turn when the start is over. A
   * command that does not exist needs no turn.
   * @returns what is to be spawned; undefined where it has to be asked anew, because the start waited after the look
   * @throws PanelError COMMAND_NOT_FOUND; `signal.reason` when aborted.
   */
  async take(signal: AbortSignal, ready: Promise<void>): Promise<SpawnRequest | undefined> {
    signal.throwIfAborted();
    const { startGate, prepareSpawn } = this.#deps;
    const given = new AbortController();
    const giveUp = () => given.abort(signal.reason);
    signal.addEventListener('abort', giveUp, { once: true });
    const prepared = startGate.opened.then(() => prepareSpawn?.(this.#config));
    let isPrepared = false;
    prepared.then(() => (isPrepared = true)).catch(() => undefined);
    // While the last run is going, nothing is said of the next.
    prepared.catch((error: unknown) => ready.then(() => given.abort(error)));
    try {
      this.#place = await startGate.enter(this.#config, given.signal, ready);
      // The programs of the machine may have changed while the start waited.
      const isOld = isPrepared;
      // The start may have been let in before the look was over.
      const request = await prepared;
      return isOld ? undefined : request;
    } finally {
      signal.removeEventListener('abort', giveUp);
    }
  }

  /** A look at the tree that starts. */
  looked(tree: TreeFacts): void {
    this.#place?.looked(tree);
  }

  /** Gives the place back; harmless for a turn that never came, and the second time. */
  release(): void {
    this.#place?.release();
  }
}
