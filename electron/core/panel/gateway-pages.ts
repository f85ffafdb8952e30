import { healthz, openMetrics } from '../gateway/metrics/open-metrics.ts';
import type { PanelBase } from './panel-base.ts';
import type { Views } from './views.ts';
import type { FiguresParts } from './wire-figures.ts';

export type GatewayPages = ReturnType<typeof gatewayPages>;

/** Returns the pages that the gateway serves for external monitoring. */
export function gatewayPages(
  { options: { appVersion: version }, files: { journal } }: PanelBase,
  { calls, clientCalls }: Pick<FiguresParts, 'calls' | 'clientCalls'>,
  views: Views,
) {
  const stallsBy = new Map<string, number>();
  const stallsOf = (server: string): number => stallsBy.get(server) ?? 0;
  journal.onEvent(({ kind, server }) => {
    if (kind === 'stalled' && server !== null) stallsBy.set(server, stallsOf(server) + 1);
  });
  return {
    /** Returns the metrics as OpenMetrics text. */
    metrics: () => {
      const servers = views
        .all()
        .map((view) => ({ view, calls: calls.totals(view.name), stalls: stallsOf(view.name) }));
      return openMetrics({ version, servers, clients: clientCalls.totals() });
    },
    healthz: () => healthz(version, views.all()),
  };
}
