import type { LoopLateness } from '../../../shared/panel-figures.ts';
import type { Clock, Disposable } from '../clock.ts';
import type { CurrentTask, Piece } from '../current-task.ts';

interface LoopWatchOptions {
  readonly clock: Clock;
  readonly currentTask: Pick<CurrentTask, 'takeLongest'>;
  /** CPU time of this process so far, in milliseconds. */
  readonly cpuTimeMs: () => number;
  readonly onLongTurn: (turn: LongTurn) => void;
}

/** Event-loop tick of the main thread that computed for so long that it delayed everything else. */
export interface LongTurn {
  readonly tookMs: number;
  /** Marked piece of work that took most of the tick; undefined if none was marked. */
  readonly piece: Piece | undefined;
}

/** Interval of the timer in ms. The timer costs little. It fires as late as any other event would at the same moment. */
const LOOK_MS = 100;
const KEPT_MS = 60_000;
const KEPT_LOOKS = KEPT_MS / LOOK_MS;
const LONG_TURN_MS = 250;
/**
 * Minimum share of CPU time in a long event-loop tick. Below it, the tick is not reported, because other programs, a debugger
 * or sleep of the machine delayed this process.
 */
const OWN_SHARE = 0.5;
/** Minimum ms of a delay with almost no CPU use that is ignored as sleep of the machine. No load delays a process so long. */
const ABSENT_MS = 5000;

/**
 * Measures, by a timer, how late the main event loop runs. A long tick is recorded once for each sample that it prevented, so
 * that it has its full weight in the percentiles.
 */
export class LoopWatch implements Disposable {
  readonly #options: LoopWatchOptions;
  /** Lateness of the samples of the last minute, in milliseconds; the oldest is overwritten. */
  readonly #lateMs = new Float32Array(KEPT_LOOKS);
  #count = 0;
  #dueMs = 0;
  #cpuMs = 0;
  #timer: Disposable | undefined;
  #isDisposed = false;

  constructor(options: LoopWatchOptions) {
    this.#options = options;
    this.#cpuMs = options.cpuTimeMs();
    this.#lookAgain();
  }

  /** Returns the percentiles of the last minute; undefined before the first sample. */
  get lateness(): LoopLateness | undefined {
    const known = Math.min(this.#count, KEPT_LOOKS);
    if (known === 0) return undefined;
    const sorted = this.#lateMs.slice(0, known).sort();
    const at = (share: number) => sorted[Math.min(known - 1, Math.floor(known * share))]!;
    return { p50Ms: at(0.5), p99Ms: at(0.99), maxMs: at(1) };
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#timer?.dispose();
  }

  #lookAgain(): void {
    const { clock } = this.#options;
    this.#dueMs = clock.now() + LOOK_MS;
    this.#timer = clock.setTimeout(() => this.#look(), LOOK_MS);
  }

  #look(): void {
    const { clock, cpuTimeMs, currentTask, onLongTurn } = this.#options;
    const lateMs = Math.max(0, clock.now() - this.#dueMs);
    const piece = currentTask.takeLongest();
    const cpuMs = cpuTimeMs();
    const isOwn = cpuMs - this.#cpuMs >= lateMs * OWN_SHARE;
    this.#cpuMs = cpuMs;
    if (isOwn || lateMs < ABSENT_MS) this.#keep(lateMs);
    if (isOwn && lateMs >= LONG_TURN_MS) {
      const isTelling = piece !== undefined && piece.tookMs >= lateMs * OWN_SHARE;
      onLongTurn({ tookMs: Math.max(lateMs, piece?.tookMs ?? 0), piece: isTelling ? piece : undefined });
    }
    if (!this.#isDisposed) this.#lookAgain();
  }

  #keep(lateMs: number): void {
    const missed = Math.min(KEPT_LOOKS - 1, Math.floor(lateMs / LOOK_MS));
    for (let look = 0; look <= missed; look += 1) {
      this.#lateMs[this.#count % KEPT_LOOKS] = lateMs - look * LOOK_MS;
      this.#count += 1;
    }
  }
}
