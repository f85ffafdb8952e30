import { beginsRun, type EventDetails, type PanelEvent } from '../../../shared/events.ts';
import type { Trend } from '../../../shared/trend.ts';
import type { Clock, Disposable, WallClock } from '../clock.ts';
import type { HistorySource } from '../store/history-source.ts';
import { HOUR_MS } from '../../../shared/units.ts';
/** Minimum ms between two events about a server's memory trend, so that a trend with a break of a few days is reported once. */
const LEAST_PAUSE_MS = 7 * 24 * HOUR_MS;

interface TrendBookOptions {
  readonly source: Pick<HistorySource, 'trend' | 'events'>;
  readonly clock: Clock;
  readonly wallClock: WallClock;
  /** Memory limit in bytes; undefined for a server without one. */
  readonly limitOf: (server: string) => number | undefined;
  readonly logEvent: (server: string, detail: EventDetails['trend']) => void;
  /** Called when a trend was read from the history or discarded, unless there was none before and after. */
  readonly onRead: (server: string) => void;
}

interface Known {
  /** Hour and limit for which the trend was read. */
  readonly key: string;
  readonly trend: Trend | undefined;
}

/** Keeps the trends of servers' memory. They are read from the history once an hour, one server after the other. */
export class TrendBook {
  readonly #options: TrendBookOptions;
  readonly #known = new Map<string, Known>();
  #servers: readonly string[] = [];
  #reading: Promise<unknown> = Promise.resolve();
  #timer: Disposable | undefined;

  constructor(options: TrendBookOptions) {
    this.#options = options;
  }

  /** Reads the trends of these servers now and then every hour. */
  follow(servers: readonly string[]): void {
    this.#servers = servers;
    for (const name of this.#known.keys()) if (!servers.includes(name)) this.#known.delete(name);
    this.#timer?.dispose();
    this.#timer = this.#options.clock.setTimeout(() => this.follow(this.#servers), HOUR_MS);
    for (const name of servers) void this.read(name);
  }

  /** Handles a new run. It begins with little memory, so the known trend no longer applies until the history shows a new one. */
  eventHappened(event: PanelEvent): void {
    const { server, detail } = event;
    const known = server === null ? undefined : this.#known.get(server);
    const isBegun = beginsRun(event) && detail.instance === undefined;
    if (server === null || known?.trend === undefined || !isBegun || (detail.generation ?? 1) === 1) return;
    this.#known.set(server, { ...known, trend: undefined });
    this.#options.onRead(server);
  }

  /** Returns the trend from the last reading. */
  of(server: string): Trend | undefined {
    return this.#known.get(server)?.trend;
  }

  /** Reads the trend up to the last full hour. */
  read(server: string): Promise<Trend | undefined> {
    const reading = this.#reading.then(() => this.#read(server));
    this.#reading = reading;
    return reading;
  }

  dispose(): void {
    this.#timer?.dispose();
    this.#servers = [];
  }

  async #read(server: string): Promise<Trend | undefined> {
    const { source, wallClock, limitOf, onRead } = this.#options;
    const limitBytes = limitOf(server);
    if (!this.#servers.includes(server) || limitBytes === undefined) return undefined;
    const key = `${Math.floor(wallClock.epochMs() / HOUR_MS)} ${limitBytes}`;
    const known = this.#known.get(server);
    if (known?.key === key) return known.trend;
    // A history that was disposed of rejects the query; that counts as no trend.
    const trend = await source.trend({ server, limitBytes }).catch(() => undefined);
    if (!this.#servers.includes(server)) return undefined;
    this.#known.set(server, { key, trend });
    if (trend !== undefined || known?.trend !== undefined) onRead(server);
    if (trend !== undefined && known?.trend === undefined) await this.#tell(server, trend);
    return trend;
  }

  /** Writes an event, unless the history already has one for this trend. */
  async #tell(server: string, { bestHour: _, ...trend }: Trend): Promise<void> {
    const { source, wallClock, logEvent } = this.#options;
    const to = wallClock.epochMs() + 1;
    const from = Math.max(0, Math.min(trend.since, to - LEAST_PAUSE_MS));
    const told = await source.events({ server, kinds: ['trend'], from, to, limit: 1 }).catch(() => undefined);
    if (told?.total === 0) logEvent(server, trend);
  }
}
