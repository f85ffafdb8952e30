import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { CallOutcome, Offer } from '../../../shared/domain.ts';
import type { PanelFigures } from '../../../shared/panel-figures.ts';
import { fixtureServer, floodServer } from '../../fixtures/fixture-server.ts';
import { serverOf, usePanels, type DrivenPanel } from '../../e2e/harness.ts';
import { allRun, callTool, stateIs } from '../../e2e/support/driving.ts';
import { waitUntil } from '../../e2e/support/wait-until.ts';

// Floods that are too much for a window; see docs/security.md.

let folder: string;
const panels = usePanels();
beforeEach(() => (folder = panels.tempFolder('overload-')));

const MEBI = 1024 * 1024;

/** Server that answers each request by what `answers`, the fields of an object in JavaScript, make of it. */
function hostileServer(name: string, answers: string) {
  const path = join(folder, `${name}.mjs`);
  writeFileSync(
    path,
    `import { createInterface } from 'node:readline';
    const answers = {
      initialize: ({ protocolVersion }) => ({ result: { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } } }),
      ping: () => ({ result: {} }),
      ${answers}
    };
    for await (const line of createInterface(process.stdin)) {
      const { id, method, params } = JSON.parse(line);
      if (id !== undefined) process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...answers[method](params) }) + '\\n');
    }`,
  );
  return { command: process.execPath, args: [path], panel: { restart: { enabled: false } } };
}

const answersOfTools = `
  'tools/list': () => ({ result: { tools: Array.from({ length: 100_000 }, (_, index) => ({ name: 'tool_' + index, inputSchema: { type: 'object' } })) } }),
  'tools/call': ({ name }) => ({ result: {
    tool_0: () => ({ content: Array.from({ length: 20_000 }, (_, index) => ({ type: 'text', text: String(index) })) }),
    tool_1: () => ({ list: Array.from({ length: 1_000_000 }, () => ({ a: 1 })) }),
    tool_2: () => ({ content: [{ type: 'text', text: 'x'.repeat(${15 * MEBI}) }] }),
  }[name]() }),`;

/** Kinds of floods, the heaviest last because each goes on while the next ones run. */
const floodKinds = ['tools', 'babble', 'answers', 'notifications', 'nested'] as const;
const CALLS = 10;
/** Limit for five floods at once, where others use the machine as well. */
const FLOODED_LIMIT_MS = 120_000;

/** Runs in the page: calls to the server `other`, all at once, and commands one after the other meanwhile. */
async function callAmidFlood({ kind, calls }: { kind: string; calls: number }) {
  const { controlPanel } = globalThis as unknown as {
    controlPanel: Record<
      string,
      (...values: unknown[]) => Promise<{ result: { content: { text: string }[] } }>
    >;
  };
  const answers: unknown[] = [];
  const all = Array.from({ length: calls }, async (_, index) => {
    const text = `${kind} ${index}`;
    const call = { callId: text, name: 'other', method: 'tools/call' };
    const { result } = await controlPanel['callServer']!({
      ...call,
      params: { name: 'echo', arguments: { text } },
    });
    answers.push(result.content[0]?.text);
  });
  const commands: string[] = [];
  const asked = {
    getSnapshot: [],
    getHistory: ['other', 0],
    getOutput: [kind, 0],
    getSettings: [],
    getPanelFigures: [],
  };
  for (const [name, args] of Object.entries(asked)) {
    await controlPanel[name]!(...args);
    commands.push(name);
  }
  await Promise.all(all);
  return { answers, commands };
}

/**
 * Asserts that all of the noise is in few events of the journal: each counts what came since the one before
 * it.
 */
async function countedNoise(panel: DrivenPanel, server: string): Promise<void> {
  const noise = async () =>
    (await panel.snapshot()).events
      .filter((event) => event.kind === 'protocol-noise')
      .filter((event) => event.server === server);
  const events = await waitUntil('the noise to be counted', async () => {
    const found = await noise();
    return found.length > 0 ? found : undefined;
  });
  const counted = events.reduce((sum, { detail }) => sum + (detail.count ?? 0), 0);
  expect(counted).toBe(events.at(-1)?.detail.total);
  expect(events.length).toBeLessThan(10);
}

describe('a server that sends more than a window can bear', () => {
  it('is shown in part, each part says so, and nobody else is touched', async () => {
    const servers = { hostile: hostileServer('hostile', answersOfTools), other: fixtureServer() };
    const panel = await panels.launch({ servers });
    await allRun(panel);
    const { page } = panel;
    const offer = await panel.call<Offer>('getOffer', 'hostile');
    expect(offer.tools).toHaveLength(5000);
    expect(offer.parts).toMatchObject([{ list: 'tools', shown: 5000, total: 100_000, isAtLeast: false }]);

    const many = await callTool<CallOutcome>(panel, 'hostile', 'tool_0');
    expect(many.result['content']).toHaveLength(5000);
    expect(many.leftOut).toMatchObject({ values: 45_000 });
    const long = await callTool<CallOutcome>(panel, 'hostile', 'tool_2');
    expect(JSON.stringify(long.result).length).toBeLessThan(MEBI);
    const millions = await callTool<CallOutcome>(panel, 'hostile', 'tool_1');
    expect(millions.result['list']).toHaveLength(5000);
    expect(millions.leftOut).toMatchObject({ isAtLeast: true });

    await page.evaluate(`void (location.hash = '#/servers/hostile')`);
    await page.getByRole('link', { name: 'Tools', exact: true }).click();
    await page.getByText('are listed; the rest is too much to show').waitFor();
    expect(await page.locator('nav[aria-label="Offer"] li').count()).toBe(200);
    await page.getByRole('button', { name: 'Show 200 more' }).click();
    expect(await page.evaluate('document.activeElement.textContent')).toBe('tool_200');
    await page.getByRole('button', { name: 'Call tool_0' }).click();
    await page.getByText('This is a part of the answer').waitFor();
    await page.getByText('100 of 5000 parts are shown').waitFor();

    expect(await serverOf(panel, 'other')).toMatchObject({ generation: 1, state: { kind: 'running' } });
    expect(await serverOf(panel, 'hostile')).toMatchObject({ generation: 1, state: { kind: 'running' } });
  });

  it(
    'keeps nobody else waiting while it floods, is counted, and ends with the panel',
    async () => {
      const calm = { panel: { autoStart: false, restart: { enabled: false } } };
      const floods = Object.fromEntries(floodKinds.map((kind) => [kind, { ...floodServer(kind), ...calm }]));
      const panel = await panels.launch({ servers: { ...floods, other: fixtureServer() } });
      await stateIs(panel, 'other', 'running');
      for (const kind of floodKinds) {
        await panel.call('startServer', kind);
        // This request goes to the flooding server itself; its outcome does not matter.
        const asked = kind === 'tools' ? panel.call('getOfferTexts', kind) : callTool(panel, kind, 'any');
        expect(await panel.page.evaluate(callAmidFlood, { kind, calls: CALLS })).toEqual({
          answers: Array.from({ length: CALLS }, (_, index) => `${kind} ${index}`),
          commands: ['getSnapshot', 'getHistory', 'getOutput', 'getSettings', 'getPanelFigures'],
        });
        await panel.page.getByRole('link', { name: 'Open other' }).first().waitFor();
        if (kind === 'babble') await countedNoise(panel, kind);
        void asked.catch(() => undefined);
      }
      expect(await serverOf(panel, 'other')).toMatchObject({ generation: 1, state: { kind: 'running' } });
      const figure = expect.any(Number) as number;
      expect(await panel.call<PanelFigures>('getPanelFigures')).toEqual({
        memoryBytes: figure,
        cpuPercent: figure,
        processes: expect.any(Array) as unknown[],
        loop: { p50Ms: figure, p99Ms: figure, maxMs: figure },
      });
      const { servers, events } = await panel.snapshot();
      expect(servers.filter(({ state }) => state.kind === 'running')).toHaveLength(floodKinds.length + 1);
      expect(events.length).toBeLessThan(100);
      expect(await panel.terminate()).toBe(0);
      expect(panel.serverProcesses()).toEqual([]);
    },
    FLOODED_LIMIT_MS,
  );

  it('may fail with megabytes of words, of which the beginning and the end are kept', async () => {
    const answers = `initialize: () => ({ error: { code: -32000, message: 'first ' + 'word '.repeat(3_000_000) + 'last', data: { deep: ${'['.repeat(300)}${']'.repeat(300)} } } }),`;
    const servers = { hostile: hostileServer('hostile', answers), other: fixtureServer() };
    const panel = await panels.launch({ servers });
    const { lastError } = await waitUntil('it to fail', async () => {
      const view = await serverOf(panel, 'hostile');
      return view.state.kind === 'failed' ? view : undefined;
    });
    expect(lastError?.message).toMatch(/first word .*bytes left out\] ….*last/);
    expect(JSON.stringify(await panel.snapshot()).length).toBeLessThan(MEBI);
    await panel.page.getByRole('button', { name: 'Stop other' }).click();
    await stateIs(panel, 'other', 'stopped');
  });
});
