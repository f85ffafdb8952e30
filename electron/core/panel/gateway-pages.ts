import { healthz, type Healthz } from '../gateway/metrics/healthz.ts';
import { openMetrics } from '../gateway/metrics/open-metrics.ts';
import type { Journal } from '../journal/journal.ts';
import type { CallBook } from '../telemetry/calls/call-book.ts';
import type { ClientCalls } from '../telemetry/calls/client-calls.ts';
import type { Views } from './views.ts';

export interface GatewayPagesOptions {
  readonly version: string;
  readonly views: Views;
  readonly calls: CallBook;
  readonly clientCalls: ClientCalls;
  readonly journal: Journal;
}

/** Pages of the gateway for external monitoring. */
export class GatewayPages {
  readonly #options: GatewayPagesOptions;
  readonly #stalls = new Map<string, number>();

  constructor(options: GatewayPagesOptions) {
    this.#options = options;
    options.journal.onEvent(({ kind, server }) => {
      if (kind === 'stalled' && server !== null) this.#stalls.set(server, this.#stallsOf(server) + 1);
    });
  }

  /** Metrics as OpenMetrics text. */
  metrics(): string {
    const { version, views, calls, clientCalls } = this.#options;
    const servers = views.all().map((view) => ({
      view,
      calls: calls.totals(view.name),
      stalls: this.#stallsOf(view.name),
    }));
    return openMetrics({ version, servers, clients: clientCalls.totals() });
  }

  healthz(): Healthz {
    return healthz(this.#options.version, this.#options.views.all());
  }

  #stallsOf(server: string): number {
    return this.#stalls.get(server) ?? 0;
  }
}
