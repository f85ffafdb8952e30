import type { ServerConfig } from '../../../../shared/server-config.ts';
import type { TreeFacts } from '../../telemetry/tree-facts.ts';
import { preparingReason } from './package-runner.ts';
import type { StartGate, StartPlace } from './start-gate.ts';

export interface StartTurnDeps {
  readonly startGate: StartGate;
  /**
   * Rejects when what the server runs is not there. Told at once, whoever is starting; who is not sure resolves, and
   * leaves it to the spawn.
   */
  readonly requireCommand?: ((config: ServerConfig) => Promise<void>) | undefined;
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
   * @throws PanelError COMMAND_NOT_FOUND; `signal.reason` when aborted.
   */
  async take(signal: AbortSignal, ready: Promise<void>): Promise<void> {
    signal.throwIfAborted();
    const { startGate, requireCommand } = this.#deps;
    const given = new AbortController();
    const giveUp = () => given.abort(signal.reason);
    signal.addEventListener('abort', giveUp, { once: true });
    const found = startGate.opened.then(() => requireCommand?.(this.#config));
    // While the last run is going, nothing is said of the next.
    found.catch((error: unknown) => ready.then(() => given.abort(error)));
    try {
      this.#place = await startGate.enter(this.#config, given.signal, ready);
      // It may have been let in before the look was over.
      await found;
    } finally {
      signal.removeEventListener('abort', giveUp);
    }
  }

  /** A look at the tree that starts. */
  looked(tree: TreeFacts): void {
    this.#place?.looked(tree);
  }

  /** Of one that never came, too; twice is harmless. */
  release(): void {
    this.#place?.release();
  }
}
