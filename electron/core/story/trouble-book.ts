import type { PanelEvent, ServerView } from '../../../shared/domain.ts';
import { shownState, type JudgedServer } from '../../../shared/server-states.ts';
import type { WallClock } from '../clock.ts';
import type { HistorySource } from '../store/history-source.ts';
import { instabilityAt } from './instability.ts';
import { EndReader, type FoundEnd, isFault } from './run-ends.ts';
import { readStoryEvents, runEventKinds } from './story-events.ts';
import { uptimeMs } from './tell-end.ts';
import { DAY_MS } from '../../../shared/units.ts';

/** Length in ms of the history that is read. A failure that began earlier is reported as if it began then. */
const PAST_MS = 30 * 86_400_000;
/**
 * Maximum number of unplanned ends kept per server; the oldest are dropped first. Counts of ends therefore stop at this number.
 */
const MAX_FAULTS = 500;
/** Minimum length in ms of a good run, after which a server is no longer failing. Equals the default in restart policies. */
const GOOD_RUN_MS = 60_000;

interface TroubleBookOptions {
  readonly source: Pick<HistorySource, 'events' | 'state'>;
  readonly wallClock: WallClock;
  /** Called when the history of a server has been read. */
  readonly onRead: (server: string) => void;
}

type TroubledServer = JudgedServer & Pick<ServerView, 'name'>;

/** Problems of servers in the history: instability of a running server, and the time since when a server has been failing. */
export class TroubleBook {
  readonly #options: TroubleBookOptions;
  readonly #records = new Map<string, TroubleRecord>();
  #reading: Promise<void> = Promise.resolve();

  constructor(options: TroubleBookOptions) {
    this.#options = options;
  }

  /** Reads the history of new servers, one after the other, and removes servers that are not in `names`. */
  follow(names: readonly string[]): void {
    for (const name of this.#records.keys()) if (!names.includes(name)) this.#records.delete(name);
    for (const name of names) {
      if (this.#records.has(name)) continue;
      const record = new TroubleRecord();
      this.#records.set(name, record);
      this.#reading = this.#reading.then(() => this.#read(name, record));
    }
  }

  eventHappened(event: PanelEvent): void {
    if (event.server !== null) this.#records.get(event.server)?.happened(event);
    else for (const record of this.#records.values()) record.happened(event);
  }

  of(server: TroubledServer): Pick<ServerView, 'unstable' | 'failingSince' | 'restarts24h'> {
    const record = this.#records.get(server.name);
    const now = this.#options.wallClock.epochMs();
    const unstable = record && instabilityAt(record.faultsAt, now);
    const restarts24h = record?.faultsAt.filter((at) => at > now - DAY_MS).length ?? 0;
    const isFailing = ['failed', 'backoff'].includes(shownState(server));
    return {
      ...(restarts24h > 0 && { restarts24h }),
      ...(unstable && { unstable }),
      ...(isFailing && record?.failingSince !== undefined && { failingSince: record.failingSince }),
    };
  }

  async #read(server: string, record: TroubleRecord): Promise<void> {
    const { source, wallClock, onRead } = this.#options;
    if (this.#records.get(server) !== record) return;
    const to = wallClock.epochMs() + 1;
    const query = { server, from: Math.max(0, to - PAST_MS), to, kinds: runEventKinds };
    // A history that was disposed, or could not be read, yields nothing. Later events are recorded nevertheless.
    const events = await readStoryEvents(source, query).then(
      (read) => read.events,
      () => [],
    );
    record.begin(events);
    onRead(server);
  }
}

const isOfRuns = ({ server, kind }: PanelEvent): boolean =>
  server === null ? kind === 'panel-started' || kind === 'panel-quit' : runEventKinds.includes(kind);

/** Problems of one server. */
class TroubleRecord {
  readonly faultsAt: number[] = [];
  /** End of the last good run in epoch ms; undefined while the server is well, and after a requested stop or restart. */
  failingSince: number | undefined;
  readonly #reader = new EndReader();
  /** Events that arrived while the history was being read; undefined after that. */
  #waiting: PanelEvent[] | undefined = [];

  happened(event: PanelEvent): void {
    if (this.#waiting) this.#waiting.push(event);
    else this.#take(event);
  }

  begin(past: readonly PanelEvent[]): void {
    const known = new Set(past.map(({ id }) => id));
    const news = (this.#waiting ?? []).filter(({ id }) => !known.has(id));
    this.#waiting = undefined;
    for (const event of [...past, ...news]) this.#take(event);
  }

  #take(event: PanelEvent): void {
    if (!isOfRuns(event)) return;
    this.#reader.take(event);
    for (const end of this.#reader.ends.splice(0)) {
      if (isFault(end)) this.#note(end.at);
      if (end.instance === undefined) this.#judge(end);
    }
    if (event.kind === 'stopped' && event.detail.instance === undefined) this.failingSince = undefined;
  }

  #note(at: number): void {
    // The times are kept in ascending order, even if the clock was set back between the last fault and this one.
    this.faultsAt.push(Math.max(at, this.faultsAt.at(-1) ?? at));
    if (this.faultsAt.length > MAX_FAULTS) this.faultsAt.shift();
  }

  #judge(end: FoundEnd): void {
    const isAsked = end.cause === 'request' || end.cause === 'configuration';
    if (isAsked) this.failingSince = undefined;
    else if (isFault(end) || end.cause === 'start') {
      if (this.failingSince === undefined || uptimeMs(end) >= GOOD_RUN_MS) this.failingSince = end.at;
    } else if (uptimeMs(end) >= GOOD_RUN_MS) this.failingSince = undefined;
  }
}
