import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stateKinds } from '../../../shared/server-states.ts';
import { writeClientHome } from '../../fixtures/client-homes.ts';
import type { ConnectedClient } from '../../fixtures/gateways/connect-client.ts';
import { usePanels, type DrivenPanel } from '../../e2e/harness.ts';
import { findViolations } from '../../e2e/support/axe.ts';
import { everyState, provokeEveryState } from '../../e2e/support/every-state.ts';
import {
  breakConfiguration,
  eachSection,
  leave,
  dialogOf,
  openFirstStart,
  views,
} from '../../e2e/support/views.ts';

const panels = usePanels('all');
let panel: DrivenPanel;
const clients: ConnectedClient[] = [];

const kindsNow = async () => new Set((await panel.snapshot()).servers.map(({ state }) => state.kind));

describe('accessibility', () => {
  const clientHome = writeClientHome('http://127.0.0.1:1/mcp');
  const env = {
    HOME: clientHome.path,
    XDG_CONFIG_HOME: '',
    // Questions are asked because somebody is there to answer.
    MCP_CONTROL_PANEL_TEST: '',
  };
  beforeAll(async () => {
    panel = await panels.launch({ servers: everyState, env });
  });
  afterAll(async () => {
    for (const client of clients) await client.close();
    rmSync(clientHome.path, { recursive: true, force: true });
    // Other processes are killed because they would delay the end by a minute.
    for (const { pid, command } of panel.serverProcesses())
      if (command.includes('--ignore-sigterm')) process.kill(pid, 'SIGKILL');
  });

  it('has nothing to mend: the overview with a server in every state', async () => {
    await provokeEveryState(panel);
    expect([...(await kindsNow())].sort()).toEqual([...stateKinds].sort());
    expect(await findViolations(panel)).toEqual([]);
  });

  it.each(views)('has nothing to mend: $name', async ({ open }) => {
    const { page } = panel;
    await leave(page);
    await open(page, { ...panel, clients });
    expect(await findViolations(panel)).toEqual([]);
  });

  it('has nothing to mend: every section of the page of a server that runs', async () => {
    const count = await eachSection(panel.page, 'everything', async (section) => {
      expect(await findViolations(panel), section).toEqual([]);
    });
    expect(count).toBeGreaterThanOrEqual(4);
  });

  it('has nothing to mend: a configuration that is broken', async () => {
    await breakConfiguration(panel.page, panel.home);
    expect(await findViolations(panel)).toEqual([]);
  });

  it('has nothing to mend: the first start', async () => {
    const first = await panels.launch({ env });
    await openFirstStart(first.page);
    expect(await findViolations(first)).toEqual([]);
  });

  it('would be found out, in the window and in a dialog, by what is not accessible', async () => {
    const { page } = panel;
    // The planted button has no name, and beside it stands a small text whose colour can be read in no theme,
    // and which forced colours leave as it is.
    const plant = (parent: string) =>
      page.evaluate(`{
        const fault = Object.assign(document.createElement('p'), { id: 'fault' });
        fault.append(document.createElement('button'), 'pale');
        const style = { color: '#999', background: '#888', fontSize: '11px', forcedColorAdjust: 'none' };
        Object.assign(fault.style, style);
        document.querySelector('${parent}').prepend(fault);
      }`);
    const expected = [
      /^light button-name: <button/,
      /^light color-contrast: <p/,
      /^small text: <p/,
      /^dark color-contrast: <p/,
      /^forced 200 % button-name: <button/,
      /^own colour: <p/,
    ];
    const rules = async () => (await findViolations(panel)).map((words) => words.split(',', 1)[0]);
    await leave(page);
    await plant('main');
    expect(await rules()).toEqual(expected.map((pattern) => expect.stringMatching(pattern) as unknown));
    await page.evaluate(`document.getElementById('fault').remove()`);
    await dialogOf('Control+n')(page);
    await plant('dialog > div');
    expect(await rules()).toEqual(expected.map((pattern) => expect.stringMatching(pattern) as unknown));
  });
});
