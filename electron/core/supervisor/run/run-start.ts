import type { PanelError } from '../../../../shared/error-codes.ts';
import type { ServerConfig } from '../../../../shared/server-config.ts';
import type { Disposable } from '../../clock.ts';
import type { SpawnRequest } from '../../platform/spawner.ts';
import type { TreeFacts } from '../../telemetry/tree-facts.ts';
import type { StartPurpose } from '../start/start-line.ts';
import { StartTurn, type StartTurnDeps } from '../start/start-turn.ts';
import { toStartError } from './run-errors.ts';
import type { Run } from './run.ts';

export interface RunStartOptions extends StartTurnDeps {
  readonly purpose: StartPurpose;
  /** Settles when nothing of earlier runs is left. */
  readonly cleared: Promise<void>;
  /** The turn has come: the run is made now, with what `prepareSpawn` made for it. */
  readonly createRun: (request: SpawnRequest | undefined) => Run | Promise<Run>;
  /** `reason` may have changed, because the turn has come or the line has moved. */
  readonly onReason: (reason: string | undefined, hasCome: boolean) => void;
  /** The run is there and about to be launched. From now on its end is up to the owner. */
  readonly onRun: (run: Run) => void;
  readonly onUp: () => void;
  readonly onFailed: (error: PanelError) => void;
}

/** One start of a run: its turn at the gate, then the launch. Disposed by its owner, it calls back no more. */
export class RunStart implements Disposable {
  readonly #options: RunStartOptions;
  readonly #turn: StartTurn;
  readonly #cancel = new AbortController();

  constructor(config: ServerConfig, options: RunStartOptions) {
    this.#options = options;
    this.#turn = new StartTurn(config, { ...options, onMoved: () => options.onReason(this.reason, false) });
  }

  /** Why the start takes long, in words for the state; undefined when it does not, or not yet. */
  get reason(): string | undefined {
    return this.#turn.reason;
  }

  /** Never rejects. The place at the gate is held until the launch is over, also when the start was disposed before. */
  async begin(): Promise<void> {
    const { signal } = this.#cancel;
    try {
      await this.#launch(signal);
      if (!signal.aborted) this.#options.onUp();
    } catch (error) {
      if (!signal.aborted) this.#options.onFailed(toStartError(error));
    } finally {
      this.#turn.release();
    }
  }

  /** Somebody waits for the start now. */
  hurry(): void {
    this.#turn.hurry();
  }

  /** A look at the tree that starts. */
  looked(facts: TreeFacts): void {
    this.#turn.looked(facts);
  }

  dispose(): void {
    this.#cancel.abort();
  }

  async #launch(signal: AbortSignal): Promise<void> {
    const { cleared, createRun, onReason, onRun } = this.#options;
    const request = await this.#turn.take(signal, cleared);
    signal.throwIfAborted();
    onReason(this.#turn.reason, true);
    const run = await createRun(request);
    // Nothing runs before `launch`, so a run that came too late has nothing to end.
    signal.throwIfAborted();
    onRun(run);
    await run.launch();
  }
}
