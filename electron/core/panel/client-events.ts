import type { EventDetails } from '../../../shared/events.ts';
import type { Clock, Disposable } from '../clock.ts';
import type { ClientSessionView } from '../gateway/session/options.ts';
import type { RefusalReport } from '../gateway/http/refusal-log.ts';
import type { AskRefusal } from '../gateway/upstream/server-requests.ts';

type ClientEventKind = 'client-connected' | 'client-refused' | 'client-revoked' | 'ask-refused';

interface KnownClient {
  readonly name: string;
  /** True when the client has sent an earlier request, in any app run. */
  readonly wasSeen: boolean;
  /** True when the client may use servers; false when it may only read metrics. */
  readonly hasSessions: boolean;
}

export interface ClientEventsOptions {
  readonly clock: Clock;
  /** Writes the event; `server` is the server that it concerns, if any. */
  readonly logEvent: <K extends ClientEventKind>(
    server: string | null,
    kind: K,
    detail: EventDetails[K],
  ) => void;
  /** Client by its id; undefined for an unknown one. */
  readonly client: (id: string) => KnownClient | undefined;
}

/**
 * Shortest interval between two events of the same kind in ms, because a program with an old token retries every few seconds,
 * and a server may send requests at each call.
 */
const QUIET_MS = 10 * 60_000;
/** Milliseconds for which refused requests are gathered into one event, because a refused server often retries at once. */
const BURST_MS = 2000;

/**
 * Events of MCP clients: the first session of each, and counts of refusals and of server requests without a receiver. The
 * caller disposes.
 */
export class ClientEvents implements Disposable {
  readonly #options: ClientEventsOptions;
  readonly #refusals: CountedReports<RefusalReport>;
  readonly #refusedAsks: CountedReports<AskRefusal>;
  /** Ids of clients that have sent their first request ever, and have no session yet. */
  readonly #arriving = new Set<string>();

  constructor(options: ClientEventsOptions) {
    const { clock, logEvent, client } = options;
    this.#options = options;
    this.#refusals = new CountedReports({
      clock,
      gatherMs: 0,
      quietMs: QUIET_MS,
      merge: (before, next) => ({ ...next, clientName: next.clientName ?? before.clientName }),
      tell: ({ reason, clientName }, count) =>
        logEvent(null, 'client-refused', { reason, count, ...(clientName && { client: clientName }) }),
    });
    this.#refusedAsks = new CountedReports({
      clock,
      gatherMs: BURST_MS,
      quietMs: QUIET_MS,
      tell: ({ server, method, reason, clientId }, count) => {
        const name = clientId === undefined ? undefined : client(clientId)?.name;
        logEvent(server, 'ask-refused', { method, reason, count, ...(name && { client: name }) });
      },
    });
  }

  /** True while a client that was new has no session yet. */
  get awaitsSession(): boolean {
    return this.#arriving.size > 0;
  }

  /** Called before a request of that client is noted in the registry. */
  aboutToBeSeen(id: string): void {
    if (this.#arriving.has(id)) return;
    const client = this.#options.client(id);
    if (client === undefined || client.wasSeen) return;
    if (client.hasSessions) this.#arriving.add(id);
    else this.#options.logEvent(null, 'client-connected', { client: client.name, reads: 'metrics' });
  }

  /** Takes the current sessions of clients. */
  sessionsChanged(sessions: readonly ClientSessionView[]): void {
    for (const { clientId, server, info } of sessions) {
      if (!this.#arriving.delete(clientId)) continue;
      const program = info && `${info.name} ${info.version}`.trim();
      const client = this.#options.client(clientId)?.name;
      this.#options.logEvent(null, 'client-connected', { client, server, ...(program && { program }) });
    }
  }

  revoked(name: string): void {
    this.#options.logEvent(null, 'client-revoked', { client: name });
  }

  refused(report: RefusalReport): void {
    this.#refusals.add(report.reason, report, report.count);
  }

  /** Counts a server request that was sent to no client. */
  askRefused(refusal: AskRefusal): void {
    const { server, method, reason } = refusal;
    this.#refusedAsks.add(`${server} ${method} ${reason}`, refusal);
  }

  /** Reports the remaining counts. */
  dispose(): void {
    this.#refusals.dispose();
    this.#refusedAsks.dispose();
  }
}

interface CountedReportsOptions<Item> {
  readonly clock: Clock;
  /** Milliseconds that the first report of a key waits for others like it. 0 sends it at once. */
  readonly gatherMs: number;
  /** Shortest interval between two reports of a key; items in between are counted into the next. */
  readonly quietMs: number;
  /** Merges items that are reported together. Default: keeps the newest. */
  readonly merge?: (before: Item, next: Item) => Item;
  readonly tell: (item: Item, count: number) => void;
}

interface Counted<Item> {
  count: number;
  /** Merged items since the last report; undefined when no item came. */
  item: Item | undefined;
  readonly timer: Disposable;
}

/** Reports repeated items with their count, so that a flood is a few lines of the journal. The caller disposes. */
class CountedReports<Item extends object> implements Disposable {
  readonly #options: CountedReportsOptions<Item>;
  readonly #counted = new Map<string, Counted<Item>>();

  constructor(options: CountedReportsOptions<Item>) {
    this.#options = options;
  }

  /** Adds an item. @param key groups equal items; there must be few keys */
  add(key: string, item: Item, count = 1): void {
    const { gatherMs, merge, quietMs, tell } = this.#options;
    const counted = this.#counted.get(key);
    if (counted) {
      counted.count += count;
      counted.item = counted.item && merge ? merge(counted.item, item) : item;
    } else if (gatherMs > 0) {
      this.#counted.set(key, { count, item, timer: this.#wait(key, gatherMs) });
    } else {
      this.#counted.set(key, { count: 0, item: undefined, timer: this.#wait(key, quietMs) });
      tell(item, count);
    }
  }

  /** Sends the remaining counts. */
  dispose(): void {
    for (const { count, item, timer } of this.#counted.values()) {
      timer.dispose();
      if (item) this.#options.tell(item, count);
    }
    this.#counted.clear();
  }

  #wait(key: string, ms: number): Disposable {
    return this.#options.clock.setTimeout(() => this.#over(key), ms);
  }

  #over(key: string): void {
    const { count = 0, item } = this.#counted.get(key) ?? {};
    this.#counted.delete(key);
    if (!item) return;
    const timer = this.#wait(key, this.#options.quietMs);
    this.#counted.set(key, { count: 0, item: undefined, timer });
    this.#options.tell(item, count);
  }
}
