import type { SharingView } from '../../../shared/domain.ts';
import type { WallClock } from '../clock.ts';

/** A call of a client has waited for the calls before it. */
interface TurnWait {
  readonly server: string;
  readonly clientId: string;
  readonly waitedMs: number;
}

interface Waits {
  readonly clients: Set<string>;
  readonly since: number;
  totalMs: number;
}

/** A shorter wait is noticed by nobody. */
const SHORTEST_MS = 250;

/** How long clients waited for each other, for each server: on this day, as far as this run of the panel has seen it. */
export class TurnWaits {
  readonly #wallClock: WallClock;
  readonly #openedAt: number;
  readonly #waits = new Map<string, Waits>();

  constructor(wallClock: WallClock) {
    this.#wallClock = wallClock;
    this.#openedAt = wallClock.epochMs();
  }

  add({ server, clientId, waitedMs }: TurnWait): void {
    if (waitedMs < SHORTEST_MS) return;
    const waits = this.#today(server) ?? { clients: new Set(), since: this.#since(), totalMs: 0 };
    waits.clients.add(clientId);
    waits.totalMs += waitedMs;
    this.#waits.set(server, waits);
  }

  /** Undefined where nobody waited. */
  view(server: string): SharingView['waits'] {
    const waits = this.#today(server);
    return waits && { clients: waits.clients.size, totalMs: waits.totalMs, since: waits.since };
  }

  #today(server: string): Waits | undefined {
    const waits = this.#waits.get(server);
    return waits?.since === this.#since() ? waits : undefined;
  }

  /** The beginning of the day, or of the run where that is later. */
  #since(): number {
    const day = new Date(this.#wallClock.epochMs());
    day.setHours(0, 0, 0, 0);
    return Math.max(day.getTime(), this.#openedAt);
  }
}
