import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Push } from '../../../shared/domain.ts';
import { openFiles } from '../../../electron/core/panel/open-files.ts';
import { wireParts } from '../../../electron/core/panel/wire-parts.ts';
import { fixtureServer } from '../../fixtures/fixture-server.ts';
import { parseOpenMetrics } from '../gateway/metrics/parse-open-metrics.ts';
import { createFakeClock } from '../fake-clock.ts';
import { eventually } from '../support/eventually.ts';
import { type openTestPanel, panelOptions, type TestPanel } from './open-test-panel.ts';
import { panelOfTest } from './panel-of-test.ts';
import { tempFolder } from '../../support/temp-folder.ts';

interface CallWish {
  readonly tool: string;
  readonly args?: object;
  readonly method?: 'tools/call' | 'prompts/get';
  readonly callId?: string;
  readonly timeoutMs?: number;
}

/** A panel with one running server, and a way to call it, which gives the code of a failure. */
async function runningPanel(panelSettings: object = {}, changes: Parameters<typeof openTestPanel>[1] = {}) {
  const opened: TestPanel = await panelOfTest(
    { worker: { ...fixtureServer(), panel: panelSettings } },
    changes,
  );
  const { panel } = opened;
  panel.start();
  let calls = 0;
  const call = async ({ tool, args = {}, method = 'tools/call', callId, timeoutMs }: CallWish) => {
    calls += 1;
    const params = { name: tool, arguments: args };
    const target = { callId: callId ?? `call-${calls}`, context: `context-${calls}`, name: 'worker', method };
    try {
      await panel.sessions.call({ ...target, params, ...(timeoutMs !== undefined && { timeoutMs }) });
      return 'result';
    } catch (error) {
      return (error as { code: string }).code;
    }
  };
  return { panel, call };
}

const isRunning = (panel: TestPanel['panel']) => () =>
  panel.getSnapshot().servers[0]?.state.kind === 'running';

describe('the figures of calls', () => {
  it('count every call to a server by what became of it, but no question of the panel itself', async () => {
    const { panel, call } = await runningPanel();
    await eventually(isRunning(panel));
    expect(panel.output.calls('worker', 0)).toEqual([]);
    expect((await panel.sessions.offer('worker')).tools).not.toEqual([]);
    expect(panel.getSnapshot().servers[0]).not.toHaveProperty('recentCalls');

    expect(await call({ tool: 'echo', args: { text: 'x' } })).toBe('result');
    expect(await call({ tool: 'echo', method: 'prompts/get' })).toBe('SERVER_ERROR');
    expect(await call({ tool: 'hang', timeoutMs: 50 })).toBe('REQUEST_TIMEOUT');
    const cancelled = call({ tool: 'hang', callId: 'given up' });
    await eventually(() => panel.getSnapshot().servers[0]?.busy?.oldest === 'tools/call hang');
    panel.sessions.cancel('given up');
    expect(await cancelled).toBe('CANCELLED');
    expect(await call({ tool: 'crash' })).not.toBe('result');

    expect(panel.getSnapshot().servers[0]?.recentCalls).toEqual({ calls: 5, errors: 3 });
    const rows = panel.output.calls('worker', 0);
    expect(rows.reduce((sum, { calls }) => sum + calls, 0)).toBe(5);
    expect(rows.reduce((sum, { errors }) => sum + errors, 0)).toBe(3);
    // The timeout is the longest of what took its time.
    expect(Math.max(...rows.map(({ durations }) => durations?.maxMs ?? 0))).toBeGreaterThanOrEqual(50);
    expect(() => panel.output.calls('nobody', 0)).toThrow(
      expect.objectContaining({ code: 'SERVER_UNKNOWN' }),
    );
  });

  it('hold the calls to further processes of a server, too', async () => {
    const { panel, call } = await runningPanel({ sessions: { mode: 'exclusive' } });
    await eventually(isRunning(panel));
    for (let index = 0; index < 2; index += 1)
      expect(await call({ tool: 'echo', args: { text: 'x' } })).toBe('result');
    expect(panel.sessions.view('worker').sessions).toHaveLength(2);
    expect(panel.getSnapshot().servers[0]?.recentCalls).toEqual({ calls: 2, errors: 0 });
  });

  it('reach the window with the tick, and leave it once the minute has passed', async () => {
    const clock = createFakeClock();
    const { panel, call } = await runningPanel({}, { clock, wallClock: clock });
    await eventually(isRunning(panel), () => void clock.advance(1));
    const pushes: Push[] = [];
    panel.onPush((push) => pushes.push(push));
    const latest = () => pushes.flatMap(({ servers = [], samples = [] }) => [...servers, ...samples]).at(-1);
    expect(await call({ tool: 'echo', args: { text: 'x' } })).toBe('result');
    await eventually(
      () => latest()?.recentCalls?.calls === 1,
      () => void clock.advance(100),
    );
    const beforeMs = clock.now();
    await eventually(
      () => latest() !== undefined && latest()?.recentCalls === undefined,
      () => void clock.advance(1000),
    );
    expect(clock.now() - beforeMs).toBeGreaterThan(50_000);
  });
});

describe('the pages of the gateway', () => {
  it('tell of servers, their stalls and calls, and of clients, by the views of the panel', async () => {
    const home = tempFolder('pages-');
    const entry = { ...fixtureServer(), panel: { autoStart: false } };
    writeFileSync(join(home, 'servers.json'), JSON.stringify({ mcpServers: { one: entry, two: entry } }));
    const options = panelOptions(home);
    const files = await openFiles(options);
    const { calls, clientCalls, fleet, hub, pages, telemetry } = wireParts(options, files);
    onTestFinished(async () => {
      for (const part of [files.settings, files.servers, telemetry, calls, hub, options.table])
        part.dispose();
      await files.custody.close();
      await files.journal.dispose();
    });
    fleet.apply(files.servers.current.servers);
    const verdict = { row: 4, words: '', elapsedMs: 1, pendingMethods: [], evidence: {}, stderrTail: '' };
    files.journal.append('one', 'stalled', verdict);
    files.journal.append('one', 'stalled', { ...verdict, instance: 'one#2' });
    files.journal.append('two', 'suspect', verdict);
    const ended = { outcome: 'result', durationMs: 3 } as const;
    calls.record('two', ended);
    clientCalls.recordClientCall('a1', { server: 'two', clientName: 'editor', ...ended });

    const families = parseOpenMetrics(pages.metrics());
    const samplesOf = (name: string) => families.find((family) => family.name === name)?.samples;
    const byServer = (name: string) => samplesOf(name)?.map(({ labels, value }) => [labels['server'], value]);
    expect(byServer('mcp_server_stalls')).toEqual([
      ['one', 2],
      ['two', 0],
    ]);
    expect(byServer('mcp_server_calls')?.filter(([, value]) => value !== 0)).toEqual([['two', 1]]);
    expect(samplesOf('mcp_client_calls')?.[0]).toMatchObject({ labels: { client: 'editor' }, value: 1 });
    expect(pages.healthz()).toMatchObject({ status: 'ok', version: '0.0.0', servers: { total: 2 } });

    fleet.apply(files.servers.current.servers.filter(({ name }) => name === 'one'));
    await eventually(() => calls.totals('two') === undefined);
    expect(pages.metrics()).not.toContain('"two"');
  });
});
