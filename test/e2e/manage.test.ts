import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fixtureServer } from '../fixtures/fixture-server.ts';
import { sharedPanel, usePanels, type DrivenPanel } from './harness.ts';
import { button, callTool, dialog, entriesOf, inState, row } from './support/driving.ts';
import { waitUntil } from './support/wait-until.ts';

const panels = usePanels('all');
const panelWith = sharedPanel(panels);
/** Panel that asks, as it does where somebody is there to answer. */
const askingPanelWith = sharedPanel(panels, {
  env: { MCP_CONTROL_PANEL_TEST: '', MCP_CONTROL_PANEL_CONSENT: 'agree' },
});

const field = ({ page }: DrivenPanel, name: string) =>
  page.getByRole('dialog').getByLabel(name, { exact: true });

async function choose(panel: DrivenPanel, server: string, item: string): Promise<void> {
  await button(panel, `More for ${server}`).click();
  await panel.page.getByRole('menuitem', { name: item }).click();
}

const fixture = fixtureServer();

describe('managing servers in the window', () => {
  it('adds one by the form, tries it, edits, duplicates, disables and removes it', async () => {
    const panel = await panelWith();
    await button(panel, 'Add server').click();
    await button(panel, 'Test connection').click();
    await panel.page.getByText('Enter a command, for example').waitFor();
    expect(await panel.page.getByText('A name is needed.').count()).toBe(0);
    await field(panel, 'Name').fill('one');
    await field(panel, 'Command').fill(fixture.command);
    await field(panel, 'Arguments').fill(fixture.args.join('\n'));
    await button(panel, 'Add variable').click();
    await field(panel, 'Name of variable 1').fill('GREETING');
    await field(panel, 'Value of GREETING').fill('hello');
    await button(panel, 'Test connection').click();
    await panel.page.getByText(/Answered in .* tool/).waitFor();
    await button(panel, 'Add').click();
    await inState(panel, 'one', 'Running');
    expect(entriesOf(panel)['one']).toMatchObject({ args: fixture.args, env: { GREETING: 'hello' } });

    await choose(panel, 'one', 'Edit');
    await field(panel, 'Value of GREETING').fill('goodbye');
    await panel.page.getByText('This restarts one: environment changed.').waitFor();
    await button(panel, 'Save and restart').click();
    await waitUntil('a second run', async () => (await panel.snapshot()).servers[0]?.generation === 2);
    await inState(panel, 'one', 'Running');

    await choose(panel, 'one', 'Edit');
    await panel.page.getByText('Supervision').click();
    await field(panel, 'Memory').fill('512');
    await panel.page.getByText('Applies without a restart.').waitFor();
    await button(panel, 'Save').click();
    await panel.page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(entriesOf(panel)['one']).toMatchObject({ panel: { limits: { maxMemoryMiB: 512 } } });
    expect((await panel.snapshot()).servers[0]?.generation).toBe(2);

    await choose(panel, 'one', 'Duplicate');
    expect(await field(panel, 'Name').inputValue()).toBe('one-2');
    await button(panel, 'Add').click();
    await inState(panel, 'one-2', 'Running');

    await choose(panel, 'one-2', 'Disable');
    await inState(panel, 'one-2', 'Stopped');
    expect(entriesOf(panel)['one-2']).toMatchObject({ disabled: true, env: { GREETING: 'goodbye' } });

    // The server is stopped, so nothing is asked; the note holds the undo.
    await choose(panel, 'one-2', 'Remove');
    await row(panel, 'one-2').waitFor({ state: 'detached' });
    await button(panel, 'Undo').click();
    await inState(panel, 'one-2', 'Stopped');
    expect(Object.keys(entriesOf(panel))).toEqual(['one', 'one-2']);
  });

  it('refuses what cannot be, at the field, and loses nothing typed by Escape', async () => {
    const panel = await askingPanelWith({ one: fixture });
    await inState(panel, 'one', 'Running');
    await button(panel, 'Add server').click();
    await field(panel, 'Name').fill('one');
    await panel.page.getByText('There is a server named one already.').waitFor();
    await button(panel, 'Add').click();
    await panel.page.getByText('Enter a command, for example').waitFor();
    await panel.page.keyboard.press('Escape');
    await button(panel, 'Keep editing').click();
    expect(await field(panel, 'Name').inputValue()).toBe('one');
    await panel.page.keyboard.press('Escape');
    await button(panel, 'Discard changes').click();
    expect(Object.keys(entriesOf(panel))).toEqual(['one']);
  });

  it('asks before it ends calls in flight, by button, menu and shortcut, and ends them on a yes', async () => {
    const panel = await askingPanelWith({ one: fixture });
    const { page } = panel;
    await inState(panel, 'one', 'Running');
    const call = callTool(panel, 'one', 'hang');
    await row(panel, 'one').getByText(/busy/).waitFor();
    const question = (verb: string) => dialog(panel, `${verb} one?`);
    await button(panel, 'Restart one').click();
    await question('Restart').getByText('1 call is in flight, and will be lost.').waitFor();
    await button(panel, 'Keep it').click();
    await choose(panel, 'one', 'Disable');
    await question('Disable').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Open one', exact: true }).focus();
    await page.keyboard.press('Control+.');
    await question('Stop').waitFor();
    expect((await panel.snapshot()).servers[0]).toMatchObject({ generation: 1, state: { kind: 'running' } });
    await question('Stop').getByRole('button', { name: 'Stop one', exact: true }).click();
    await inState(panel, 'one', 'Stopped');
    expect(await call).toMatchObject({ rejected: { code: expect.any(String) as string } });
  });

  it('asks nothing where nobody is there to answer', async () => {
    const panel = await panelWith({ one: fixture });
    await inState(panel, 'one', 'Running');
    await button(panel, 'Add server').click();
    await field(panel, 'Name').fill('two');
    await panel.page.keyboard.press('Escape');
    await field(panel, 'Name').waitFor({ state: 'detached' });
    await choose(panel, 'one', 'Remove');
    await row(panel, 'one').waitFor({ state: 'detached' });
    expect(Object.keys(entriesOf(panel))).toEqual([]);
  });

  it('takes over two servers from a pasted text', async () => {
    const panel = await panelWith();
    await button(panel, 'Paste a configuration…').click();
    await field(panel, 'Configuration to read').fill(
      JSON.stringify({ mcpServers: { first: fixture, second: fixture } }),
    );
    await panel.page.getByText('Recognised 2 servers.').waitFor();
    await button(panel, 'Add 2 servers').click();
    await inState(panel, 'first', 'Running');
    await inState(panel, 'second', 'Running');
    // No note appears because the list shows the servers.
    expect(await button(panel, 'Dismiss the note').count()).toBe(0);
    expect(Object.keys(entriesOf(panel))).toEqual(['first', 'second']);
  });

  it('takes whatever names a server that is pasted into the name or the command', async () => {
    const panel = await panelWith();
    const paste = async (text: string, into = 'Name') => {
      await field(panel, into).focus();
      await panel.page.evaluate(`{
        const clipboardData = new DataTransfer();
        clipboardData.setData('text', ${JSON.stringify(text)});
        const paste = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
        document.activeElement.dispatchEvent(paste);
      }`);
    };
    await button(panel, 'Add server').click();
    await paste('npx -y @scope/stock-server');
    await panel.page.getByText('Adds stock-server and starts it.').waitFor();
    expect(await field(panel, 'Command').inputValue()).toBe('npx');
    expect(await field(panel, 'Arguments').inputValue()).toBe('-y\n@scope/stock-server');
    await panel.page.keyboard.press('Escape');

    await button(panel, 'Add server').click();
    const servers = JSON.stringify({ mcpServers: { time: { command: 'uvx', args: ['mcp-server-time'] } } });
    await paste(`Add this:\n\`\`\`json\n${servers}\n\`\`\`\n`);
    await panel.page.getByText('Adds time and starts it.').waitFor();
    expect(await field(panel, 'Arguments').inputValue()).toBe('mcp-server-time');
    await panel.page.keyboard.press('Escape');

    await button(panel, 'Add server').click();
    await paste('docker run -i --rm -e STOCK_TOKEN=<YOUR_TOKEN> ghcr.io/acme/stock', 'Command');
    await panel.page.getByText('Adds stock and starts it.').waitFor();
    await panel.page.getByText('Missing: STOCK_TOKEN.').waitFor();
    expect(await field(panel, 'Command').inputValue()).toBe('docker');
    await panel.page.keyboard.press('Escape');

    await button(panel, 'Add server').click();
    await paste('claude mcp add --transport http stock https://mcp.stock.example/mcp');
    await panel.page.getByText('Adds stock and starts it.').waitFor();
    await panel.page.keyboard.press('Escape');

    // What is no server stays in the field, and is not lost.
    await button(panel, 'Add server').click();
    await paste('Brave Search');
    await expect.poll(() => field(panel, 'Name').inputValue()).toBe('Brave Search');
  });

  it('says at once when an entry is changed on disk while it is edited, and saves nothing before a choice', async () => {
    const quiet = { ...fixture, disabled: true };
    const panel = await panelWith({ one: quiet });
    const { page } = panel;
    const write = (entries: Record<string, unknown>) =>
      writeFileSync(join(panel.home, 'servers.json'), JSON.stringify({ mcpServers: entries }));
    await inState(panel, 'one', 'Stopped');
    await choose(panel, 'one', 'Edit');
    await field(panel, 'Working folder').fill('/mine');
    write({ one: { ...quiet, args: ['theirs'], own: 1 } });
    await page.getByText('This server was changed on disk while you edited it: args, own.').waitFor();
    expect(await button(panel, 'Save').isDisabled()).toBe(true);
    await page.keyboard.press('Control+Enter');
    expect(entriesOf(panel)['one']).not.toHaveProperty('cwd');
    await button(panel, 'Load the version on disk').click();
    expect(await field(panel, 'Arguments').inputValue()).toBe('theirs');
    expect(await field(panel, 'Working folder').inputValue()).toBe('');

    await field(panel, 'Working folder').fill('/mine');
    write({ one: { ...quiet, args: ['again'] } });
    await button(panel, 'Keep mine').click();
    await button(panel, 'Save').click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(entriesOf(panel)['one']).toEqual({ ...quiet, args: ['theirs'], own: 1, cwd: '/mine' });

    await choose(panel, 'one', 'Edit');
    await field(panel, 'Working folder').fill('/other');
    write({});
    await page.getByText('This server was removed from servers.json while you edited it.').waitFor();
    await button(panel, 'Keep mine').click();
    await button(panel, 'Save').click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(entriesOf(panel)['one']).toMatchObject({ cwd: '/other' });

    // Basis of a window that has not heard of the change yet.
    const basis = { basedOn: { name: 'one', entry: quiet } };
    expect(await panel.call('putServer', { name: 'one', ...quiet }, basis)).toMatchObject({
      rejected: { code: 'CONFIG_CONFLICT' },
    });
    expect(entriesOf(panel)['one']).toMatchObject({ cwd: '/other' });
  });

  it('shows what a server is set to, masked until it is asked for, and where each setting comes from', async () => {
    const servers = {
      one: {
        ...fixture,
        env: { GITHUB_TOKEN: 'canary-value' },
        disabled: true,
        panel: { limits: { maxMemoryMiB: 512 } },
      },
    };
    const panel = await panelWith(servers);
    const { page } = panel;
    await page.getByRole('link', { name: 'Open one', exact: true }).click();
    await page.getByRole('link', { name: 'Configuration', exact: true }).click();
    const entry = page.getByLabel('Entry as it is in servers.json');
    await entry.getByText('GITHUB_TOKEN').waitFor();
    expect(await page.locator('body').innerText()).not.toContain('canary-value');
    const memory = page.getByRole('row', { name: /^Memory/ });
    expect((await memory.innerText()).split('\t')).toEqual(['Memory', '512 MiB', 'this entry']);
    await page.getByRole('button', { name: 'Show values' }).click();
    await entry.getByText('canary-value').waitFor();

    // A call stands for whoever changes the file.
    await panel.call('putServer', { name: 'one', ...servers.one, panel: { limits: { maxMemoryMiB: 256 } } });
    await memory.getByText('256 MiB').waitFor();
    await button(panel, 'Edit…').click();
    expect(await field(panel, 'Name').inputValue()).toBe('one');
    await page.keyboard.press('Escape');
    await button(panel, 'Remove').click();
    await page.getByText('Removed one from servers.json.').waitFor();
    await page.waitForURL(/#\/servers$/);
    expect(entriesOf(panel)).toEqual({});

    // The removal was done elsewhere: the page says so, and is left when the person wants to.
    await button(panel, 'Undo').click();
    await page.getByRole('link', { name: 'Open one', exact: true }).click();
    await panel.call('removeServer', 'one');
    await page.getByText('There is no server named').waitFor();
  });
});
