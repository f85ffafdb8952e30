import type { PanelError } from '../../../../shared/error-codes.ts';
import type { ServerConfig } from '../../../../shared/server-config.ts';
import type { Disposable } from '../../clock.ts';
import type { SpawnRequest } from '../../platform/spawner.ts';
import type { TreeFacts } from '../../telemetry/tree-facts.ts';
import { lineWords, type StartPurpose } from '../start/start-line.ts';
import { preparingReason } from '../../../../shared/package-run.ts';
import type { StartGate, StartTicket } from '../start/start-gate.ts';
import { toStartError } from './run-errors.ts';
import type { Run } from './run.ts';

/**
 * Returns the server's configuration for the run, in which references (for example to secrets) are replaced by their values.
 * Returns a promise only if it has to wait, because a promise lets later starts overtake this one. @throws PanelError (or
 * rejects with) CONSENT_REQUIRED, SECRET_MISSING
 */
type ResolveConfig = (
  config: ServerConfig,
  signal: AbortSignal,
  /** Called with the reason for a wait that may take seconds, as text for the state. */
  onWait?: (reason: string) => void,
) => ServerConfig | Promise<ServerConfig>;

export interface RunStartDeps {
  readonly startGate: StartGate;
  /**
   * Looks up the program and returns the process to spawn, if any; rejects if the program is missing. Called as soon as the
   * start gate is open, even while other servers are starting. If it is uncertain whether the program exists, it resolves, and
   * the spawn will show it.
   */
  readonly prepareSpawn?: ((config: ServerConfig) => Promise<SpawnRequest | undefined>) | undefined;
  /** Default: the configuration is used unchanged. */
  readonly resolveConfig?: ResolveConfig | undefined;
}

export interface RunStartOptions extends RunStartDeps {
  readonly purpose: StartPurpose;
  /** Settles when no process of earlier runs is left. */
  readonly cleared: Promise<void>;
  /** Creates the run once the start is admitted, with the resolved configuration and the result of `prepareSpawn`. */
  readonly createRun: (config: ServerConfig, request: SpawnRequest | undefined) => Run | Promise<Run>;
  /** Called when `reason` may have changed. `hasCome` is true on admission, false if the queue position or wait changed. */
  readonly onReason: (reason: string | undefined, hasCome: boolean) => void;
  /** Called before the launch. From then on the owner must end the run. */
  readonly onRun: (run: Run) => void;
  readonly onUp: () => void;
  readonly onFailed: (error: PanelError) => void;
}

/**
 * One start of a server: waits at the start gate, which limits how many servers start at the same time, and then launches the
 * run. After `dispose`, no callback is called.
 */
export class RunStart implements Disposable {
  readonly #config: ServerConfig;
  readonly #options: RunStartOptions;
  readonly #cancel = new AbortController();
  #ticket: StartTicket | undefined;
  #isAdmitted = false;
  /** Reason for the current wait: for the configuration to be resolved, or for an image. */
  #wait: string | undefined;

  constructor(config: ServerConfig, options: RunStartOptions) {
    this.#config = config;
    this.#options = options;
  }

  /** Reason why the start takes long, as text for the state; undefined if it does not take long so far. */
  get reason(): string | undefined {
    if (this.#wait !== undefined) return this.#wait;
    const line = this.#isAdmitted ? undefined : this.#ticket?.line;
    if (line) return lineWords(line);
    return this.#isAdmitted || this.#options.startGate.isOpen ? preparingReason(this.#config) : undefined;
  }

  /** Performs the start. Never rejects. The slot at the start gate is kept until the launch has ended, even after `dispose`. */
  async begin(): Promise<void> {
    const { signal } = this.#cancel;
    try {
      await this.#launch(signal);
      if (!signal.aborted) this.#options.onUp();
    } catch (error) {
      if (!signal.aborted) this.#options.onFailed(toStartError(error));
    } finally {
      this.#ticket?.release();
    }
  }

  hurry(): void {
    this.#ticket?.hurry();
  }

  looked(facts: TreeFacts): void {
    this.#ticket?.looked(facts);
  }

  /** Records why the start takes long; undefined when it no longer waits. */
  waits(reason: string | undefined): void {
    if (this.#wait === reason || this.#cancel.signal.aborted) return;
    this.#wait = reason;
    this.#options.onReason(this.reason, false);
  }

  dispose(): void {
    this.#cancel.abort();
  }

  async #launch(signal: AbortSignal): Promise<void> {
    const { createRun, onReason, onRun } = this.#options;
    const resolved = this.#resolve(signal);
    const config = resolved instanceof Promise ? await resolved : resolved;
    const request = await this.#admission(signal, config);
    signal.throwIfAborted();
    onReason(this.reason, true);
    const run = await createRun(config, request);
    // A run does nothing before `launch`, so an aborted run does not have to be ended.
    signal.throwIfAborted();
    onRun(run);
    await run.launch();
  }

  /**
   * Replaces the references in the configuration. This happens before the start joins the queue, because a start that waits for
   * this must not occupy a slot there.
   */
  #resolve(signal: AbortSignal): ServerConfig | Promise<ServerConfig> {
    const onWait = (reason: string) => this.waits(reason);
    const resolved = this.#options.resolveConfig?.(this.#config, signal, onWait) ?? this.#config;
    return resolved instanceof Promise ? resolved.finally(() => this.waits(undefined)) : resolved;
  }

  /**
   * Waits until the start gate admits the start. Resolves with the process to spawn, or with undefined if the program was
   * looked up before the wait and must be looked up again. If the command is missing, rejects without waiting for a slot. The
   * start joins the queue before this function returns its promise.
   * @throws PanelError COMMAND_NOT_FOUND; `signal.reason` when aborted
   */
  async #admission(signal: AbortSignal, config: ServerConfig): Promise<SpawnRequest | undefined> {
    signal.throwIfAborted();
    const { cleared, onReason, prepareSpawn, purpose, startGate } = this.#options;
    const given = new AbortController();
    const giveUp = () => given.abort(signal.reason);
    signal.addEventListener('abort', giveUp, { once: true });
    const prepared = startGate.opened.then(() => prepareSpawn?.(config));
    let isPrepared = false;
    prepared.then(() => (isPrepared = true)).catch(() => undefined);
    // If the preparation fails, the error is reported only after the previous run has ended.
    prepared.catch((error: unknown) => cleared.then(() => given.abort(error)));
    try {
      const onMoved = () => onReason(this.reason, false);
      const request = { purpose, signal: given.signal, ready: cleared, onMoved };
      this.#ticket = startGate.join(this.#config, request);
      await this.#ticket.admitted;
      this.#isAdmitted = true;
      // If the program was looked up before the start was admitted, the result may be outdated, because the programs on this
      // machine may have changed while the start waited.
      const isOld = isPrepared;
      // The start may have been admitted before the program was found.
      const found = await prepared;
      return isOld ? undefined : found;
    } finally {
      signal.removeEventListener('abort', giveUp);
    }
  }
}
