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

interface StartGateOptions {
  readonly clock: Clock;
  /** Maximum number of concurrent starts; see `defaultStartConcurrency`. */
  readonly startConcurrency: number;
  /** Whether the gate is open from the beginning; if false, no start is admitted before `open`. Default true. */
  readonly isOpen?: boolean;
}

interface StartRequest {
  readonly purpose: StartPurpose;
  readonly signal: AbortSignal;
  /** Promise that delays the admission until it settles; the start keeps its position. Default: no delay. */
  readonly ready?: Promise<void>;
  /** Called when `line` may have changed, until the start is admitted. */
  readonly onMoved?: () => void;
}

/** Handle by which the caller of `join` follows and controls its start. */
export interface StartTicket {
  /** Resolves when the start may begin; its slot is then kept until `release`. Rejects with `signal.reason` if aborted first. */
  readonly admitted: Promise<void>;
  /** Position of the start in the queue; undefined once admitted, or if it waits only for `ready` or for the gate to open. */
  readonly line: PlaceInLine | undefined;
  /** Gives the start priority because a caller waits for it. */
  hurry(): void;
  /** Receives a sample of the process tree that is starting. A tree that stays idle frees its slot for the next start. */
  looked(tree: TreeFacts): void;
  /** Called when the start has succeeded or failed. Idempotent. */
  release(): void;
}

/** Returns how many servers may start at the same time without slowing each other down so much that they time out. */
export function defaultStartConcurrency(cores: number): number {
  return cores >= 8 ? 4 : 3;
}

/**
 * Limits how many servers start at the same time. Starts that a caller waits for come first and have one extra slot. Retries
 * after a failed start come last, one at a time. A start that has used neither CPU nor disk for 15 s is waiting for something
 * else, so it frees its slot until it works again. A retry frees its slot after 3 s, and so does any start if the next one in
 * the queue has a waiting caller. Starts that install the same package run one after the other, because two `npx` processes
 * that install one package corrupt its cache; starts of other packages overtake them. Remote servers need no slot once the gate
 * is open.
 */
export class StartGate {
  readonly #clock: Clock;
  readonly #startConcurrency: number;
  readonly #waiting = new Set<Entrant>();
  readonly #inside = new Set<Entrant>();
  readonly #opened = createDeferred<void>();
  #isOpen = false;
  /** Waiting starts in order; undefined if the order must be computed again. */
  #line: readonly Entrant[] | undefined;
  #isTelling = false;

  constructor(options: StartGateOptions) {
    this.#clock = options.clock;
    this.#startConcurrency = Math.max(1, options.startConcurrency);
    if (options.isOpen ?? true) this.open();
  }

  /** Opens the gate for waiting and later starts. Idempotent. */
  open(): void {
    this.#isOpen = true;
    this.#opened.resolve();
    this.#changed();
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }
  get opened(): Promise<void> {
    return this.#opened.promise;
  }

  /** Number of starts that wait or are in progress; 0 means that the gate is idle. */
  get size(): number {
    return this.#waiting.size + this.#inside.size;
  }

  /** Adds a start to the queue. The caller releases it once it has succeeded or failed. */
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
      // If a start is admitted and aborted at the same time, its caller has no chance to release it.
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
    // The first `goingIn` starts in `before` get a free slot as soon as the gate is open and they are ready, so they are listed
    // in `starting` and not in `behind`.
    const goingIn = before.length - Math.max(0, position - 1);
    const names = (entrants: readonly Entrant[]) => entrants.map(({ name }) => name);
    return {
      position,
      behind: names(before.slice(goingIn)),
      starting: names([...holders(this.#inside, entrant.purpose), ...before.slice(0, goingIn)]),
      sameInstall,
    };
  }

  /** Admits the starts that may begin. The others are notified together, because a whole fleet joins in one event-loop tick. */
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

/** CPU time in ms between two samples from which a process counts as working; a waiting process uses some for its timers. */
const WORKING_CPU_MS = 50;
/**
 * Bytes written between two samples from which a process counts as working. A waiting process writes a few, because each
 * wake-up of an event loop writes 8 bytes to its own descriptor. An install writes hundreds of kibibytes per second; over a
 * slow network, it writes as much as it receives.
 */
const WORKING_BYTES = 4096;

export function isProgress({
  newProcesses,
  usedCpuMs = 0,
  writtenBytes = 0,
}: Pick<TreeFacts, 'newProcesses' | 'usedCpuMs' | 'writtenBytes'>): boolean {
  return newProcesses > 0 || usedCpuMs >= WORKING_CPU_MS || writtenBytes >= WORKING_BYTES;
}
