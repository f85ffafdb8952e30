import { callOutcomes } from '../../../../shared/call-figures.ts';
import type { ServerView } from '../../../../shared/domain.ts';
import { openFilesKindOf, type OpenFilesKind } from '../../../../shared/open-files.ts';
import { needsAttention, shownState, stateKinds, type StateKind } from '../../../../shared/server-states.ts';
import { addUp } from '../../../../shared/server-totals.ts';
import type { CallTotalsView } from '../../telemetry/calls/call-totals.ts';
import type { ClientTotals } from '../../telemetry/calls/client-calls.ts';
import { metricText, type HistogramSample, type MetricFamily, type MetricSample } from './metric-text.ts';

/** One server with its figures. */
export interface MeasuredServer {
  readonly view: ServerView;
  /** Figures of calls; undefined before the first call. */
  readonly calls: CallTotalsView | undefined;
  /** Number of times since the panel started that it judged the server to have stalled, that is, not to respond. */
  readonly stalls: number;
}

/** All figures of the panel at one moment. */
export interface MetricsSnapshot {
  readonly version: string;
  readonly servers: readonly MeasuredServer[];
  readonly clients: readonly ClientTotals[];
  /** What the system counts as open files: files, handles, or nothing. Default: what this system counts. */
  readonly openFilesKind?: OpenFilesKind;
}

/** Returns the snapshot as OpenMetrics 1.0 text. Unknown figures have no sample. Counters begin at 0 with each app run. */
export function openMetrics({ version, servers, clients, openFilesKind }: MetricsSnapshot): string {
  return metricText([
    {
      name: 'mcp_panel',
      help: 'The panel itself.',
      metric: { kind: 'info', samples: [{ labels: { version }, value: 1 }] },
    },
    ...stateFamilies(servers),
    ...resourceFamilies(servers, openFilesKind),
    ...callFamilies(servers),
    clientFamily(clients),
  ]);
}

type FigureOf = (server: MeasuredServer) => number | undefined;

/** Returns a metric with one figure for each server. */
function figureOfEach(
  servers: readonly MeasuredServer[],
  kind: 'gauge' | 'counter',
  name: string,
  help: string,
  figure: FigureOf,
  unit?: MetricFamily['unit'],
): MetricFamily {
  return { name, help, ...(unit && { unit }), metric: { kind, samples: perServer(servers, figure) } };
}

function perServer(servers: readonly MeasuredServer[], figure: FigureOf): readonly MetricSample[] {
  return servers.map((server) => ({ labels: { server: server.view.name }, value: figure(server) }));
}

const divided = (value: number | undefined, by: number): number | undefined =>
  value === undefined ? undefined : value / by;

const MS_PER_S = 1000;
const PERCENT = 100;

/** State and restart history of each server. */
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
    figureOfEach(
      servers,
      'counter',
      'mcp_server_restarts',
      'Automatic starts since the panel started.',
      ({ view }) => view.restartsTotal,
    ),
    figureOfEach(
      servers,
      'gauge',
      'mcp_server_unstable',
      'Whether it ended unplanned three times in 24 hours or five times in seven days, and no day has passed since.',
      ({ view }) => (view.unstable === undefined ? 0 : 1),
    ),
    figureOfEach(
      servers,
      'counter',
      'mcp_server_stalls',
      'Verdicts that it does not respond.',
      ({ stalls }) => stalls,
    ),
  ];
}

const filesMetric = ['mcp_server_open_files', 'Open files of all its processes.'] as const;
/** Windows counts handles, not files. Handles have their own name, because a metric must mean the same on all systems. */
const openFilesMetrics = {
  files: filesMetric,
  // On a system without this figure, all samples of the family are unknown.
  unmeasured: filesMetric,
  handles: ['mcp_server_handles', 'Handles of all its processes: files, threads, events, windows.'],
} as const;

/** Resource use of each server. */
function resourceFamilies(
  servers: readonly MeasuredServer[],
  openFilesKind = openFilesKindOf(process.platform),
): readonly MetricFamily[] {
  const [name, help] = openFilesMetrics[openFilesKind];
  const sampleOf = ({ view }: MeasuredServer) => view.sample;
  const isLocal = ({ view }: MeasuredServer) => view.transport === 'stdio';
  return [
    figureOfEach(
      servers,
      'gauge',
      'mcp_server_memory_bytes',
      'Private memory of all its processes, plus shared memory counted once.',
      (server) => sampleOf(server)?.memoryBytes,
      'bytes',
    ),
    figureOfEach(
      servers,
      'gauge',
      'mcp_server_memory_trend_bytes_per_day',
      'Lasting rise of its memory a day, by the lowest value of each day; none without a trend.',
      ({ view }) => view.trend?.perDayBytes,
    ),
    {
      name: 'mcp_servers_in_ram_bytes',
      help: 'About as much memory as all servers take together: less than the sum of theirs, because what they share counts once.',
      unit: 'bytes',
      metric: {
        kind: 'gauge',
        samples: [{ labels: {}, value: addUp(servers.map(({ view }) => view)).inRamBytes }],
      },
    },
    figureOfEach(
      servers,
      'gauge',
      'mcp_server_cpu_ratio',
      'CPU of all its processes: 1 is one core.',
      (server) => divided(sampleOf(server)?.cpuPercent, PERCENT),
      'ratio',
    ),
    figureOfEach(servers, 'gauge', name, help, (server) => sampleOf(server)?.openFiles),
    figureOfEach(servers, 'gauge', 'mcp_server_processes', 'Its processes.', (server) =>
      isLocal(server) ? sampleOf(server)?.processCount : undefined,
    ),
    figureOfEach(
      servers,
      'gauge',
      'mcp_server_round_trip_seconds',
      'How long a remote server took to answer the last question of the panel.',
      (server) => divided(sampleOf(server)?.rttMs, MS_PER_S),
      'seconds',
    ),
  ];
}

function describe(view: ServerView | undefined): Record<string, string> {
  const { transport = '', serverInfo } = view ?? {};
  return { transport, name: serverInfo?.name ?? '', version: serverInfo?.version ?? '' };
}

/** Calls of MCP clients and of the app window to each server. */
function callFamilies(servers: readonly MeasuredServer[]): readonly MetricFamily[] {
  return [
    figureOfEach(servers, 'gauge', 'mcp_server_calls_in_flight', 'Calls under way.', ({ view }) =>
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

function clientFamily(clients: readonly ClientTotals[]): MetricFamily {
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

/** Health of the panel, only in numbers, because the endpoint is public and must not name the servers. */
export interface Healthz {
  /** `degraded` while a server needs attention. The panel itself is healthy if it answers. */
  readonly status: 'ok' | 'degraded';
  readonly version: string;
  readonly servers: { readonly total: number; readonly states: Readonly<Record<StateKind, number>> };
}

export function healthz(version: string, servers: readonly ServerView[]): Healthz {
  const shown = servers.map(shownState);
  const states = Object.fromEntries(
    stateKinds.map((kind) => [kind, shown.filter((state) => state === kind).length]),
  ) as Record<StateKind, number>;
  return {
    status: shown.some(needsAttention) ? 'degraded' : 'ok',
    version,
    servers: { total: servers.length, states },
  };
}
