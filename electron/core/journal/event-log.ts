import { EVENTS_IN_SNAPSHOT } from '../../../shared/domain.ts';
import type { PanelEvent, ToldEvent } from '../../../shared/events.ts';
import { messageOf } from '../../../shared/message-of.ts';
import type { Clock, WallClock } from '../clock.ts';
import { Emitter } from '../emitter.ts';
import { LineWriter } from './line-writer.ts';
import { MAX_EVENT_FILE_BYTES, MAX_EVENT_FILES } from './read-events.ts';
import { RotatingFile } from './rotating-file.ts';

interface EventLogOptions {
  readonly wallClock: WallClock;
  /** Name of this app run, letters and digits. It keeps ids unique when two runs begin in the same millisecond. */
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
    // The time in the id never decreases, so that ids preserve the order of events even if the wall clock is set back.
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

/** Returns the time in an event's id in epoch ms, later than `at` if the clock was set back; -1 if there is no event or time. */
function idTimeMs(event: PanelEvent | undefined): number {
  const time = /^(\d{14})-/.exec(event?.id ?? '')?.[1];
  return time === undefined ? -1 : Number(time);
}

function pad(value: number, digits: number): string {
  return String(Math.trunc(value)).padStart(digits, '0');
}

/**
 * Opens the file of all events, `<home>/logs/events.jsonl`, with one line of JSON per event, so that the next app run can show
 * earlier events. Older parts of the file are stored next to it as `.1`, `.2` and so on; the last 8 to 10 MiB are kept. If
 * events are lost because the disk fails, a line `{"lost":n}` states their number. @param onProblem called with one sentence
 * for the user when writing fails; called again only after writing has succeeded in between
 */
export function openEventFile(
  path: string,
  clock: Clock,
  onProblem: (message: string) => void,
  maxBytes = MAX_EVENT_FILE_BYTES,
): LineWriter {
  const file = new RotatingFile({ path, maxBytes, maxFiles: MAX_EVENT_FILES, onProblem });
  return new LineWriter({
    clock,
    write: (text) => file.append(text),
    writeSync: (text) => file.appendSync(text),
    lossLine: (lines) => JSON.stringify({ lost: lines }),
    onFailure: (error) => onProblem(`Events could not be written to ${path}: ${messageOf(error)}`),
  });
}

export function keptEventLine(event: PanelEvent): string {
  try {
    return JSON.stringify(event);
  } catch {
    // A detail that is nested too deeply or not serializable is dropped; the event itself is kept.
    return JSON.stringify({ ...event, detail: {} });
  }
}
