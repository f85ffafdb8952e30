import { toldEvent, type EventKind, type PanelEvent } from '../../../shared/events.ts';

const SECOND_MS = 1000;

/** Writes events of one server in their order, as its journal would; time passes only where a test says so. */
export class StoryWriter {
  readonly events: PanelEvent[] = [];
  now = 1_700_000_000_000;
  generation = 0;
  #count = 0;

  pass(ms: number): this {
    this.now += ms;
    return this;
  }

  add(kind: EventKind, detail: object = {}, server: string | null = 'memory'): PanelEvent {
    this.#count += 1;
    const id = `${String(this.now).padStart(14, '0')}-${String(this.#count).padStart(8, '0')}-a`;
    const event: PanelEvent = { id, at: this.now, server, ...toldEvent(kind, detail) };
    this.events.push(event);
    return event;
  }

  /** A run that is up from now on. */
  up(version?: string, kind: 'started' | 'restarted' | 'woken' = 'started'): PanelEvent {
    this.generation += 1;
    const info = version === undefined ? {} : { serverInfo: { name: 'memory', version } };
    return this.add(kind, { generation: this.generation, ...info });
  }

  /** The run crashes after so long, and the next one is up a second later. */
  crashAfter(ms: number, detail: object = {}): PanelEvent {
    this.pass(ms);
    const crash = this.add('crashed', { generation: this.generation, exitCode: 1, ...detail });
    this.add('restart-scheduled', { cause: 'crash', delayMs: SECOND_MS });
    return crash;
  }

  /** The run is ended for its memory limit after so long. */
  limitAfter(ms: number): PanelEvent {
    this.pass(ms);
    this.add('limit-breached', { limit: 'memory', value: 2e9, max: 1e9 });
    const end = this.add('ended', { generation: this.generation, by: 'limit', limit: 'memory' });
    this.add('restart-scheduled', { cause: 'limit', delayMs: SECOND_MS });
    return end;
  }
}

export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
