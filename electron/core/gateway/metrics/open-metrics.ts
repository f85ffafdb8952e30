import { callOutcomes } from '../../../../shared/call-figures.ts';
import type { ServerView } from '../../../../shared/domain.ts';
import { stateKinds } from '../../../../shared/server-states.ts';
import type { CallTotalsView } from '../../telemetry/calls/call-totals.ts';
import type { ClientTotals } from '../../telemetry/calls/client-calls.ts';
import { metricText, type HistogramSample, type MetricFamily, type MetricSample } from './metric-text.ts';

const MS_PER_S = 1000;
const PERCENT = 100;

/** One server as its figures are told. */
export interface MeasuredServer {
  readonly view: ServerView;
  /** Undefined before the first call. */
  readonly calls: CallTotalsView | undefined;
  /** Verdicts that it does not respond, since the panel started. */
  readonly stalls: number;
}

/** All that is told, as of one moment. */
export interface MetricsSnapshot {
  readonly version: string;
  readonly servers: readonly MeasuredServer[];
  readonly clients: readonly ClientTotals[];
}

/** The snapshot as OpenMetrics 1.0 text. What is not known has no sample. Counters begin at 0 with the panel. */
export function openMetrics({ version, servers, clients }: MetricsSnapshot): string {
  return metricText([
    {
      name: 'mcp_panel',
      help: 'The panel itself.',
      metric: { kind: 'info', samples: [{ labels: { version }, value: 1 }] },
    },
    ...stateFamilies(servers),
    ...resourceFamilies(servers),
    ...callFamilies(servers),
    {
      name: 'mcp_client_calls',
      help: 'Calls that clients of the gateway made and that ended, by server and outcome.',
      metric: { kind: 'counter', samples: clients.flatMap(clientSamples) },
    },
  ]);
}

function stateFamilies(servers: readonly MeasuredServer[]): readonly MetricFamily[] {
  return [
    {
      name: 'mcp_server',
      help: 'How a server is reached, and what it calls itself.',
      metric: {
        kind: 'info',
        samples: perServer(servers, () => 1).map((sample, index) => ({
          ...sample,
          labels: { ...sample.labels, ...describe(servers[index]?.view) },
        })),
      },
    },
    {
      name: 'mcp_server_state',
      help: 'The state of a server: one of them is 1.',
      metric: {
        kind: 'stateset',
        samples: servers.flatMap(({ view }) =>
          stateKinds.map((kind) => ({
            labels: { server: view.name, mcp_server_state: kind },
            value: view.state.kind === kind ? 1 : 0,
          })),
        ),
      },
    },
    counter(servers, 'mcp_server_restarts', 'Automatic starts.', ({ view }) => view.restartsTotal),
    counter(servers, 'mcp_server_stalls', 'Verdicts that it does not respond.', ({ stalls }) => stalls),
  ];
}

function resourceFamilies(servers: readonly MeasuredServer[]): readonly MetricFamily[] {
  const sampleOf = ({ view }: MeasuredServer) => view.sample;
  const isLocal = ({ view }: MeasuredServer) => view.transport === 'stdio';
  return [
    {
      ...gauge(
        servers,
        'mcp_server_memory_bytes',
        'Private memory of all its processes, and once what they share.',
        (server) => sampleOf(server)?.memoryBytes,
      ),
      unit: 'bytes',
    },
    {
      ...gauge(servers, 'mcp_server_cpu_ratio', 'CPU of all its processes: 1 is one core.', (server) =>
        divided(sampleOf(server)?.cpuPercent, PERCENT),
      ),
      unit: 'ratio',
    },
    gauge(
      servers,
      'mcp_server_open_files',
      'Open files of all its processes.',
      (server) => sampleOf(server)?.openFiles,
    ),
    gauge(servers, 'mcp_server_processes', 'Its processes.', (server) =>
      isLocal(server) ? sampleOf(server)?.processCount : undefined,
    ),
    {
      ...gauge(
        servers,
        'mcp_server_round_trip_seconds',
        'How long a remote server took to answer the last question of the panel.',
        (server) => divided(sampleOf(server)?.rttMs, MS_PER_S),
      ),
      unit: 'seconds',
    },
  ];
}

function callFamilies(servers: readonly MeasuredServer[]): readonly MetricFamily[] {
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

function describe(view: ServerView | undefined): Record<string, string> {
  const { transport = '', serverInfo } = view ?? {};
  return { transport, name: serverInfo?.name ?? '', version: serverInfo?.version ?? '' };
}

type FigureOf = (server: MeasuredServer) => number | undefined;

function gauge(
  servers: readonly MeasuredServer[],
  name: string,
  help: string,
  figure: FigureOf,
): MetricFamily {
  return { name, help, metric: { kind: 'gauge', samples: perServer(servers, figure) } };
}

function counter(
  servers: readonly MeasuredServer[],
  name: string,
  help: string,
  figure: FigureOf,
): MetricFamily {
  return { name, help, metric: { kind: 'counter', samples: perServer(servers, figure) } };
}

function perServer(servers: readonly MeasuredServer[], figure: FigureOf): readonly MetricSample[] {
  return servers.map((server) => ({ labels: { server: server.view.name }, value: figure(server) }));
}

const divided = (value: number | undefined, by: number): number | undefined =>
  value === undefined ? undefined : value / by;
