import type { CallMinute } from '../../../../shared/call-figures.ts';
import type { WallClock } from '../../clock.ts';
import { CallMinutes } from './call-book.ts';
import { noOutcomes, type OutcomeCounts, isError, type EndedCall } from './call-totals.ts';

interface ClientCallEnd extends EndedCall {
  readonly server: string;
  /** Client name set by the user; if undefined, the known name is kept. */
  readonly clientName?: string;
}

/** Totals of one client's calls to one server since the panel started. */
export interface ClientTotals {
  readonly clientId: string;
  /** Name of the client; undefined if no call contained one. */
  readonly clientName: string | undefined;
  readonly server: string;
  readonly outcomes: OutcomeCounts;
}

interface Known {
  readonly minutes: CallMinutes;
  name: string | undefined;
  calls: number;
  errors: number;
  readonly byServer: Map<string, Record<keyof OutcomeCounts, number>>;
}

export class ClientCalls {
  readonly #wallClock: WallClock;
  readonly #known = new Map<string, Known>();

  constructor(wallClock: WallClock) {
    this.#wallClock = wallClock;
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
    known.minutes.add(call, this.#wallClock.epochMs());
  }

  /** Calls and errors since the panel started; 0 if the client has made none. */
  count(clientId: string): { readonly calls: number; readonly errors: number } {
    const { calls = 0, errors = 0 } = this.#known.get(clientId) ?? {};
    return { calls, errors };
  }

  /** Minutes with calls since `sinceEpochMs`, within the last hour, oldest first. */
  since(clientId: string, sinceEpochMs: number): readonly CallMinute[] {
    return this.#known.get(clientId)?.minutes.since(sinceEpochMs, this.#wallClock.epochMs()) ?? [];
  }

  /** Returns the totals for each pair of client and server, with clients, and each client's servers, in order of first call. */
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

  /** Drops all figures of a revoked client. */
  forget(clientId: string): void {
    this.#known.delete(clientId);
  }

  /** Drops the statistics of the calls to a removed server. The calls still count in the clients' own totals. */
  forgetServer(server: string): void {
    for (const { byServer } of this.#known.values()) byServer.delete(server);
  }
}

const newClient = (): Known => ({
  ...{ name: undefined, calls: 0, errors: 0 },
  byServer: new Map(),
  minutes: new CallMinutes(),
});
