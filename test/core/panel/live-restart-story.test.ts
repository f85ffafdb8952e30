import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { serverAddress } from '../../../shared/gateway-use.ts';
import { restartStorySchema, type RestartStory, type RunEnd } from '../../../shared/restart-story.ts';
import { fixtureServer, waitUntil } from '../../fixtures/fixture-server.ts';
import type { TestPanel } from './open-test-panel.ts';
import { panelOfTest } from './panel-of-test.ts';

const until = (describe: string, check: () => boolean) => waitUntil(check, { deadlineMs: 30_000, describe });

/** Panel with one server, which is up. */
async function openOne(server: object): Promise<TestPanel> {
  const opened = await panelOfTest({ one: server });
  opened.panel.start();
  await untilRun(opened, 1);
  return opened;
}

const untilRun = ({ panel }: TestPanel, generation: number) =>
  until(`run ${generation}`, () => {
    const [server] = panel.getSnapshot().servers;
    return server?.state.kind === 'running' && server.generation === generation;
  });

/** The story, held to the contract as it is on its way to the page. */
const storyOf = async ({ panel }: TestPanel): Promise<RestartStory> =>
  restartStorySchema.parse(
    await panel.story.restarts({ server: 'one', from: 0, to: Date.now() + 60_000, limit: 100 }),
  );

const newest = async (opened: TestPanel): Promise<RunEnd> => (await storyOf(opened)).ends[0]!;

/** Connects as a program does, under the name that a person gave it. */
async function connect({ panel }: TestPanel, name: string): Promise<Client> {
  await until('the endpoint', () => !panel.gateway.status().url.endsWith(':0'));
  const { token } = await panel.gateway.createClient({ name });
  const client = new Client({ name: 'test-program', version: '1' });
  const headers = { Authorization: `Bearer ${token}` };
  const url = new URL(serverAddress(panel.gateway.status().url, 'one'));
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
  onTestFinished(() => client.close().catch(() => undefined));
  return client;
}

const callsOf = ({ calls }: RunEnd) =>
  calls.filter(({ by }) => by !== 'panel').map(({ target, by, client }) => ({ target, by, client }));
const kindsOf = ({ chain }: RunEnd) => chain.map(({ role, kind }) => `${role} ${kind}`);

describe('the story of a server', () => {
  it('that crashes within a call names the tool, and whose call was lost', async () => {
    const restart = { initialBackoffMs: 10, maxBackoffMs: 10, maxRestartAttempts: 20 };
    const opened = await openOne({ ...fixtureServer('--stderr-text=out of luck'), panel: { restart } });
    const client = await connect(opened, 'Editor');
    for (let generation = 1; generation <= 3; generation += 1) {
      await untilRun(opened, generation);
      await client.callTool({ name: 'crash', arguments: { code: 3 } }).catch(() => undefined);
    }
    await untilRun(opened, 4);
    const { ends, patterns, total } = await storyOf(opened);
    expect(total).toBe(3);
    expect(ends[0]).toMatchObject({ cause: 'crash', generation: 3, stderr: 'out of luck' });
    expect(callsOf(ends[0]!)).toEqual([{ target: 'crash', by: 'client', client: 'Editor' }]);
    expect(kindsOf(ends[0]!)).toEqual(['end crashed', 'after restart-scheduled', 'after restarted']);
    expect(patterns).toContainEqual(
      expect.objectContaining({
        kind: 'call',
        target: 'crash',
        count: 3,
        of: 3,
        ends: ends.map(({ id }) => id),
      }),
    );
  });

  it('that is ended for its memory says what it had in use, against which limit, and what was called at the window', async () => {
    const opened = await openOne({
      ...fixtureServer('--grandchild-memory-mib=300'),
      panel: { limits: { maxMemoryMiB: 4096 }, restart: { maxRestartAttempts: 1 } },
    });
    const call = { callId: '1', name: 'one', method: 'tools/call' } as const;
    void opened.panel.sessions
      .call({ ...call, params: { name: 'sleep', arguments: { ms: 60_000 } } })
      .catch(() => undefined);
    // More than twice the limit does not wait for the call.
    await opened.panel.entries.setLimits('one', { maxMemoryMiB: 100 });
    await until('the end', () => opened.panel.getSnapshot().events.some(({ kind }) => kind === 'ended'));
    await until('what came of it', () =>
      opened.panel.getSnapshot().events.some(({ kind }) => kind === 'restart-scheduled'),
    );
    const end = await newest(opened);
    expect(end).toMatchObject({
      cause: 'limit',
      limit: 'memory',
      figures: { limits: { maxMemoryMiB: 100 } },
    });
    expect(end.figures!.memoryBytes).toBeGreaterThan(200 * 2 ** 20);
    expect(callsOf(end)).toEqual([{ target: 'sleep', by: 'window', client: undefined }]);
    expect(kindsOf(end).slice(0, 3)).toEqual(['sign config-changed', 'sign limit-breached', 'end ended']);
  });

  it('that stops responding tells the calls and its last words', async () => {
    const health = { probeIntervalMs: 200, stallThresholdMs: 1000 };
    const opened = await openOne({
      ...fixtureServer('--deaf-after-ms=600', '--timers-from-ready'),
      panel: { health, restart: { maxRestartAttempts: 1 } },
    });
    await until('the stall', () =>
      opened.panel.getSnapshot().events.some(({ kind }) => kind === 'restart-scheduled'),
    );
    expect(await newest(opened)).toMatchObject({ cause: 'stall', stderr: 'fixture: deaf' });
  });

  it('knows a restart on demand from an edit, and whose calls each cut off', async () => {
    const opened = await openOne(fixtureServer());
    const client = await connect(opened, 'Agent');
    void client.callTool({ name: 'sleep', arguments: { ms: 60_000 } }).catch(() => undefined);
    // By its name: the panel asks the new server for its lists, which are calls, too.
    const isCalled = () => opened.panel.getSnapshot().servers[0]?.busy?.oldest === 'tools/call sleep';
    await until('the call', isCalled);
    await opened.panel.servers.restart('one');
    const asked = await newest(opened);
    expect(asked.cause).toBe('request');
    expect(callsOf(asked)).toEqual([{ target: 'sleep', by: 'client', client: 'Agent' }]);

    const { command, args } = fixtureServer('--version=9');
    await opened.panel.entries.put({ name: 'one', command, args });
    await untilRun(opened, 3);
    const edited = await newest(opened);
    expect(edited.cause).toBe('configuration');
    expect(kindsOf(edited)).toEqual(['sign config-changed', 'end ended', 'after restarted']);

    await opened.panel.servers.stop('one');
    expect(await newest(opened)).toMatchObject({ cause: 'request', version: '9' });
  });

  it('of a server that nobody knows is empty', async () => {
    const opened = await openOne(fixtureServer());
    const query = { server: 'nobody', from: 0, to: Date.now(), limit: 10 };
    expect(await opened.panel.story.restarts(query)).toMatchObject({ ends: [], total: 0, patterns: [] });
  });
});
