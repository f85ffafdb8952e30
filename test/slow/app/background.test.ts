import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { fixtureServer } from '../../fixtures/fixture-server.ts';
import { usePanels, type DrivenPanel, type StartedPanel } from '../../e2e/harness.ts';
import {
  leaves,
  samplesCome,
  stateIs,
  windowDoes,
  windowIsHidden,
  windowIsShown,
} from '../../e2e/support/driving.ts';
import { descendantsOf } from '../../e2e/support/processes.ts';
import { desktopWithTray, seenTray, watchTray } from '../../e2e/support/tray.ts';
import { waitUntil } from '../../e2e/support/wait-until.ts';

// Behaviour of the panel while nobody looks at it.

const panels = usePanels();
const desktop = desktopWithTray();

afterAll(() => desktop.remove());

/** Whether there is a window: each page has a process of its own. */
const hasPage = ({ pid }: StartedPanel) =>
  descendantsOf(pid).some(({ command }) => command.includes('--type=renderer'));

describe('a hidden start', () => {
  it('opens no window, runs the servers, and shows itself when it is asked to', async () => {
    const panel = panels.start({ servers: { one: fixtureServer() }, env: desktop.env, args: ['--hidden'] });
    await stateIs(panel, 'one', 'running');
    expect(hasPage(panel)).toBe(false);

    const again = panels.start({ home: panel.home, args: ['--hidden'] });
    await leaves(again);
    expect(hasPage(panel)).toBe(false);

    const asked = panels.start({ home: panel.home });
    await leaves(asked);
    await waitUntil('the window', () => hasPage(panel));
  });
});

interface Shown {
  readonly title: string;
  readonly body: string;
}

/** Replaces the desktop's notifications, of which Electron tells nothing. */
const watchNotifications = ({ app }: DrivenPanel) =>
  app.evaluate(({ Notification }) => {
    const shown: Electron.Notification[] = [];
    Object.assign(globalThis, { shownNotifications: shown });
    Notification.isSupported = () => true;
    Notification.prototype.show = function (this: Electron.Notification) {
      shown.push(this);
    };
  });

const shownNotifications = ({ app }: DrivenPanel) =>
  app.evaluate(() =>
    (globalThis as unknown as { shownNotifications: Shown[] }).shownNotifications.map(({ title, body }) => ({
      title,
      body,
    })),
  );

describe('notifications', () => {
  it('tell of a server that was given up, not of what a person just did, and open it by a click', async () => {
    const panel = await panels.launch({ servers: { one: fixtureServer() } });
    await stateIs(panel, 'one', 'running');
    await watchNotifications(panel);
    // Adding by hand gives no notification because the failure is in the window, where the person is.
    await panel.call('putServer', { name: 'typed', command: '/no/such/program' });
    await stateIs(panel, 'typed', 'failed');
    // The file is written from outside, as by an editor.
    const path = join(panel.home, 'servers.json');
    const config = JSON.parse(readFileSync(path, 'utf8')) as { mcpServers: Record<string, unknown> };
    config.mcpServers['edited'] = { command: '/no/such/program' };
    writeFileSync(path, JSON.stringify(config));
    const shown = await waitUntil('a notification', async () => {
      const all = await shownNotifications(panel);
      return all.length > 0 && all;
    });
    expect(shown).toEqual([{ title: 'edited failed', body: 'Its command was not found' }]);

    await windowDoes(panel, 'hide');
    await panel.app.evaluate(() => {
      const [first] = (globalThis as unknown as { shownNotifications: Electron.Notification[] })
        .shownNotifications;
      first?.emit('click');
    });
    await waitUntil('the page of the server', () => panel.page.url().endsWith('#/servers/edited'));
    await windowIsShown(panel);
  });
});

/** A call to the server that lasts until it ends. */
const callWithoutEnd = ({ page }: DrivenPanel) =>
  page.evaluate(() => {
    const { controlPanel } = globalThis as unknown as {
      controlPanel: { callServer(call: unknown): Promise<unknown> };
    };
    const params = { name: 'sleep', arguments: { ms: 600_000 } };
    const call = { callId: 'long', name: 'one', method: 'tools/call', params };
    void controlPanel.callServer(call).catch(() => undefined);
  });

const quit = ({ app }: DrivenPanel) => app.evaluate(({ app: electron }) => electron.quit());

describe('quitting with a call in flight', () => {
  const asking = { MCP_CONTROL_PANEL_TEST: '' };
  const question = ({ page }: DrivenPanel) => page.getByRole('dialog', { name: 'Quit MCP Control Panel?' });

  async function launchCalling(env: Readonly<Record<string, string>>): Promise<DrivenPanel> {
    const panel = await panels.launch({ servers: { one: fixtureServer() }, env: { ...desktop.env, ...env } });
    await stateIs(panel, 'one', 'running');
    await callWithoutEnd(panel);
    await waitUntil('the call to be in flight', async () => {
      const [server] = (await panel.snapshot()).servers;
      return server?.busy?.calls === 1;
    });
    return panel;
  }

  it('asks once in the page, which a hidden window is shown for, and does what it is told', async () => {
    const panel = await launchCalling(asking);
    await windowDoes(panel, 'hide');
    await quit(panel);
    await question(panel).getByText('1 call is in flight, and will be lost.').waitFor();
    await windowIsShown(panel);
    await quit(panel);
    expect(await question(panel).count()).toBe(1);
    await panel.page.getByRole('button', { name: 'Keep running' }).click();
    await question(panel).waitFor({ state: 'hidden' });
    expect(panel.serverProcesses()).toHaveLength(1);

    await quit(panel);
    // The driver hears of the click when the window may be gone already, and then takes it for failed.
    const clicked = panel.page.getByRole('button', { name: 'Quit anyway' }).click({ noWaitAfter: true });
    await clicked.catch(() => undefined);
    expect(await leaves(panel)).toBe(0);
    expect(panel.serverProcesses()).toEqual([]);
  });

  it('asks nothing of a signal, nor where nobody would answer', async () => {
    const signalled = await launchCalling(asking);
    await quit(signalled);
    await question(signalled).waitFor();
    expect(await signalled.terminate()).toBe(0);

    const unattended = await launchCalling({});
    await quit(unattended);
    expect(await leaves(unattended)).toBe(0);
  });
});

describe('the first close', () => {
  it('says once ever that the panel is still running', async () => {
    const panel = await panels.launch({ servers: { one: fixtureServer() }, env: desktop.env });
    await stateIs(panel, 'one', 'running');
    await watchNotifications(panel);
    for (let closes = 0; closes < 2; closes += 1) {
      await windowDoes(panel, 'close');
      await windowIsHidden(panel);
      await windowDoes(panel, 'show');
      await windowIsShown(panel);
    }
    expect(await shownNotifications(panel)).toEqual([
      {
        title: 'MCP Control Panel is still running here',
        body: '1 server keeps running. The icon in the tray brings the window back, and its menu quits.',
      },
    ]);
    const kept = JSON.parse(readFileSync(join(panel.home, 'window.json'), 'utf8')) as object;
    expect(kept).toMatchObject({ isToldOfTray: true });
  });

  it('says in the window why it was only minimised on a desktop without a tray', async () => {
    const panel = await panels.launch();
    await windowDoes(panel, 'close');
    await panel.page.getByText('Closing minimised the window, because').waitFor();
  });
});

describe('a desktop without a tray', () => {
  it('gets no icon and no menu, which nobody would see', async () => {
    const panel = await panels.launch({ servers: { one: fixtureServer() } });
    await watchTray(panel);
    await stateIs(panel, 'one', 'running');
    await panel.call('stopServer', 'one');
    await panel.call('startServer', 'one');
    await samplesCome(panel, 'one', 3);
    expect(await seenTray(panel)).toEqual({ tooltip: '', labels: [], icons: [] });
  });
});
