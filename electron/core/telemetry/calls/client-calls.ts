import type { CallMinute } from '../../../../shared/call-figures.ts';
import type { Clock, WallClock } from '../../clock.ts';
import { CallBook } from './call-book.ts';
import { noOutcomes, type OutcomeCounts } from './call-totals.ts';
import { isError, type EndedCall } from './ended-call.ts';

/** A call that a client of the gateway made. */
export interface ClientCallEnd extends EndedCall {
  readonly server: string;
  /** As the person named the client; without it the name that is known stays. */
  readonly clientName?: string;
}

/** What one client has asked of one server since the panel started. */
export interface ClientTotals {
  readonly clientId: string;
  /** Undefined where no call told it. */
  readonly clientName: string | undefined;
  readonly server: string;
  readonly outcomes: OutcomeCounts;
}

interface Known {
  name: string | undefined;
  calls: number;
  errors: number;
  readonly byServer: Map<string, Record<keyof OutcomeCounts, number>>;
}

export interface ClientCallsOptions {
  readonly clock: Clock;
  readonly wallClock: WallClock;
}

/** What the clients of the gateway ask for, and what comes of it. */
export class ClientCalls {
  readonly #book: CallBook;
  readonly #known = new Map<string, Known>();

  constructor(options: ClientCallsOptions) {
    this.#book = new CallBook(options);
  }

  recordClientCall(clientId: string, call: ClientCallEnd): void {
    const known = this.#known.get(clientId) ?? newClient();
    this.#known.set(clientId, known);
    known.name = call.clientName ?? known.name;
    known.calls += 1;
    if (isError(call)) known.errors += 1;
    const outcomes = known.byServer.get(call.server) ?? noOutcomes();
    known.byServer.set(call.server, outcomes);
    outcomes[call.outcome] += 1;
    this.#book.record(clientId, call);
  }

  /** Calls and errors since the panel started; 0 where the client has made none. */
  count(clientId: string): { readonly calls: number; readonly errors: number } {
    const { calls = 0, errors = 0 } = this.#known.get(clientId) ?? {};
    return { calls, errors };
  }

  /** Minutes with calls since then, within the last hour, oldest first. */
  since(clientId: string, sinceEpochMs: number): readonly CallMinute[] {
    return this.#book.since(clientId, sinceEpochMs);
  }

  /** By client and server, in the order of their first calls. */
  totals(): readonly ClientTotals[] {
    return [...this.#known].flatMap(([clientId, { name: clientName, byServer }]) =>
      [...byServer].map(([server, outcomes]) => ({
        clientId,
        clientName,
        server,
        outcomes: { ...outcomes },
      })),
    );
  }

  /** Drops everything of a client that was revoked. */
  forget(clientId: string): void {
    this.#known.delete(clientId);
    this.#book.forget(clientId);
  }

  /** Drops what a removed server was asked; the clients' own figures stay. */
  forgetServer(server: string): void {
    for (const { byServer } of this.#known.values()) byServer.delete(server);
  }
}

const newClient = (): Known => ({ name: undefined, calls: 0, errors: 0, byServer: new Map() });
