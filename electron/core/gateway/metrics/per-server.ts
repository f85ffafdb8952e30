import type { ServerView } from '../../../../shared/domain.ts';
import type { CallTotalsView } from '../../telemetry/calls/call-totals.ts';
import type { MetricFamily, MetricSample } from './metric-text.ts';

/** One server as its figures are told. */
export interface MeasuredServer {
  readonly view: ServerView;
  /** Undefined before the first call. */
  readonly calls: CallTotalsView | undefined;
  /** Verdicts that it does not respond, since the panel started. */
  readonly stalls: number;
}

type FigureOf = (server: MeasuredServer) => number | undefined;

export function gauge(
  servers: readonly MeasuredServer[],
  name: string,
  help: string,
  figure: FigureOf,
): MetricFamily {
  return { name, help, metric: { kind: 'gauge', samples: perServer(servers, figure) } };
}

export function counter(
  servers: readonly MeasuredServer[],
  name: string,
  help: string,
  figure: FigureOf,
): MetricFamily {
  return { name, help, metric: { kind: 'counter', samples: perServer(servers, figure) } };
}

export function perServer(servers: readonly MeasuredServer[], figure: FigureOf): readonly MetricSample[] {
  return servers.map((server) => ({ labels: { server: server.view.name }, value: figure(server) }));
}

export const divided = (value: number | undefined, by: number): number | undefined =>
  value === undefined ? undefined : value / by;
