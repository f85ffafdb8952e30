import { callOutcomes } from '../../../../shared/call-figures.ts';
import type { ClientTotals } from '../../telemetry/calls/client-calls.ts';
import type { HistogramSample, MetricFamily, MetricSample } from './metric-text.ts';
import { gauge, type MeasuredServer } from './per-server.ts';

const MS_PER_S = 1000;

/** Calls to a server, of clients and of the window. */
export function callFamilies(servers: readonly MeasuredServer[]): readonly MetricFamily[] {
  return [
    gauge(servers, 'mcp_server_calls_in_flight', 'Calls under way.', ({ view }) =>
      view.runningSince === undefined ? undefined : (view.busy?.calls ?? 0),
    ),
    {
      name: 'mcp_server_calls',
      help: 'Calls of clients and of the window that ended, by outcome: error, timeout and lost are failures.',
      metric: {
        kind: 'counter',
        samples: servers.flatMap(({ view, calls }) =>
          callOutcomes.map((outcome) => ({
            labels: { server: view.name, outcome },
            value: calls?.outcomes[outcome] ?? 0,
          })),
        ),
      },
    },
    {
      name: 'mcp_server_call_duration_seconds',
      help: 'How long calls took that were answered, or ran into their deadline.',
      unit: 'seconds',
      metric: { kind: 'histogram', samples: servers.flatMap(durationSample) },
    },
  ];
}

function durationSample({ view, calls }: MeasuredServer): readonly HistogramSample[] {
  if (calls === undefined) return [];
  const { count, sumMs, upTo } = calls.durations;
  return [
    {
      labels: { server: view.name },
      count,
      sum: sumMs / MS_PER_S,
      upTo: upTo.map(({ boundMs, count: below }) => ({ bound: boundMs / MS_PER_S, count: below })),
    },
  ];
}

export function clientFamily(clients: readonly ClientTotals[]): MetricFamily {
  return {
    name: 'mcp_client_calls',
    help: 'Calls that clients of the gateway made and that ended, by server and outcome.',
    metric: { kind: 'counter', samples: clients.flatMap(clientSamples) },
  };
}

function clientSamples({
  clientId,
  clientName = '',
  server,
  outcomes,
}: ClientTotals): readonly MetricSample[] {
  return callOutcomes.map((outcome) => ({
    labels: { client: clientName, client_id: clientId, server, outcome },
    value: outcomes[outcome],
  }));
}
