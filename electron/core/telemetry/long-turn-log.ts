import type { EventDetails } from '../../../shared/events.ts';
import type { Clock, Disposable } from '../clock.ts';
import type { LongTurn } from './loop-watch.ts';

export interface LongTurnLogOptions {
  readonly clock: Clock;
  /** Writes the event; `server` is the server the work was done for, null if there is none. */
  readonly logEvent: (server: string | null, detail: EventDetails['panel-blocked']) => void;
}

/** Shortest time between two events of a server, in ms; event-loop delays in between are counted into the next event. */
const QUIET_MS = 10 * 60_000;
/** Separator between a server's name and the number in a replica's name; server names cannot contain it. */
const INSTANCE_MARK = '#';

interface Counted {
  count: number;
  longest: LongTurn | undefined;
  readonly timer: Disposable;
}

/**
 * Reports long event-loop ticks as events: the first at once, those of the following ten minutes together, with their number
 * and the longest. The caller disposes.
 */
export class LongTurnLog implements Disposable {
  readonly #options: LongTurnLogOptions;
  /** Counts by server, for servers with a recent event. */
  readonly #told = new Map<string | null, Counted>();

  constructor(options: LongTurnLogOptions) {
    this.#options = options;
  }

  add(turn: LongTurn): void {
    const server = turn.piece?.instance?.split(INSTANCE_MARK)[0] ?? null;
    const counted = this.#told.get(server);
    if (counted === undefined) return this.#tell(server, turn, 1);
    counted.count += 1;
    if (turn.tookMs > (counted.longest?.tookMs ?? 0)) counted.longest = turn;
  }

  /** Reports the ticks counted so far. */
  dispose(): void {
    for (const [server, { count, longest, timer }] of this.#told) {
      timer.dispose();
      if (longest) this.#log(server, longest, count);
    }
    this.#told.clear();
  }

  #tell(server: string | null, turn: LongTurn, count: number): void {
    const timer = this.#options.clock.setTimeout(() => this.#over(server), QUIET_MS);
    this.#told.set(server, { count: 0, longest: undefined, timer });
    this.#log(server, turn, count);
  }

  #over(server: string | null): void {
    const { count, longest } = this.#told.get(server) ?? { count: 0, longest: undefined };
    this.#told.delete(server);
    if (longest) this.#tell(server, longest, count);
  }

  #log(server: string | null, { tookMs, piece }: LongTurn, count: number): void {
    this.#options.logEvent(server, { durationMs: Math.round(tookMs), currentTask: piece?.task, count });
  }
}
