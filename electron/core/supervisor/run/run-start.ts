import type { PanelError } from '../../../../shared/error-codes.ts';
import type { ServerConfig } from '../../../../shared/server-config.ts';
import type { Disposable } from '../../clock.ts';
import type { SpawnRequest } from '../../platform/spawner.ts';
import type { TreeFacts } from '../../telemetry/tree-facts.ts';
import type { StartPurpose } from '../start/start-line.ts';
import { StartTurn, type StartTurnDeps } from '../start/start-turn.ts';
import { toStartError } from './run-errors.ts';
import type { Run } from './run.ts';

/**
 * Returns the definition to run: with its references replaced by values. Returns a promise only where it has to wait, so that
 * other starts keep their order. @throws PanelError (or rejects with) CONSENT_REQUIRED, SECRET_MISSING
 */
export type ResolveConfig = (
  config: ServerConfig,
  signal: AbortSignal,
  /** Called with the reason for a wait that may take seconds, as text for the state. */
  onWait?: (reason: string) => void,
) => ServerConfig | Promise<ServerConfig>;

export interface RunStartOptions extends StartTurnDeps {
  readonly purpose: StartPurpose;
  readonly resolveConfig?: ResolveConfig | undefined;
  /** Settles when no process of earlier runs is left. */
  readonly cleared: Promise<void>;
  /** Creates the run once the start is admitted, with the resolved definition and the result of `prepareSpawn`. */
  readonly createRun: (config: ServerConfig, request: SpawnRequest | undefined) => Run | Promise<Run>;
  /** Called when `reason` may have changed, because the start was admitted or its position in the queue changed. */
  readonly onReason: (reason: string | undefined, hasCome: boolean) => void;
  /** Called before the launch. From then on the owner has to end the run. */
  readonly onRun: (run: Run) => void;
  readonly onUp: () => void;
  readonly onFailed: (error: PanelError) => void;
}

/** Start of a run: its wait at the gate, then the launch. No callback runs after its disposal. */
export class RunStart implements Disposable {
  readonly #config: ServerConfig;
  readonly #options: RunStartOptions;
  readonly #turn: StartTurn;
  readonly #cancel = new AbortController();
  /** Reason for a wait: for the definition to be resolved, or for an image. */
  #wait: string | undefined;

  constructor(config: ServerConfig, options: RunStartOptions) {
    this.#config = config;
    this.#options = options;
    this.#turn = new StartTurn(config, { ...options, onMoved: () => options.onReason(this.reason, false) });
  }

  /** Reason why the start takes long, as text for the state; undefined if it does not take long, or not yet. */
  get reason(): string | undefined {
    return this.#wait ?? this.#turn.reason;
  }

  /**
   * Begins the start. Never rejects. The slot at the gate is held until the launch is over, even if the start was disposed
   * before.
   */
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

  /** Gives the start priority because a caller waits for it. */
  hurry(): void {
    this.#turn.hurry();
  }

  /** Takes a sample of the starting tree. */
  looked(facts: TreeFacts): void {
    this.#turn.looked(facts);
  }

  /** Notes why the start takes long; undefined when it waits no more. */
  waits(reason: string | undefined): void {
    if (this.#wait === reason || this.#cancel.signal.aborted) return;
    this.#wait = reason;
    this.#options.onReason(this.reason, false);
  }

  dispose(): void {
    this.#cancel.abort();
  }

  async #launch(signal: AbortSignal): Promise<void> {
    const { cleared, createRun, onReason, onRun } = this.#options;
    const resolved = this.#resolve(signal);
    const config = resolved instanceof Promise ? await resolved : resolved;
    const request = await this.#turn.take(signal, cleared, config);
    signal.throwIfAborted();
    onReason(this.#turn.reason, true);
    const run = await createRun(config, request);
    // A run does nothing before `launch`, so an aborted one needs no end.
    signal.throwIfAborted();
    onRun(run);
    await run.launch();
  }

  /** Resolves the definition before the start joins the queue, because a wait must hold no place there. */
  #resolve(signal: AbortSignal): ServerConfig | Promise<ServerConfig> {
    const onWait = (reason: string) => this.waits(reason);
    const resolved = this.#options.resolveConfig?.(this.#config, signal, onWait) ?? this.#config;
    return resolved instanceof Promise ? resolved.finally(() => this.waits(undefined)) : resolved;
  }
}
