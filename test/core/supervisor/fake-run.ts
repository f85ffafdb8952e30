import { PanelError } from '../../../shared/error-codes.ts';
import { createDeferred, type Deferred } from '../../../electron/core/deferred.ts';
import type { StopReport } from '../../../electron/core/platform/hosted-run.ts';
import { nothingToEnd, type Run, type RunHooks } from '../../../electron/core/supervisor/run/run.ts';

/**
 * Run that a test moves by hand: each step waits at a gate. `isAlive` is true while a real one could have a
 * process.
 */
export class FakeRun implements Run {
  readonly connection = undefined;
  readonly record: Run['record'];
  readonly hooks: RunHooks;
  readonly pid: number;
  isAlive = false;
  endError: PanelError | undefined;
  readonly #ready: Deferred<void> = createDeferred();
  readonly #gone: Deferred<StopReport> = createDeferred();

  constructor(pid: number, hooks: RunHooks) {
    this.pid = pid;
    this.record = { marker: `m${pid}`, groupPid: pid, members: [] };
    this.hooks = hooks;
    this.#ready.promise.catch(() => undefined);
  }

  launch(): Promise<void> {
    this.isAlive = true;
    return this.#ready.promise;
  }
  sampled(): void {
    return undefined;
  }
  end(_graces: unknown, error: PanelError): Promise<StopReport> {
    this.endError ??= error;
    this.#ready.reject(error);
    return this.#gone.promise;
  }
  kill(error: PanelError): Promise<StopReport> {
    return this.end(undefined, error);
  }

  /** Lets the handshake succeed. */
  becomeReady(): void {
    this.#ready.resolve();
  }
  /** Lets the start fail by itself. */
  failToStart(error = new PanelError('START_FAILED', 'exited with code 1')): void {
    this.#ready.reject(error);
  }
  /** Ends the process unasked. */
  crash(error = new PanelError('CRASHED', 'exited with code 1')): void {
    this.hooks.onCrashed(error);
  }
  /** Ends the last process of the tree. Only after `end` was asked for. */
  becomeGone(report = nothingToEnd): void {
    if (this.endError === undefined) throw new Error('nobody asked this run to end');
    this.isAlive = false;
    this.#gone.resolve(report);
  }
}
