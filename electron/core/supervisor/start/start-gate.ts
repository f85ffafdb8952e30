import type { ServerConfig } from '../../../../shared/server-config.ts';
import type { Clock, Disposable } from '../../clock.ts';
import { createDeferred } from '../../deferred.ts';
import { installKey } from './package-runner.ts';

export interface StartGateOptions {
  readonly clock: Clock;
  /** Starts at one time; see `defaultStartConcurrency`. */
  readonly startConcurrency: number;
  /** A start that takes longer gives its place to the next: it is waiting for something, not using the machine. */
  readonly placeMaxMs?: number;
  /** False: nothing is let in before `open`. Default true. */
  readonly isOpen?: boolean;
}

interface Entrant {
  readonly key: string | undefined;
  /** A remote server uses next to nothing of this machine. */
  readonly takesPlace: boolean;
  admit(): void;
}

const DEFAULT_PLACE_MAX_MS = 15_000;

/** More at once make each other slower, and their start timeouts likelier. */
export function defaultStartConcurrency(cores: number): number {
  return cores >= 8 ? 4 : 3;
}

/**
 * Lets servers start a few at a time, first come first served. Starts that install the same package go one by one, since two
 * `npx` of one package corrupt its cache; those behind them with other packages pass. Remote servers wait for nobody once it is open.
 */
export class StartGate {
  readonly #clock: Clock;
  readonly #startConcurrency: number;
  readonly #placeMaxMs: number;
  readonly #waiting = new Set<Entrant>();
  readonly #inside = new Set<Entrant>();
  /** Those inside that take a place, with the timer that ends it. */
  readonly #places = new Map<Entrant, Disposable>();
  readonly #busyKeys = new Set<string>();
  #isOpen: boolean;

  constructor(options: StartGateOptions) {
    this.#clock = options.clock;
    this.#startConcurrency = Math.max(1, options.startConcurrency);
    this.#placeMaxMs = options.placeMaxMs ?? DEFAULT_PLACE_MAX_MS;
    this.#isOpen = options.isOpen ?? true;
  }

  /** Lets in those who wait, and everybody from now on. Idempotent. */
  open(): void {
    this.#isOpen = true;
    this.#admitNext();
  }

  /** Starts that wait or are under way. 0 means idle. */
  get size(): number {
    return this.#waiting.size + this.#inside.size;
  }

  /**
   * Resolves when this start may begin. The caller calls what it gets once the start has succeeded or failed; twice is harmless.
   * @throws `signal.reason` when aborted while waiting.
   */
  async enter(config: ServerConfig, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    const admitted = createDeferred<void>();
    const entrant: Entrant = {
      key: installKey(config),
      takesPlace: config.transport === 'stdio',
      admit: () => admitted.resolve(),
    };
    const leave = () => {
      if (this.#waiting.delete(entrant)) admitted.reject(signal.reason);
    };
    signal.addEventListener('abort', leave, { once: true });
    this.#waiting.add(entrant);
    this.#admitNext();
    try {
      await admitted.promise;
    } finally {
      signal.removeEventListener('abort', leave);
    }
    const release = () => this.#release(entrant);
    // Let in and aborted in one breath: nobody would be there to call it.
    if (signal.aborted) release();
    signal.throwIfAborted();
    return release;
  }

  #admitNext(): void {
    if (!this.#isOpen) return;
    for (const entrant of this.#waiting) {
      if (!entrant.takesPlace || this.#hasPlaceFor(entrant)) this.#admit(entrant);
    }
  }

  #hasPlaceFor({ key }: Entrant): boolean {
    const isBusy = key !== undefined && this.#busyKeys.has(key);
    return !isBusy && this.#places.size < this.#startConcurrency;
  }

  #admit(entrant: Entrant): void {
    this.#waiting.delete(entrant);
    if (entrant.key !== undefined) this.#busyKeys.add(entrant.key);
    this.#inside.add(entrant);
    entrant.admit();
    if (!entrant.takesPlace) return;
    const giveUpPlace = () => {
      this.#places.delete(entrant);
      this.#admitNext();
    };
    this.#places.set(entrant, this.#clock.setTimeout(giveUpPlace, this.#placeMaxMs));
  }

  #release(entrant: Entrant): void {
    if (!this.#inside.delete(entrant)) return;
    this.#places.get(entrant)?.dispose();
    this.#places.delete(entrant);
    if (entrant.key !== undefined) this.#busyKeys.delete(entrant.key);
    this.#admitNext();
  }
}
