import type { PanelEvent } from '../../../shared/events.ts';

/** Recovered crashes of a server in one day that cause a notification. */
export const HEALED_A_DAY = 5;

interface Day {
  readonly name: string;
  readonly restarts: number;
}

/** Counts crashes that a server recovered from. One is no news; many in a day are, once a day per server. */
export class HealedCrashes {
  /** Cause of the pending restart, by server. */
  readonly #causes = new Map<string, string | undefined>();
  readonly #days = new Map<string, Day>();

  /** Returns the number of the day's restarts if it is news, else undefined. Must get every event. */
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

  /** @param name local date, as a text */
  #count(server: string, name: string): number {
    const before = this.#days.get(server);
    const restarts = before?.name === name ? before.restarts + 1 : 1;
    this.#days.set(server, { name, restarts });
    return restarts;
  }
}
