import type { SharingView } from '../../../../shared/domain.ts';
import type { WallClock } from '../../clock.ts';

interface User {
  readonly id: string;
  readonly name: string;
}

type Meeting = NonNullable<SharingView['secondClient']>;

/** Which servers a second client has come to use in this run of the panel, and who the first two were. */
export class ClientMeetings {
  /** First users, by server. */
  readonly #first = new Map<string, User>();
  readonly #meetings = new Map<string, Meeting>();

  /** A client has called. Returns whether it is the second one. @param toolNames the server's, read for the second one alone */
  called(server: string, user: User, toolNames: () => readonly string[]): boolean {
    const first = this.#first.get(server);
    if (!first) this.#first.set(server, user);
    if (!first || first.id === user.id || this.#meetings.has(server)) return false;
    const stateTools = [...stateToolsIn(toolNames())];
    this.#meetings.set(server, {
      first: first.name,
      second: user.name,
      ...(stateTools.length > 0 && { stateTools }),
    });
    return true;
  }

  view(server: string): Meeting | undefined {
    return this.#meetings.get(server);
  }
}

/** Tools of these beginnings change what the next call means. */
const CHANGES = ['set_', 'switch_', 'select_', 'navigate'];
const OPENS = 'open';
const CLOSES = 'close';
/** Enough to show what is meant. */
const MAX_SHOWN = 5;

/** Tools whose names suggest that a server holds a "current" something, which two clients would take from each other. */
export function stateToolsIn(names: readonly string[]): readonly string[] {
  const known = new Set(names);
  const isPaired = (name: string) =>
    (name.startsWith(OPENS) && known.has(`${CLOSES}${name.slice(OPENS.length)}`)) ||
    (name.startsWith(CLOSES) && known.has(`${OPENS}${name.slice(CLOSES.length)}`));
  const isTelling = (name: string) =>
    CHANGES.some((beginning) => name.startsWith(beginning)) || isPaired(name);
  return names.filter(isTelling).slice(0, MAX_SHOWN);
}

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
