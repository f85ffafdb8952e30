import type { EventDetails } from '../../../shared/events.ts';
import type { Clock, Disposable } from '../clock.ts';
import type { ClientSessionView } from '../gateway/session/options.ts';
import type { RefusalReport } from '../gateway/http/refusal-log.ts';
import type { AskRefusal } from '../gateway/upstream/server-requests.ts';
import { CountedReports } from './counted-reports.ts';

type ClientEventKind = 'client-connected' | 'client-refused' | 'client-revoked' | 'ask-refused';

interface KnownClient {
  readonly name: string;
  /** Whether it has ever been seen before. */
  readonly wasSeen: boolean;
  /** It may use servers; one that may not reads metrics alone. */
  readonly hasSessions: boolean;
}

export interface ClientEventsOptions {
  readonly clock: Clock;
  /** Writes the event; `server` is the one that it is about, if it is about one. */
  readonly logEvent: <K extends ClientEventKind>(
    server: string | null,
    kind: K,
    detail: EventDetails[K],
  ) => void;
  /** By id. Undefined where there is none. */
  readonly client: (id: string) => KnownClient | undefined;
}

/** A program with an old token tries every few seconds, and a server that asks does so at each call. */
const QUIET_MS = 10 * 60_000;
/** A server that is refused often asks again at once, so a burst of its questions is one event. */
const BURST_MS = 2000;

/** What happens to clients, as events: the first connection of each; refusals, and questions that reached none, counted. The caller disposes. */
export class ClientEvents implements Disposable {
  readonly #options: ClientEventsOptions;
  readonly #refusals: CountedReports<RefusalReport>;
  readonly #refusedAsks: CountedReports<AskRefusal>;
  /** Clients that have sent their first request ever, and have no session yet. */
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

  /** Whether somebody is waited for whose first session is news. */
  get awaitsSession(): boolean {
    return this.#arriving.size > 0;
  }

  /** A request of that client is about to be noted in the registry. */
  aboutToBeSeen(id: string): void {
    if (this.#arriving.has(id)) return;
    const client = this.#options.client(id);
    if (client === undefined || client.wasSeen) return;
    if (client.hasSessions) this.#arriving.add(id);
    else this.#options.logEvent(null, 'client-connected', { client: client.name, reads: 'metrics' });
  }

  /** The sessions of clients are these now. */
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

  /** A server asked its client for something, and no client was asked. */
  askRefused(refusal: AskRefusal): void {
    const { server, method, reason } = refusal;
    this.#refusedAsks.add(`${server} ${method} ${reason}`, refusal);
  }

  /** Tells of what was counted. */
  dispose(): void {
    this.#refusals.dispose();
    this.#refusedAsks.dispose();
  }
}
