/** How the heartbeats of a run come, for the evidence of a verdict. */
export interface HeartbeatHabit {
  /** The mean time between two of them. */
  readonly everyMs: number;
  readonly sinceLastMs: number;
}

/** Fewer say nothing about a rhythm. */
const LEAST_BEATS = 3;
/** Lines that a tool logs at its work may come evenly for a while, too; only calls have seen these. */
const LEAST_BEATS_IN_CALLS = 6;
const KEPT_BEATS = 8;
/** Timers of a loaded machine are late by this much, whatever their interval. */
const JITTER_MS = 250;
const LARGEST_RATIO = 1.5;
/**
 * A pause of so many intervals, and of half the threshold, ends the rhythm for good: what may pause proves nothing by
 * pausing. A shorter one may be the machine's.
 */
const PAUSE_FACTOR = 3;

interface Beat {
  readonly atMs: number;
  readonly wasIdle: boolean;
}

/**
 * Tells heartbeats from log lines: a rhythm is at least three messages, evenly spaced, without a pause since. Where all of
 * them came during calls it takes six, because a tool may log at every step and then work in silence.
 */
export class Heartbeats {
  #beats: Beat[] = [];
  #hasPaused = false;

  /** A log message came. `wasIdle`: no call was unfinished. */
  beat(atMs: number, wasIdle: boolean, thresholdMs: number): void {
    const gapMs = atMs - (this.#beats.at(-1)?.atMs ?? atMs);
    // The rhythm is looked at for a pause alone, because a server may log thousands of lines a second.
    if (gapMs > thresholdMs / 2 && gapMs > PAUSE_FACTOR * (this.#everyMs ?? Infinity) + JITTER_MS)
      this.#hasPaused = true;
    this.#beats.push({ atMs, wasIdle });
    if (this.#beats.length > KEPT_BEATS) this.#beats.shift();
  }

  /** We did not listen: what is missing is no pause of the server's. */
  forget(): void {
    this.#beats = [];
  }

  /** Whether silence of `thresholdMs` breaks a rhythm. */
  isRegular(thresholdMs: number): boolean {
    const everyMs = this.#everyMs;
    return !this.#hasPaused && everyMs !== undefined && everyMs <= thresholdMs / 2;
  }

  /** Undefined where there is no rhythm. */
  habitAt(nowMs: number): HeartbeatHabit | undefined {
    const everyMs = this.#everyMs;
    const last = this.#beats.at(-1);
    if (everyMs === undefined || last === undefined || this.#hasPaused) return undefined;
    return { everyMs: Math.round(everyMs), sinceLastMs: Math.round(nowMs - last.atMs) };
  }

  /** The mean of the intervals, where they are even. */
  get #everyMs(): number | undefined {
    const beats = this.#beats;
    const needed =
      beats.filter(({ wasIdle }) => wasIdle).length >= LEAST_BEATS ? LEAST_BEATS : LEAST_BEATS_IN_CALLS;
    const recent = beats.slice(-needed);
    if (recent.length < needed) return undefined;
    const gaps = recent.slice(1).map(({ atMs }, index) => atMs - recent[index]!.atMs);
    const [shortest, longest] = [Math.min(...gaps), Math.max(...gaps)];
    if (longest > LARGEST_RATIO * shortest + JITTER_MS) return undefined;
    return gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
  }
}
