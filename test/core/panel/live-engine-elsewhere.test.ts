import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { OpenEpisodes } from '../../../electron/shell/notifications/notable-events.ts';
import { needsAttention, shownMark } from '../../../shared/server-states.ts';
import { defaultSettings } from '../../../shared/settings.ts';
import { FakeEngine, type FakeContainer } from '../../fixtures/engine/fake-engine.ts';
import { until } from '../../support/container-scenarios.ts';
import { skipOn } from '../../support/skip-on.ts';
import { openTestPanel } from './open-test-panel.ts';

const LIMIT_MS = 30_000;

/** A server of MCP without tools. */
function answer(engine: FakeEngine, container: FakeContainer, line: string): void {
  if (line === '') return;
  const { id, method, params } = JSON.parse(line) as {
    id?: number;
    method: string;
    params?: Record<string, unknown>;
  };
  // Its tools never end.
  if (id === undefined || method === 'tools/call') return;
  const greeting = {
    protocolVersion: params?.['protocolVersion'],
    capabilities: { tools: {} },
    serverInfo: { name: 'box', version: '1' },
  };
  const results: ReadonlyMap<string, object> = new Map<string, object>([
    ['initialize', greeting],
    ['tools/list', { tools: [] }],
  ]);
  const result = results.get(method) ?? {};
  engine.say(container, 'stdout', `${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`);
}

const options = {
  timeout: 3 * LIMIT_MS,
  ...skipOn('win32', 'the engine of the tests listens on a socket among files'),
};
const holds = (isSo: () => boolean) => until(() => Promise.resolve(isSo()), LIMIT_MS);

/** A panel with servers on one engine elsewhere, all of them up. */
async function open(names: readonly string[]) {
  const engine = new FakeEngine();
  engine.onInput = (container, line) => answer(engine, container, line);
  await engine.listen();
  const runOn = { engine: 'docker', host: `unix://${engine.path}` };
  const entry = { command: 'docker', args: ['run', '-i', 'image'], panel: { runOn } };
  const opened = await openTestPanel(Object.fromEntries(names.map((name) => [name, entry])));
  onTestFinished(async () => {
    engine.isDown = false;
    await opened.dispose();
    engine.close();
  });
  const { home, panel } = opened;
  panel.start();
  const views = () => panel.getSnapshot().servers;
  await holds(() => views().every(({ state }) => state.kind === 'running'));
  return { engine, home, panel, views };
}

it(
  'a lost engine is one event and no notification, and none of its servers needs attention',
  options,
  async () => {
    const { engine, panel, views } = await open(['a', 'b', 'c']);
    const before = panel.getSnapshot().events.length;
    const news = () => panel.getSnapshot().events.slice(before);
    engine.isDown = true;
    engine.cut();
    await holds(() => views().every(({ host }) => host?.isOutOfReach === true) && news().length > 0);
    expect(views().map(({ state }) => state.kind)).toEqual(['running', 'running', 'running']);
    // The list and the tray count those that need attention.
    expect(views().filter((view) => needsAttention(shownMark(view)))).toEqual([]);
    engine.isDown = false;
    await holds(() => views().every(({ host }) => host?.isOutOfReach === undefined) && news().length > 1);
    expect(news().map(({ kind, server }) => [kind, server])).toEqual([
      ['engine-lost', null],
      ['engine-reached', null],
    ]);
    const episodes = new OpenEpisodes();
    expect(news().flatMap((event) => episodes.filter(event, defaultSettings.notifications) ?? [])).toEqual(
      [],
    );
  },
);

it('the calls in flight of a server elsewhere are kept by name for the next panel', options, async () => {
  const { engine, home, panel } = await open(['a']);
  const call = panel.sessions.call({
    ...{ callId: 'c', name: 'a', method: 'tools/call', params: { name: 'build', arguments: {} } },
  });
  call.catch(() => undefined);
  const folder = join(home, 'engines');
  const record = () =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .map((name) => readFileSync(join(folder, name), 'utf8'))
      .join('');
  let second = 0;
  await holds(() => {
    second += 1;
    engine.measure(new Date(), second * 1e6);
    return record().includes('"target":"build"');
  });
  expect(JSON.parse(record())).toMatchObject({
    generation: 1,
    calls: [{ method: 'tools/call', target: 'build' }],
  });
});
