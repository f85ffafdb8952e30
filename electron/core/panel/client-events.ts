import type { EventDetails } from '../../../shared/events.ts';
import type { Clock, Disposable } from '../clock.ts';
import type { ClientSessionView } from '../gateway/session/options.ts';
import type { RefusalReason } from '../../../shared/gateway.ts';
import type { AskRefusal } from '../gateway/upstream/server-requests.ts';
import { CountedReports } from './counted-reports.ts';

type ClientEventKind = 'client-connected' | 'client-refused' | 'client-revoked' | 'ask-refused';

interface KnownClient {
  readonly name: string;
  /** True if the client may use servers; false if it may only read metrics. */
  readonly hasSessions: boolean;
}

interface ClientEventsOptions {
  readonly clock: Clock;
  /** Writes an event to the journal. `server` is the server that the event concerns; null if there is none. */
  readonly logEvent: <K extends ClientEventKind>(
    server: string | null,
    kind: K,
    detail: EventDetails[K],
  ) => void;
  /** Returns the client with this id; undefined if there is none. */
  readonly client: (id: string) => KnownClient | undefined;
}

/**
 * Milliseconds for which server requests that could not be delivered are combined into one event, because a server often
 * retries a refused request immediately.
 */
const BURST_MS = 2000;

/**
 * Writes the events of MCP clients: the first session of each client, refused requests with their count, and server requests
 * that could not be sent to any client. The creator of this object must dispose it.
 */
export class ClientEvents implements Disposable {
  readonly #options: ClientEventsOptions;
  readonly #refusals: CountedReports<{ reason: RefusalReason; clientName?: string | undefined }>;
  readonly #refusedAsks: CountedReports<AskRefusal>;
  /** Ids of clients that have sent their very first request but have not opened a session yet. */
  readonly #arriving = new Set<string>();

  constructor(options: ClientEventsOptions) {
    const { clock, logEvent, client } = options;
    this.#options = options;
    this.#refusals = new CountedReports({
      clock,
      merge: (before, next) => ({ ...next, clientName: next.clientName ?? before.clientName }),
      tell: ({ reason, clientName }, count) =>
        logEvent(null, 'client-refused', { reason, count, ...(clientName && { client: clientName }) }),
    });
    this.#refusedAsks = new CountedReports({
      clock,
      gatherMs: BURST_MS,
      tell: ({ server, method, reason, clientId }, count) => {
        const name = clientId === undefined ? undefined : client(clientId)?.name;
        logEvent(server, 'ask-refused', { method, reason, count, ...(name && { client: name }) });
      },
    });
  }

  /** True while at least one new client has not opened a session yet. */
  get awaitsSession(): boolean {
    return this.#arriving.size > 0;
  }

  /** Called at the very first request of a client, across all app runs. */
  arrived(id: string): void {
    const client = this.#options.client(id);
    if (client === undefined) return;
    if (client.hasSessions) this.#arriving.add(id);
    else this.#options.logEvent(null, 'client-connected', { client: client.name, reads: 'metrics' });
  }

  /** Called with all current sessions of clients when they have changed. */
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

  /** Counts a refused request. @param clientName name of the client that sent it, if known */
  refused(reason: RefusalReason, clientName?: string): void {
    this.#refusals.add(reason, { reason, clientName });
  }

  /** Counts a server request, such as a question to the user, that could not be sent to any client. */
  askRefused(refusal: AskRefusal): void {
    const { server, method, reason } = refusal;
    this.#refusedAsks.add(`${server} ${method} ${reason}`, refusal);
  }

  /** Writes events for the requests that were counted but not reported yet. */
  dispose(): void {
    this.#refusals.dispose();
    this.#refusedAsks.dispose();
  }
}
