import type { ServerConfig } from '../../../../shared/server-config.ts';
import type { Clock } from '../../clock.ts';
import { createDeferred } from '../../deferred.ts';
import type { TreeFacts } from '../../telemetry/tree-facts.ts';
import { installKey } from './package-runner.ts';
import { isProgress } from './start-progress.ts';

export interface StartGateOptions {
  readonly clock: Clock;
  /** Starts at one time; see `defaultStartConcurrency`. */
  readonly startConcurrency: number;
  /** False: nothing is let in before `open`. Default true. */
  readonly isOpen?: boolean;
}

/** The right to start now. */
export interface StartPlace {
  /** A look at the tree that starts: while it does nothing, its place is the next one's. */
  looked(tree: TreeFacts): void;
  /** The start has succeeded or failed. Twice is harmless. */
  release(): void;
}

interface Entrant {
  readonly key: string | undefined;
  /** A remote server uses next to nothing of this machine. */
  readonly takesPlace: boolean;
  /** Nothing of its last run is left. */
  isReady: boolean;
  /** When it was let in, or was last seen to work. */
  workedAtMs: number;
  admit(): void;
}

/** An install that waits for the network uses next to nothing for a moment, too. */
const IDLE_MS = 15_000;

/** More at once make each other slower, and their start timeouts likelier. */
export function defaultStartConcurrency(cores: number): number {
  return cores >= 8 ? 4 : 3;
}

/**
 * Lets servers start a few at a time, first come first served. A start that uses neither CPU nor disk for 15 s gives its
 * place away until it works again: it waits for something else. Starts that install the same package go one by one, since two
 * `npx` of one package corrupt its cache; those behind them with other packages pass. Remote servers wait for nobody once it is open.
 */
export class StartGate {
  readonly #clock: Clock;
  readonly #startConcurrency: number;
  readonly #waiting = new Set<Entrant>();
  readonly #inside = new Set<Entrant>();
  /** Starts inside that take a place. There are more than places when some have begun to work again. */
  readonly #places = new Set<Entrant>();
  readonly #busyKeys = new Set<string>();
  readonly #opened = createDeferred<void>();
  #isOpen = false;

  constructor(options: StartGateOptions) {
    this.#clock = options.clock;
    this.#startConcurrency = Math.max(1, options.startConcurrency);
    if (options.isOpen ?? true) this.open();
  }

  /** Lets in those who wait, and everybody from now on. Idempotent. */
  open(): void {
    this.#isOpen = true;
    this.#opened.resolve();
    this.#admitNext();
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }
  /** Settles with `open`. */
  get opened(): Promise<void> {
    return this.#opened.promise;
  }

  /** Starts that wait or are under way. 0 means idle. */
  get size(): number {
    return this.#waiting.size + this.#inside.size;
  }

  /** How many others a start that came now would wait for; 0 when it could begin, as soon as the gate is open. */
  othersBefore(config: ServerConfig): number {
    if (config.transport !== 'stdio') return 0;
    if (!this.#isOpen) {
      const before = [...this.#waiting].filter(({ takesPlace }) => takesPlace).length;
      return before < this.#startConcurrency ? 0 : this.#startConcurrency;
    }
    if (this.#places.size >= this.#startConcurrency) return this.#places.size;
    return this.#isBusy(installKey(config)) ? 1 : 0;
  }

  /**
   * Resolves when this start may begin, which is not before `ready`; it keeps its turn meanwhile. The caller releases the
   * place once the start has succeeded or failed.
   * @throws `signal.reason` when aborted while waiting.
   */
  async enter(
    config: ServerConfig,
    signal: AbortSignal,
    ready: Promise<void> = Promise.resolve(),
  ): Promise<StartPlace> {
    signal.throwIfAborted();
    const admitted = createDeferred<void>();
    const entrant: Entrant = {
      key: installKey(config),
      takesPlace: config.transport === 'stdio',
      isReady: false,
      workedAtMs: this.#clock.now(),
      admit: () => admitted.resolve(),
    };
    const leave = () => {
      if (this.#waiting.delete(entrant)) admitted.reject(signal.reason);
    };
    signal.addEventListener('abort', leave, { once: true });
    this.#waiting.add(entrant);
    void ready.then(() => {
      entrant.isReady = true;
      this.#admitNext();
    });
    try {
      await admitted.promise;
    } finally {
      signal.removeEventListener('abort', leave);
    }
    // Let in and aborted in one breath: nobody would be there to call it.
    if (signal.aborted) this.#release(entrant);
    signal.throwIfAborted();
    return { looked: (tree) => this.#looked(entrant, tree), release: () => this.#release(entrant) };
  }

  #admitNext(): void {
    if (!this.#isOpen) return;
    for (const entrant of this.#waiting) {
      if (entrant.isReady && (!entrant.takesPlace || this.#hasPlaceFor(entrant))) this.#admit(entrant);
    }
  }

  #hasPlaceFor({ key }: Entrant): boolean {
    return !this.#isBusy(key) && this.#places.size < this.#startConcurrency;
  }

  #isBusy(key: string | undefined): boolean {
    return key !== undefined && this.#busyKeys.has(key);
  }

  #admit(entrant: Entrant): void {
    this.#waiting.delete(entrant);
    if (entrant.key !== undefined) this.#busyKeys.add(entrant.key);
    this.#inside.add(entrant);
    entrant.workedAtMs = this.#clock.now();
    if (entrant.takesPlace) this.#places.add(entrant);
    entrant.admit();
  }

  #looked(entrant: Entrant, tree: TreeFacts): void {
    if (!this.#inside.has(entrant)) return;
    const now = this.#clock.now();
    if (isProgress(tree)) {
      entrant.workedAtMs = now;
      this.#places.add(entrant);
    } else if (now - entrant.workedAtMs >= IDLE_MS && this.#places.delete(entrant)) this.#admitNext();
  }

  #release(entrant: Entrant): void {
    if (!this.#inside.delete(entrant)) return;
    this.#places.delete(entrant);
    if (entrant.key !== undefined) this.#busyKeys.delete(entrant.key);
    this.#admitNext();
  }
}
