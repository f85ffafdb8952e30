import type { ServerConfig } from '../../../../shared/server-config.ts';
import type { Clock } from '../../clock.ts';
import { createDeferred } from '../../deferred.ts';
import type { TreeFacts } from '../../telemetry/tree-facts.ts';
import {
  entrantOf,
  freePlaces,
  holders,
  inOrder,
  type Entrant,
  type PlaceInLine,
  type StartPurpose,
} from './start-line.ts';
import { isProgress } from './start-progress.ts';

export interface StartGateOptions {
  readonly clock: Clock;
  /** Starts at one time; see `defaultStartConcurrency`. */
  readonly startConcurrency: number;
  /** False: nothing is let in before `open`. Default true. */
  readonly isOpen?: boolean;
}

export interface StartRequest {
  readonly purpose: StartPurpose;
  /** Gives the start up while it waits. */
  readonly signal: AbortSignal;
  /** The start is let in no earlier; it keeps its turn meanwhile. Default: at once. */
  readonly ready?: Promise<void>;
  /** `line` may have changed. Called until the start is let in. */
  readonly onMoved?: () => void;
}

/** One start at the gate. */
export interface StartTicket {
  /** Resolves when the start may begin, and then holds its place until `release`; rejects with `signal.reason` when aborted before. */
  readonly admitted: Promise<void>;
  /** What the start waits for; undefined once it is let in, and where it would be, as soon as it is ready and the gate open. */
  readonly line: PlaceInLine | undefined;
  /** Somebody waits for the start now. */
  hurry(): void;
  /** A look at the tree that starts: while it does nothing, its place is the next one's. */
  looked(tree: TreeFacts): void;
  /** The start has succeeded or failed. Twice is harmless. */
  release(): void;
}

/** More at once make each other slower, and their start timeouts likelier. */
export function defaultStartConcurrency(cores: number): number {
  return cores >= 8 ? 4 : 3;
}

/**
 * Lets servers start a few at a time: those that somebody waits for first, and with one place more; attempts after a failed
 * start last, and one at a time. A start that uses neither CPU nor disk for 15 s gives its place away until it works again,
 * because it waits for something else; after 3 s where it is such an attempt, or somebody waits for the next. Starts that
 * install the same package go one by one, since two `npx` of one package corrupt its cache; those behind them with other
 * packages pass. Remote servers wait for nobody once it is open.
 */
export class StartGate {
  readonly #clock: Clock;
  readonly #startConcurrency: number;
  readonly #waiting = new Set<Entrant>();
  readonly #inside = new Set<Entrant>();
  readonly #opened = createDeferred<void>();
  #isOpen = false;
  /** Those that wait, in order; undefined when it has to be looked at anew. */
  #line: readonly Entrant[] | undefined;
  #isTelling = false;

  constructor(options: StartGateOptions) {
    this.#clock = options.clock;
    this.#startConcurrency = Math.max(1, options.startConcurrency);
    if (options.isOpen ?? true) this.open();
  }

  /** Lets in those who wait, and everybody from now on. Idempotent. */
  open(): void {
    this.#isOpen = true;
    this.#opened.resolve();
    this.#changed();
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

  /** Puts a start into the line. The caller releases it once it has succeeded or failed. */
  join(
    config: ServerConfig,
    { purpose, signal, ready = Promise.resolve(), onMoved = () => undefined }: StartRequest,
  ): StartTicket {
    const admitted = createDeferred<void>();
    const admit = () => admitted.resolve();
    const entrant = entrantOf(config, this.#clock.now(), { purpose, onMoved, admit });
    const leave = () => {
      if (!this.#waiting.delete(entrant)) return;
      this.#changed();
      admitted.reject(signal.reason);
    };
    if (signal.aborted) admitted.reject(signal.reason);
    else this.#waiting.add(entrant);
    signal.addEventListener('abort', leave, { once: true });
    this.#line = undefined;
    void ready.then(() => {
      entrant.isReady = true;
      this.#changed();
    });
    const mayBegin = admitted.promise.then(() => {
      signal.removeEventListener('abort', leave);
      // Let in and aborted in one breath: nobody would be there to release it.
      if (signal.aborted) this.#release(entrant);
      signal.throwIfAborted();
    });
    const lineOf = () => this.#lineOf(entrant);
    return {
      admitted: mayBegin,
      get line() {
        return lineOf();
      },
      hurry: () => this.#hurry(entrant),
      looked: (tree) => this.#looked(entrant, tree),
      release: () => this.#release(entrant),
    };
  }

  get #inLine(): readonly Entrant[] {
    return (this.#line ??= inOrder(this.#waiting));
  }

  #lineOf(entrant: Entrant): PlaceInLine | undefined {
    if (!entrant.takesPlace || !this.#waiting.has(entrant)) return undefined;
    const line = this.#inLine.filter(({ takesPlace }) => takesPlace);
    const before = line.slice(0, line.indexOf(entrant));
    const free = Math.max(0, freePlaces(this.#inside, entrant.purpose, this.#startConcurrency));
    const sameInstall = this.#holderOf(entrant.key)?.name;
    const position = Math.max(0, before.length - free + 1);
    if (position === 0 && sameInstall === undefined) return undefined;
    // Those that come before `behind` have a place as soon as the gate is open, or they are ready.
    const goingIn = before.length - Math.max(0, position - 1);
    const names = (entrants: readonly Entrant[]) => entrants.map(({ name }) => name);
    return {
      position,
      behind: names(before.slice(goingIn)),
      starting: names([...holders(this.#inside, entrant.purpose), ...before.slice(0, goingIn)]),
      sameInstall,
    };
  }

  /** Lets in whoever may go now; those that go on waiting learn of it together, because a fleet comes in one turn. */
  #changed(): void {
    this.#line = undefined;
    if (this.#isOpen) this.#admitNext();
    if (this.#isTelling || this.#waiting.size === 0) return;
    this.#isTelling = true;
    queueMicrotask(() => {
      this.#isTelling = false;
      for (const { onMoved } of this.#inLine) onMoved();
    });
  }

  #admitNext(): void {
    for (const entrant of this.#inLine)
      if (entrant.isReady && (!entrant.takesPlace || this.#hasPlaceFor(entrant))) this.#admit(entrant);
  }

  #hasPlaceFor({ key, purpose }: Entrant): boolean {
    return !this.#holderOf(key) && freePlaces(this.#inside, purpose, this.#startConcurrency) > 0;
  }

  #holderOf(key: string | undefined): Entrant | undefined {
    return key === undefined ? undefined : [...this.#inside].find((other) => other.key === key);
  }

  #admit(entrant: Entrant): void {
    this.#waiting.delete(entrant);
    this.#line = undefined;
    this.#inside.add(entrant);
    entrant.workedAtMs = this.#clock.now();
    entrant.admit();
  }

  #hurry(entrant: Entrant): void {
    if (entrant.purpose === 'awaited') return;
    entrant.purpose = 'awaited';
    this.#changed();
  }

  #looked(entrant: Entrant, tree: TreeFacts): void {
    if (!this.#inside.has(entrant)) return;
    const now = this.#clock.now();
    if (isProgress(tree)) entrant.workedAtMs = now;
    entrant.idleMs = now - entrant.workedAtMs;
    this.#changed();
  }

  #release(entrant: Entrant): void {
    if (this.#inside.delete(entrant)) this.#changed();
  }
}
