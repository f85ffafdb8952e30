import type { SharingView } from '../../../../shared/sessions-view.ts';
import type { WallClock } from '../../clock.ts';

interface User {
  readonly id: string;
  readonly name: string;
}

type Meeting = NonNullable<SharingView['secondClient']>;

/** Records which servers have been called by two clients since the app started, and by which two. */
export class ClientMeetings {
  /** First client of each server, by server name. */
  readonly #first = new Map<string, User>();
  readonly #meetings = new Map<string, Meeting>();

  /**
   * Records a call. Returns true only if it is the first one by a second client of the server. @param toolNames returns the
   * names of the server's tools; called only in that case
   */
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

/** Prefixes of tool names that suggest that the tool changes the meaning of the next call. */
const CHANGES = ['set_', 'switch_', 'select_', 'navigate'];
const OPENS = 'open';
const CLOSES = 'close';
/** Maximum number of such tools that are shown as examples. */
const MAX_SHOWN = 5;

/** Returns the tools whose names suggest a current selection (such as a page), which two clients would change for each other. */
export function stateToolsIn(names: readonly string[]): readonly string[] {
  const known = new Set(names);
  const isPaired = (name: string) =>
    (name.startsWith(OPENS) && known.has(`${CLOSES}${name.slice(OPENS.length)}`)) ||
    (name.startsWith(CLOSES) && known.has(`${OPENS}${name.slice(CLOSES.length)}`));
  const isTelling = (name: string) =>
    CHANGES.some((beginning) => name.startsWith(beginning)) || isPaired(name);
  return names.filter(isTelling).slice(0, MAX_SHOWN);
}

/** A client's call that waited for earlier calls, and for how long. */
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

/** Shortest wait in ms that is recorded, because users do not notice a shorter one. */
const SHORTEST_MS = 250;

/** Total time for which clients' calls waited for earlier calls, by server. Counts only today's waits since the app started. */
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

  /** Returns the waits of the server; undefined if there were none. */
  view(server: string): SharingView['waits'] {
    const waits = this.#today(server);
    return waits && { clients: waits.clients.size, totalMs: waits.totalMs, since: waits.since };
  }

  #today(server: string): Waits | undefined {
    const waits = this.#waits.get(server);
    return waits?.since === this.#since() ? waits : undefined;
  }

  /** Returns the start of the current day, or of this app run if that is later, in epoch milliseconds. */
  #since(): number {
    const day = new Date(this.#wallClock.epochMs());
    day.setHours(0, 0, 0, 0);
    return Math.max(day.getTime(), this.#openedAt);
  }
}
