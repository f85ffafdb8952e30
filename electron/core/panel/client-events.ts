import type { RefusalReason } from '../../../shared/gateway.ts';
import type { Clock, Disposable } from '../clock.ts';
import type { ClientSessionView } from '../gateway/edge/client-session-view.ts';
import type { RefusalReport } from '../gateway/gateway-options.ts';

export interface ClientEventsOptions {
  readonly clock: Clock;
  readonly logEvent: (
    kind: 'client-connected' | 'client-refused' | 'client-revoked',
    detail: Record<string, unknown>,
  ) => void;
  /** By id: its name, and whether it has ever been seen before. Undefined where there is none. */
  readonly client: (id: string) => { readonly name: string; readonly wasSeen: boolean } | undefined;
}

/** At most one event per reason in this time; what comes meanwhile is counted into the next. */
const QUIET_MS = 10 * 60_000;

/** The window has words for every reason, so a reason of the gateway that is not among them does not compile. */
interface Counted {
  count: number;
  clientName: string | undefined;
  readonly timer: Disposable;
}

/** What happens to clients, as events: the first connection of each, refusals counted by their reason. The caller disposes. */
export class ClientEvents implements Disposable {
  readonly #options: ClientEventsOptions;
  readonly #refusals = new Map<RefusalReason, Counted>();
  /** Clients that have sent their first request ever, and have no session yet. */
  readonly #arriving = new Set<string>();

  constructor(options: ClientEventsOptions) {
    this.#options = options;
  }

  /** Whether somebody is waited for whose first session is news. */
  get awaitsSession(): boolean {
    return this.#arriving.size > 0;
  }

  /** A request of that client is about to be noted in the registry. */
  aboutToBeSeen(id: string): void {
    if (this.#arriving.has(id)) return;
    if (this.#options.client(id)?.wasSeen === false) this.#arriving.add(id);
  }

  /** The sessions of clients are these now. */
  sessionsChanged(sessions: readonly ClientSessionView[]): void {
    for (const { clientId, server, info } of sessions) {
      if (!this.#arriving.delete(clientId)) continue;
      const program = info && `${info.name} ${info.version}`.trim();
      const client = this.#options.client(clientId)?.name;
      this.#options.logEvent('client-connected', { client, server, ...(program && { program }) });
    }
  }

  revoked(name: string): void {
    this.#options.logEvent('client-revoked', { client: name });
  }

  refused({ reason, count, clientName }: RefusalReport): void {
    const counted = this.#refusals.get(reason);
    if (counted === undefined) return this.#tell(reason, count, clientName);
    counted.count += count;
    counted.clientName = clientName ?? counted.clientName;
  }

  /** Tells of what was counted. */
  dispose(): void {
    for (const [reason, { count, clientName, timer }] of this.#refusals) {
      timer.dispose();
      if (count > 0) this.#log(reason, count, clientName);
    }
    this.#refusals.clear();
  }

  #tell(reason: RefusalReason, count: number, clientName: string | undefined): void {
    const timer = this.#options.clock.setTimeout(() => this.#over(reason), QUIET_MS);
    this.#refusals.set(reason, { count: 0, clientName: undefined, timer });
    this.#log(reason, count, clientName);
  }

  #over(reason: RefusalReason): void {
    const { count = 0, clientName } = this.#refusals.get(reason) ?? {};
    this.#refusals.delete(reason);
    if (count > 0) this.#tell(reason, count, clientName);
  }

  #log(reason: RefusalReason, count: number, clientName: string | undefined): void {
    this.#options.logEvent('client-refused', { reason, count, ...(clientName && { client: clientName }) });
  }
}
