import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fixtureServer } from '../../fixtures/fixture-server.ts';
import { usePanels, type DrivenPanel } from '../../e2e/harness.ts';
import {
  leaves,
  samplesCome,
  stateIs,
  windowDoes,
  windowIsHidden,
  windowIsShown,
} from '../../e2e/support/driving.ts';
import { desktopWithTray } from '../../e2e/support/tray.ts';
import { waitUntil } from '../../e2e/support/wait-until.ts';

const panels = usePanels();
const oneServer = { one: fixtureServer() };
const STATE_LINE =
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z one (stopped|starting|running|suspect|stalled|backoff|stopping|failed)( .+)?$/;

describe('the process', () => {
  it('ends with 1 and says why when its home folder cannot be', async () => {
    const panel = panels.start({ env: { MCP_CONTROL_PANEL_HOME: '/dev/null/home' } });
    expect(await waitUntil('the end', () => panel.exitCode())).toBe(1);
    expect(panel.stderr().join('\n')).toMatch(
      /^cannot start: the folder \/dev\/null\/home cannot be written/m,
    );
  });

  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    'ends on %s with exit code 0 and no server left',
    async (signal) => {
      const panel = panels.start({ servers: oneServer });
      await stateIs(panel, 'one', 'running');
      expect(panel.serverProcesses()).toHaveLength(1);
      expect(await panel.terminate(signal)).toBe(0);
      expect(panel.serverProcesses()).toEqual([]);
      expect(panel.stdout().at(-1)).toMatch(/ one stopped\b/);
    },
  );

  it('is not cut short by a second signal', async () => {
    const panel = panels.start({
      servers: { one: { ...fixtureServer('--ignore-eof'), panel: { stopGraceMs: 1000 } } },
    });
    await stateIs(panel, 'one', 'running');
    process.kill(panel.pid, 'SIGTERM');
    await stateIs(panel, 'one', 'stopping');
    expect(await panel.terminate()).toBe(0);
    expect(panel.serverProcesses()).toEqual([]);
  });

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'stops its servers in order when %s goes to its helper processes as well',
    async (signal) => {
      const panel = await panels.launch({
        servers: { one: { ...fixtureServer('--ignore-eof'), panel: { stopGraceMs: 1000 } } },
      });
      await stateIs(panel, 'one', 'running');
      process.kill(-panel.pid, signal);
      expect(await leaves(panel)).toBe(0);
      expect(panel.stdout().at(-1)).toMatch(/ one stopped\b/);
      expect(panel.serverProcesses()).toEqual([]);
    },
  );

  it('prints one line per state change on stdout, and nothing else', async () => {
    const panel = panels.start({ servers: oneServer });
    await stateIs(panel, 'one', 'running');
    await panel.terminate();
    const lines = panel.stdout();
    expect(lines.length).toBeGreaterThanOrEqual(4);
    for (const line of lines) expect(line).toMatch(STATE_LINE);
  });

  it('shows the window of the panel that runs already, and leaves with one line and exit code 0', async () => {
    const first = await panels.launch({ servers: oneServer });
    await windowDoes(first, 'hide');
    const second = panels.start({ home: first.home });
    await waitUntil('the second to say so', () =>
      second.stderr().some((line) => line.startsWith('MCP Control Panel is already running')),
    );
    await windowIsShown(first);
    expect(await leaves(second)).toBe(0);
    expect(second.stdout()).toEqual([]);
    await stateIs(first, 'one', 'running');
    expect(first.serverProcesses()).toHaveLength(1);
  });

  it('runs beside a panel with another home', async () => {
    for (const panel of [panels.start({ servers: oneServer }), panels.start({ servers: oneServer })])
      await stateIs(panel, 'one', 'running');
  });

  it('keeps everything in its home, which only its owner may read when it made it', async () => {
    const home = join(panels.tempFolder('home-'), 'new');
    panels.start({ env: { MCP_CONTROL_PANEL_HOME: home } });
    await waitUntil('the page store', () => statSync(join(home, 'browser'), { throwIfNoEntry: false }));
    expect(statSync(home).mode & 0o777).toBe(0o700);
  });

  it('takes the compiled code that an earlier one has kept', async () => {
    const started = async (home?: string) => {
      const panel = panels.start({ servers: oneServer, ...(home && { home }) });
      // Code is kept before the first server starts.
      await stateIs(panel, 'one', 'running');
      await panel.terminate();
      const folder = join(panel.home, 'browser/Main Code Cache');
      const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
      const written = new Map(files.map((file) => [file, statSync(join(folder, file))]));
      const kept = [...written].filter(([, stat]) => stat.isFile());
      return { home: panel.home, kept: kept.map(([file, { mtimeMs }]) => [file, mtimeMs] as const) };
    };
    const { home, kept } = await started();
    expect(kept.length).toBeGreaterThan(0);
    expect((await started(home)).kept).toEqual(expect.arrayContaining(kept));
  });

  it('goes on after an error nobody caught', async () => {
    const panel = await panels.launch({ servers: oneServer });
    await panel.app.evaluate(() => {
      setTimeout(() => {
        throw new Error('nobody caught this');
      });
    });
    await waitUntil('a line on stderr', () =>
      panel.stderr().some((line) => line.includes('nobody caught this')),
    );
    expect((await panel.snapshot()).servers).toHaveLength(1);
  });
});

describe('the window', () => {
  it('is minimised, not closed, where nothing could bring it back, and says why', async () => {
    const panel = await panels.launch({ servers: oneServer });
    await stateIs(panel, 'one', 'running');
    await windowDoes(panel, 'close');
    await waitUntil('a line on stderr', () =>
      panel.stderr().some((line) => line.includes('org.kde.StatusNotifierWatcher')),
    );
    expect((await panel.snapshot()).servers).toHaveLength(1);
    expect(panel.serverProcesses()).toHaveLength(1);
  });

  it('is hidden where there is a tray, and the servers run on', async () => {
    const desktop = desktopWithTray();
    const panel = await panels.launch({ servers: oneServer, env: desktop.env });
    await stateIs(panel, 'one', 'running');
    await windowDoes(panel, 'close');
    await windowIsHidden(panel);
    expect(panel.serverProcesses()).toHaveLength(1);
    desktop.remove();
  });

  it('gets no pushes while it is hidden, and catches up when it is shown', async () => {
    const panel = await panels.launch({ servers: oneServer });
    await panel.page.evaluate(`globalThis.pushes = []; controlPanel.onPush((push) => pushes.push(push));`);
    await waitUntil('a first push', () => panel.page.evaluate<boolean>('pushes.length > 0'));
    await windowDoes(panel, 'hide');
    await windowIsHidden(panel);
    await panel.page.evaluate('globalThis.pushes.length = 0');
    await panel.call('restartServer', 'one');
    // By then two looks at the new process have passed, and each would have been a push.
    await samplesCome(panel, 'one', 2);
    expect(await panel.page.evaluate('pushes.length')).toBe(0);
    await windowDoes(panel, 'show');
    await waitUntil('a push', () => panel.page.evaluate<boolean>('pushes.length > 0'));
  });

  it('loads its page again when the page crashes; the servers do not notice', async () => {
    const panel = await panels.launch({ servers: oneServer });
    await stateIs(panel, 'one', 'running');
    const [before] = panel.serverProcesses();
    await panel.app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]?.webContents.forcefullyCrashRenderer(),
    );
    await waitUntil('a line on stderr', () => panel.stderr().some((line) => line.includes('loaded again')));
    await waitUntil('the page to show the server', () =>
      panel.app.evaluate(
        ({ BrowserWindow }) =>
          BrowserWindow.getAllWindows()[0]?.webContents.executeJavaScript(
            `document.body?.innerText.includes('one') ?? false`,
          ) as Promise<boolean>,
      ),
    );
    expect(panel.serverProcesses()).toEqual([before]);
  });

  it('opens where it was', async () => {
    const place = { x: 60, y: 50, width: 1000, height: 700 };
    const isAtPlace = ({ app }: DrivenPanel) =>
      app.evaluate(({ BrowserWindow }, wanted) => {
        const bounds = BrowserWindow.getAllWindows()[0]?.getBounds();
        return JSON.stringify(bounds) === JSON.stringify(wanted);
      }, place);
    const first = await panels.launch();
    // The window must be shown first because the display server still tells its first place afterwards.
    await windowIsShown(first);
    await waitUntil('the window to stay where it was moved', async () => {
      await first.app.evaluate(
        ({ BrowserWindow }, wanted) => BrowserWindow.getAllWindows()[0]?.setBounds(wanted),
        place,
      );
      await first.page.waitForTimeout(300);
      return isAtPlace(first);
    });
    await first.terminate();
    const second = await panels.launch({ home: first.home });
    await waitUntil('the next window to be there', () => isAtPlace(second));
  });

  it('quits by Ctrl+Q and hides its menu bar', async () => {
    const panel = await panels.launch({ servers: oneServer });
    const hasMenu = await panel.app.evaluate(({ Menu }) => Menu.getApplicationMenu() !== null);
    expect(hasMenu).toBe(process.platform === 'darwin');
    await panel.app.evaluate(({ BrowserWindow }) => {
      const contents = BrowserWindow.getAllWindows()[0]?.webContents;
      contents?.sendInputEvent({ type: 'keyDown', keyCode: 'Q', modifiers: ['control'] });
    });
    expect(await leaves(panel)).toBe(0);
  });
});
