import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { callOutcomes } from '../../../../shared/call-figures.ts';
import type { ServerView } from '../../../../shared/domain.ts';
import { stateKinds } from '../../../../shared/server-states.ts';
import {
  healthz,
  openMetrics,
  type MeasuredServer,
  type MetricsSnapshot,
} from '../../../../electron/core/gateway/metrics/open-metrics.ts';
import { CallTotals } from '../../../../electron/core/telemetry/calls/call-totals.ts';
import { parseOpenMetrics, type ParsedFamily } from './parse-open-metrics.ts';
import { propertyRuns } from '../../../support/property-runs.ts';

function aServer(changes: Partial<ServerView> = {}): ServerView {
  return {
    name: 'memory',
    transport: 'stdio',
    autoStart: true,
    target: 'npx memory',
    state: { kind: 'running', since: 0 },
    generation: 1,
    restartAttempt: 0,
    maxRestartAttempts: 3,
    restartsTotal: 2,
    runningSince: 1,
    limits: { maxMemoryMiB: 1024, maxCpuPercent: 80, maxOpenFiles: 1000 },
    sample: { at: 0, memoryBytes: 1_048_576, cpuPercent: 150, openFiles: 12, processCount: 3 },
    ...changes,
  };
}

const measured = (view: ServerView, changes: Partial<MeasuredServer> = {}): MeasuredServer => ({
  view,
  calls: undefined,
  stalls: 0,
  ...changes,
});

function familiesOf(snapshot: Partial<MetricsSnapshot>): Record<string, ParsedFamily> {
  const text = openMetrics({
    ...{ version: '1.2.3', servers: [], clients: [], openFilesKind: 'files' },
    ...snapshot,
  });
  return Object.fromEntries(parseOpenMetrics(text).map((family) => [family.name, family]));
}

/** Half a surrogate pair becomes a mark, as in every UTF-8 text. */
const wellFormed = (text: string) => Buffer.from(text).toString();

const valuesOf = (family: ParsedFamily | undefined) =>
  Object.fromEntries((family?.samples ?? []).map(({ name, value }) => [name, value]));

describe('openMetrics', () => {
  it('has a metric of another name where handles stand for open files', () => {
    const families = familiesOf({ servers: [measured(aServer())], openFilesKind: 'handles' });
    expect(valuesOf(families['mcp_server_handles'])).toEqual({ mcp_server_handles: 12 });
    expect(families['mcp_server_open_files']).toBeUndefined();
  });

  it('tells of a server what it costs, in base units', () => {
    const calls = new CallTotals();
    for (const durationMs of [4, 40, 2000]) calls.add({ outcome: 'result', durationMs });
    calls.add({ outcome: 'timeout', durationMs: 600_000 });
    calls.add({ outcome: 'cancelled', durationMs: 1 });
    const families = familiesOf({ servers: [measured(aServer(), { calls: calls.view, stalls: 1 })] });
    const types = Object.values(families).map(({ name, type, unit }) => [name, type, unit]);
    expect(types).toEqual([
      ['mcp_panel', 'info', undefined],
      ['mcp_server', 'info', undefined],
      ['mcp_server_state', 'stateset', undefined],
      ['mcp_server_restarts', 'counter', undefined],
      ['mcp_server_unstable', 'gauge', undefined],
      ['mcp_server_stalls', 'counter', undefined],
      ['mcp_server_memory_bytes', 'gauge', 'bytes'],
      ['mcp_server_cpu_ratio', 'gauge', 'ratio'],
      ['mcp_server_open_files', 'gauge', undefined],
      ['mcp_server_processes', 'gauge', undefined],
      ['mcp_server_calls_in_flight', 'gauge', undefined],
      ['mcp_server_calls', 'counter', undefined],
      ['mcp_server_call_duration_seconds', 'histogram', 'seconds'],
    ]);
    const values = Object.assign({}, ...Object.values(families).map(valuesOf)) as Record<string, number>;
    expect(values).toMatchObject({
      mcp_server_restarts_total: 2,
      mcp_server_stalls_total: 1,
      mcp_server_memory_bytes: 1_048_576,
      mcp_server_cpu_ratio: 1.5,
      mcp_server_open_files: 12,
      mcp_server_processes: 3,
      mcp_server_calls_in_flight: 0,
      mcp_server_call_duration_seconds_count: 4,
      mcp_server_call_duration_seconds_sum: 602.044,
    });
    const outcomes = families['mcp_server_calls']?.samples.map(({ labels, value }) => [
      labels['server'],
      labels['outcome'],
      value,
    ]);
    expect(outcomes).toEqual([
      ['memory', 'result', 3],
      ['memory', 'error', 0],
      ['memory', 'timeout', 1],
      ['memory', 'cancelled', 1],
      ['memory', 'lost', 0],
    ]);
    const buckets = families['mcp_server_call_duration_seconds']!.samples.filter(
      ({ labels }) => labels['le'],
    );
    const at = (le: string) => buckets.find(({ labels }) => labels['le'] === le)?.value;
    expect([at('0.005'), at('0.05'), at('1.0'), at('2.5'), at('300.0'), at('+Inf')]).toEqual([
      1, 2, 2, 3, 3, 4,
    ]);
  });

  it('tells which servers are unstable', () => {
    const unstable = { ends24h: 3, ends7d: 3, since: 0, lastEndAt: 0 };
    for (const [server, value] of [[aServer(), 0] as const, [aServer({ unstable }), 1] as const])
      expect(familiesOf({ servers: [measured(server)] })['mcp_server_unstable']?.samples).toEqual([
        expect.objectContaining({ labels: { server: 'memory' }, value }),
      ]);
  });

  it('tells by how much the memory of a server rises', () => {
    const trend = { perDayBytes: 94_371_840, since: 0, confidence: 'clear' as const };
    expect(
      familiesOf({ servers: [measured(aServer({ trend }))] })['mcp_server_memory_trend_bytes_per_day']
        ?.samples,
    ).toEqual([expect.objectContaining({ labels: { server: 'memory' }, value: 94_371_840 })]);
  });

  it('says nothing of what is not known, and never 0', () => {
    const stopped = aServer({ state: { kind: 'stopped', since: 0 } });
    delete stopped.sample;
    delete stopped.runningSince;
    const names = Object.keys(familiesOf({ servers: [measured(stopped)] }));
    expect(names).toEqual([
      'mcp_panel',
      'mcp_server',
      'mcp_server_state',
      'mcp_server_restarts',
      'mcp_server_unstable',
      'mcp_server_stalls',
      'mcp_server_calls',
    ]);
    const first = measured(aServer({ sample: { at: 0, processCount: 1 } }));
    expect(Object.keys(familiesOf({ servers: [first] }))).not.toContain('mcp_server_cpu_ratio');
  });

  it('tells of a remote server its round trip, and of no process', () => {
    const remote = aServer({ transport: 'http', sample: { at: 0, rttMs: 12.5, processCount: 0 } });
    const families = familiesOf({ servers: [measured(remote)] });
    expect(valuesOf(families['mcp_server_round_trip_seconds'])).toEqual({
      mcp_server_round_trip_seconds: 0.0125,
    });
    expect(families['mcp_server_processes']).toBeUndefined();
  });

  it('says of each state whether a server is in it', () => {
    for (const kind of stateKinds) {
      const families = familiesOf({ servers: [measured(aServer({ state: { kind, since: 0 } }))] });
      const states = families['mcp_server_state']!.samples;
      expect(states).toHaveLength(stateKinds.length);
      expect(
        states.filter(({ value }) => value === 1).map(({ labels }) => labels['mcp_server_state']),
      ).toEqual([kind]);
    }
  });

  it('tells of clients by name and id what they asked of which server', () => {
    const outcomes = { result: 5, error: 1, timeout: 0, cancelled: 0, lost: 2 };
    const clients = [
      { clientId: 'a1', clientName: 'editor', server: 'memory', outcomes },
      { clientId: 'b2', clientName: undefined, server: 'memory', outcomes },
    ];
    const { samples } = familiesOf({ clients })['mcp_client_calls']!;
    expect(samples).toHaveLength(2 * callOutcomes.length);
    expect(samples[4]).toEqual({
      name: 'mcp_client_calls_total',
      labels: { client: 'editor', client_id: 'a1', server: 'memory', outcome: 'lost' },
      value: 2,
    });
  });

  it('is a text that its grammar reads back, whatever names and figures there are', () => {
    const figure = fc.option(fc.double({ min: 0, max: 1e15, noNaN: true }), { nil: undefined });
    const anyText = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 20 }),
      fc.stringMatching(/^[\\"\n{},= #a]{0,12}$/),
    );
    const call = fc.record({
      outcome: fc.constantFrom(...callOutcomes),
      durationMs: fc.double({ min: 0, max: 1e9, noNaN: true }),
    });
    const client = fc.record({ name: anyText, calls: fc.array(call, { maxLength: 4 }) });
    const server = fc.record({
      name: anyText,
      version: anyText,
      kind: fc.constantFrom(...stateKinds),
      memoryBytes: figure,
      cpuPercent: figure,
      calls: fc.array(call, { maxLength: 20 }),
    });
    const distinct = { maxLength: 5, selector: ({ name }: { name: string }) => wellFormed(name) };
    fc.assert(
      fc.property(
        fc.uniqueArray(server, distinct),
        fc.uniqueArray(client, distinct),
        anyText,
        (servers, clients, version) => {
          const totalsOf = (calls: readonly { outcome: 'result'; durationMs: number }[]) => {
            const totals = new CallTotals();
            for (const one of calls) totals.add(one);
            return totals.view;
          };
          const text = openMetrics({
            version,
            servers: servers.map(({ name, version: own, kind, memoryBytes, cpuPercent, calls }) =>
              measured(
                aServer({
                  name,
                  state: { kind, since: 0 },
                  serverInfo: { name, version: own },
                  sample: {
                    at: 0,
                    processCount: 1,
                    ...(memoryBytes !== undefined && { memoryBytes }),
                    ...(cpuPercent !== undefined && { cpuPercent }),
                  },
                }),
                { calls: totalsOf(calls as never) },
              ),
            ),
            clients: clients.map(({ name, calls }) => ({
              clientId: name,
              clientName: name,
              server: name,
              outcomes: totalsOf(calls as never).outcomes,
            })),
          });
          const families = parseOpenMetrics(text);
          const find = (name: string) => families.find((family) => family.name === name);
          expect(find('mcp_panel')?.samples[0]?.labels).toEqual({ version: wellFormed(version) });
          const restarts = find('mcp_server_restarts')?.samples ?? [];
          expect(restarts.map(({ labels }) => labels['server'])).toEqual(
            servers.map(({ name }) => wellFormed(name)),
          );
          const memory = find('mcp_server_memory_bytes')?.samples ?? [];
          expect(memory.map(({ value }) => value)).toEqual(
            servers.flatMap(({ memoryBytes }) => (memoryBytes === undefined ? [] : [memoryBytes])),
          );
        },
      ),
      { numRuns: propertyRuns(300) },
    );
  });
});

describe('healthz', () => {
  it('is ok while no server needs attention, and tells numbers but no names', () => {
    const stopped = aServer({ name: 'quiet', state: { kind: 'stopped', since: 0 } });
    const report = healthz('1.2.3', [aServer(), stopped]);
    expect(report).toMatchObject({ status: 'ok', version: '1.2.3', servers: { total: 2 } });
    expect(report.servers.states).toMatchObject({ running: 1, stopped: 1, failed: 0 });
    expect(JSON.stringify(report)).not.toMatch(/memory|quiet/);
  });

  it.each(['failed', 'stalled', 'backoff', 'suspect'] as const)('is degraded while one is %s', (kind) => {
    const report = healthz('1', [aServer(), aServer({ state: { kind, since: 0 } })]);
    expect([report.status, report.servers.states[kind]]).toEqual(['degraded', 1]);
  });

  it('is degraded while one is being started again', () => {
    const again = aServer({ state: { kind: 'starting', since: 0 }, restartAttempt: 1 });
    expect(healthz('1', [again]).status).toBe('degraded');
    expect(healthz('1', [{ ...again, restartAttempt: 0 }]).status).toBe('ok');
  });
});
