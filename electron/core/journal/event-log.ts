import { EVENTS_IN_SNAPSHOT } from '../../../shared/domain.ts';
import type { PanelEvent, ToldEvent } from '../../../shared/events.ts';
import type { WallClock } from '../clock.ts';
import { Emitter } from '../emitter.ts';

export interface EventLogOptions {
  readonly wallClock: WallClock;
  /** Name of this app run, letters and digits. It keeps ids apart when two runs begin in the same millisecond. */
  readonly launchId: string;
  /** Events of earlier app runs, oldest first. */
  readonly earlier?: readonly PanelEvent[];
}

/** Events of this panel, oldest first: the last 500 in memory. Listeners receive every event. */
export class EventLog {
  readonly appended = new Emitter<PanelEvent>();
  readonly #wallClock: WallClock;
  readonly #launchId: string;
  #events: PanelEvent[];
  #lastAtMs: number;
  #count = 0;

  constructor(options: EventLogOptions) {
    this.#wallClock = options.wallClock;
    this.#launchId = options.launchId;
    this.#events = (options.earlier ?? []).slice(-EVENTS_IN_SNAPSHOT);
    this.#lastAtMs = idTimeMs(this.#events.at(-1)) + 1;
  }

  get events(): readonly PanelEvent[] {
    return this.#events;
  }

  append(server: string | null, told: ToldEvent): PanelEvent {
    const at = this.#wallClock.epochMs();
    // The id keeps the order of events, even when the wall clock is set back.
    this.#lastAtMs = Math.max(at, this.#lastAtMs);
    this.#count += 1;
    const id = `${pad(this.#lastAtMs, 14)}-${pad(this.#count, 8)}-${this.#launchId}`;
    const event: PanelEvent = { id, at, server, ...told };
    this.#events.push(event);
    if (this.#events.length > EVENTS_IN_SNAPSHOT) this.#events = this.#events.slice(-EVENTS_IN_SNAPSHOT);
    this.appended.emit(event);
    return event;
  }
}

/**
 * Time in an event's id in epoch ms, which is later than the event's `at` when the clock was set back. -1 without an event or
 * a time in its id.
 */
function idTimeMs(event: PanelEvent | undefined): number {
  const time = /^(\d{14})-/.exec(event?.id ?? '')?.[1];
  return time === undefined ? -1 : Number(time);
}

function pad(value: number, digits: number): string {
  return String(Math.trunc(value)).padStart(digits, '0');
}
