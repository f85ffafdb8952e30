import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { fixtureServer } from '../fixtures/fixture-server.ts';
import { usePanels, type DrivenPanel, type StartedPanel } from './harness.ts';
import { descendantsOf } from './support/processes.ts';
import { desktopWithTray } from './support/tray.ts';
import { waitUntil } from './support/wait-until.ts';

// Behaviour of the panel while nobody looks at it.

const panels = usePanels();
const desktop = desktopWithTray();

afterAll(() => desktop.remove());

const isRunning = (line: string) => / one running\b/.test(line);

/** Whether there is a window: each page has a process of its own. */
const hasPage = ({ pid }: StartedPanel) =>
  descendantsOf(pid).some(({ command }) => command.includes('--type=renderer'));

describe('a hidden start', () => {
  it('opens no window, runs the servers, and shows itself when it is asked to', async () => {
    const panel = panels.start({ servers: { one: fixtureServer() }, env: desktop.env, args: ['--hidden'] });
    await waitUntil('the server to run', () => panel.stdout().some(isRunning));
    expect(hasPage(panel)).toBe(false);

    const again = panels.start({ home: panel.home, args: ['--hidden'] });
    await waitUntil('a second hidden start to leave', () => again.exitCode() !== undefined);
    expect(hasPage(panel)).toBe(false);

    const asked = panels.start({ home: panel.home });
    await waitUntil('a second start to leave', () => asked.exitCode() !== undefined);
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
    await waitUntil('the server to run', () => panel.stdout().some(isRunning));
    await watchNotifications(panel);
    // Adding by hand gives no notification because the failure is in the window, where the person is.
    await panel.call('putServer', { name: 'typed', command: '/no/such/program' });
    await waitUntil('it to fail', () => panel.stdout().some((line) => / typed failed\b/.test(line)));
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

    await panel.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.hide());
    await panel.app.evaluate(() => {
      const [first] = (globalThis as unknown as { shownNotifications: Electron.Notification[] })
        .shownNotifications;
      first?.emit('click');
    });
    await waitUntil('the page of the server', () => panel.page.url().endsWith('#/servers/edited'));
    await waitUntil('the window', () =>
      panel.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isVisible() === true),
    );
  });
});
