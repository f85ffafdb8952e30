import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { ControlPanel } from '../../../electron/core/panel/control-panel.ts';
import { createDeferred } from '../../../electron/core/deferred.ts';
import { calls } from '../../../shared/ipc/topics.ts';
import { eventually } from '../support/eventually.ts';
import type { openTestPanel } from './open-test-panel.ts';
import { panelOfTest } from './panel-of-test.ts';
import { skipOn } from '../../support/skip-on.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const entries = {
  mcpServers: { github: { command: 'npx', disabled: true }, gitlab: { command: 'b', disabled: true } },
};
const text = `${JSON.stringify(entries, null, 2)}\n`;

async function openWithCursor(more: Parameters<typeof openTestPanel>[1] = {}) {
  const home = tempFolder('programs-');
  mkdirSync(join(home, '.cursor'));
  const file = join(home, '.cursor/mcp.json');
  writeFileSync(file, text);
  const opened = await panelOfTest({}, { importEnvironment: { home, platform: 'linux' }, ...more });
  opened.panel.start();
  await eventually(() => opened.panel.gateway.status().isListening);
  return { ...opened, file };
}

async function move(panel: ControlPanel, ...names: string[]) {
  const servers = names.map((name) => ({ name, scope: 'user' }));
  const { precondition } = await panel.programs.move({ client: 'cursor', servers });
  return panel.programs.move({ client: 'cursor', servers, commit: precondition });
}

const noNode = skipOn('wine', 'the PATH of this lane has no node');
const noPipes = skipOn('wine', 'a Node whose output is a pipe of wine ends with EBADF');

const tokenIn = (file: string) => /mcpcp_[\w-]{43}/.exec(readFileSync(file, 'utf8'))?.[0] ?? '';

describe('servers of other programs', () => {
  it('are moved with a client of their own, which a second move uses again, and put back', async () => {
    const { panel, file } = await openWithCursor();
    const shown = await move(panel, 'github');
    expect(calls.moveServers.result.parse(shown)).toEqual(shown);
    expect(panel.gateway.listClients()).toMatchObject([{ name: 'Cursor' }]);
    const token = tokenIn(file);
    const { url } = panel.gateway.status();
    expect(readFileSync(file, 'utf8')).toContain(`${url}/servers/github/mcp`);
    const answer = await fetch(`${url}/servers/github/mcp`, {
      headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream' },
    });
    expect(answer.status).not.toBe(401);
    await answer.body?.cancel();
    await move(panel, 'gitlab');
    expect([tokenIn(file), panel.gateway.listClients().length]).toEqual([token, 1]);
    expect(panel.getSnapshot().servers.map(({ name }) => name)).toEqual(['github', 'gitlab']);
    const found = await panel.programs.find();
    expect(calls.findClients.result.parse(found)).toEqual(found);
    expect(found).toMatchObject([{ id: 'cursor', servers: [{ moved: true }, { moved: true }], copies: [] }]);
    // What leads to the panel is no server to be imported.
    expect((await panel.entries.findImports()).files.flatMap(({ servers }) => servers)).toEqual([]);
    const back = await panel.programs.restore({});
    expect(calls.restoreServers.result.parse(back)).toEqual(back);
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  it('are looked for once the window is shown', async () => {
    const window = createDeferred<void>();
    const { panel, file } = await openWithCursor({ startsAfter: window.promise });
    const found = panel.entries.findImports();
    // This reads the same file, and does not wait.
    await panel.programs.find();
    writeFileSync(file, JSON.stringify({ mcpServers: { late: { command: 'npx' } } }));
    window.resolve();
    const { files } = await found;
    expect(files.flatMap(({ servers }) => servers)).toMatchObject([{ name: 'late' }]);
  });

  it('have a bridge for programs that only start programs, where its file is there', noNode, async () => {
    const { panel, home } = await openWithCursor();
    expect(await panel.programs.findBridge()).toBeUndefined();
    const bridgeScript = join(home, 'bridge.cjs');
    const other = await panelOfTest({}, { bridgeScript });
    expect(await other.panel.programs.findBridge()).toBeUndefined();
    writeFileSync(bridgeScript, '');
    const bridge = await other.panel.programs.findBridge();
    expect(calls.findBridge.result.parse(bridge)).toEqual(bridge);
    expect(bridge?.command).toMatch(/node/);
    expect(bridge).toMatchObject({
      args: [bridgeScript, 'connect'],
      env: { MCP_CONTROL_PANEL_HOME: other.home },
    });
  });

  it('get a new token where that of an earlier move is void', async () => {
    const { panel, file } = await openWithCursor();
    await move(panel, 'github');
    const [client] = panel.gateway.listClients();
    await panel.gateway.revokeClient(client?.id ?? '');
    await move(panel, 'gitlab');
    expect(panel.gateway.listClients()).toMatchObject([{ name: 'Cursor' }]);
    expect(new Set(readFileSync(file, 'utf8').match(/mcpcp_[\w-]{43}/g)).size).toBe(2);
  });

  it(
    'are put back by a switch, without a panel: a line for each, exit code 1 where one was changed',
    { timeout: 60_000, ...noPipes },
    async () => {
      const { panel, home, file } = await openWithCursor();
      await move(panel, 'github', 'gitlab');
      writeFileSync(file, readFileSync(file, 'utf8').replace('/servers/gitlab/mcp', '/servers/other/mcp'));
      const entry = join(import.meta.dirname, '../../../electron/core/headless.ts');
      const run = () => promisify(execFile)(process.execPath, [entry, '--home', home, '--restore-clients']);
      await expect(run()).rejects.toMatchObject({
        code: 1,
        stdout:
          `restored cursor github in ${file}\n` +
          `left cursor gitlab in ${file}: it was changed since it was moved\n`,
      });
      expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
        mcpServers: { github: entries.mcpServers.github },
      });
      rmSync(join(home, 'moved.json'));
      expect(await run()).toMatchObject({ stdout: '' });
    },
  );
});
