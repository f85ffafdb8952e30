import { expect, it } from 'vitest';
import { fixtureServer } from '../../fixtures/fixture-server.ts';
import { eventually } from '../support/eventually.ts';
import { panelOfTest } from './panel-of-test.ts';

it('the crash of an extra process is an event of that process, and nothing is given up', async () => {
  const { panel } = await panelOfTest({
    search: { ...fixtureServer(), panel: { sessions: { mode: 'exclusive' } } },
  });
  const call = (context: string, tool: string) =>
    panel.sessions
      .call({
        callId: `${context} ${tool}`,
        context,
        name: 'search',
        method: 'tools/call',
        params: { name: tool, arguments: { text: 'x' } },
      })
      .then(
        () => 'result',
        (error: unknown) => (error as { code: string }).code,
      );
  panel.start();
  await eventually(() => panel.getSnapshot().servers[0]?.state.kind === 'running');
  expect([await call('one', 'echo'), await call('two', 'echo')]).toEqual(['result', 'result']);
  expect(panel.sessions.view('search').sessions.map(({ instance }) => instance)).toEqual([
    'search#2',
    'search#3',
  ]);
  expect(await call('two', 'crash')).toBe('CRASHED');
  const endOfExtra = () =>
    panel
      .getSnapshot()
      .events.filter(({ detail, kind }) => detail['instance'] === 'search#3' && kind !== 'started')
      .map(({ kind }) => kind);
  await eventually(() => endOfExtra().includes('stopped'));
  expect(endOfExtra()).toEqual(['crashed', 'stopped']);
  expect(panel.getSnapshot().servers[0]?.state.kind).toBe('running');
});
