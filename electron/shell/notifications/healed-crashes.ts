import type { PanelEvent } from '../../../shared/events.ts';

/** A server that comes back by itself so often in one day is worth a word. */
export const HEALED_A_DAY = 5;

interface Day {
  readonly name: string;
  readonly restarts: number;
}

/** Counts crashes after which a server came up again: one is no news, many in a day are, once a day per server. */
export class HealedCrashes {
  /** Cause of the restart that is due, by server. */
  readonly #causes = new Map<string, string | undefined>();
  readonly #days = new Map<string, Day>();

  /** The number of the day's restarts when the server is worth a word; has to see every event. */
  restartsToTell(event: PanelEvent): number | undefined {
    const { at, kind, server } = event;
    if (server === null) return undefined;
    if (event.kind === 'restart-scheduled') this.#causes.set(server, event.detail.cause);
    if (kind !== 'restarted' || this.#causes.get(server) !== 'crash') return undefined;
    this.#causes.delete(server);
    const restarts = this.#count(server, new Date(at).toDateString());
    return restarts === HEALED_A_DAY ? restarts : undefined;
  }

  forget(server: string): void {
    this.#causes.delete(server);
    this.#days.delete(server);
  }

  /** @param name of the day as people here have it */
  #count(server: string, name: string): number {
    const before = this.#days.get(server);
    const restarts = before?.name === name ? before.restarts + 1 : 1;
    this.#days.set(server, { name, restarts });
    return restarts;
  }
}
