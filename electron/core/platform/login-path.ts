import type { Clock } from '../clock.ts';

/** Part of the environment that a terminal of this user would have, mainly the PATH. */
export interface LoginCapture {
  readonly path?: string;
  /**
   * Where the PATH comes from. `fallback`: well-known folders that exist on this machine. `registry`: Windows. `none`: there is
   * nothing to add to the panel's own PATH.
   */
  readonly source: 'shell' | 'fallback' | 'registry' | 'none';
  readonly problem?: string;
  /**
   * All variables of the shell, because configurations imported from other MCP clients may refer to any of them. Absent for
   * other sources.
   */
  readonly variables?: ReadonlyMap<string, string>;
}

interface LoginPathOptions {
  readonly clock: Clock;
  /** Captures the PATH: `captureLoginPath` with its dependencies already supplied. Never rejects. */
  readonly capture: (signal: AbortSignal) => Promise<LoginCapture>;
  /** Skips the first capture, because the panel's own PATH suffices until a program is missing. Default: false. */
  readonly isLazy?: boolean;
  /** Minimum milliseconds between two captures by `recapture`. Default: 30 s. */
  readonly recaptureMs?: number;
}

/**
 * Default of `recaptureMs`: short enough for a retry after an install, and long enough that ten wrong commands do not run ten
 * shells.
 */
const RECAPTURE_MS = 30_000;

/**
 * Holds the PATH of the user's login shell. It is captured once, and again when a command was not found. The owner must dispose
 * of this object.
 */
export class LoginPath {
  readonly #options: LoginPathOptions;
  readonly #abort = new AbortController();
  #known: LoginCapture | undefined;
  #capturing: Promise<LoginCapture> | undefined;
  #capturedAtMs: number | undefined;

  constructor(options: LoginPathOptions) {
    this.#options = options;
  }

  get current(): LoginCapture | undefined {
    return this.#known;
  }

  /** Returns the captured PATH. The first capture is shared by all callers that wait for it. */
  ensure(): Promise<LoginCapture> {
    if (this.#options.isLazy) return Promise.resolve(this.#known ?? { source: 'none' });
    return this.#known === undefined ? this.#capture() : Promise.resolve(this.#known);
  }

  /** Captures the PATH again, unless the last capture is less than `recaptureMs` old; in that case returns that capture. */
  recapture(): Promise<LoginCapture> {
    const { clock, recaptureMs = RECAPTURE_MS } = this.#options;
    const isFresh = this.#capturedAtMs !== undefined && clock.now() - this.#capturedAtMs < recaptureMs;
    return isFresh ? this.ensure() : this.#capture();
  }

  dispose(): void {
    this.#abort.abort();
  }

  #capture(): Promise<LoginCapture> {
    this.#capturing ??= this.#captureNow().finally(() => (this.#capturing = undefined));
    return this.#capturing;
  }

  async #captureNow(): Promise<LoginCapture> {
    const found = this.#abort.signal.aborted
      ? { source: 'none' as const, problem: 'the panel is quitting' }
      : await this.#options.capture(this.#abort.signal);
    this.#capturedAtMs = this.#options.clock.now();
    // A capture without result does not replace an earlier successful one.
    if (!isTelling(this.#known) || isTelling(found)) this.#known = found;
    return this.#known ?? found;
  }
}

const isTelling = (capture: LoginCapture | undefined): boolean =>
  capture?.source === 'shell' || capture?.source === 'registry';
