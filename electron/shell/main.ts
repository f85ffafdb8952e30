import './app/web-crypto.ts';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { app, BaseWindow, powerMonitor } from 'electron';
import { config as configureSchemas } from 'zod/v4/core';
import { createDeferred } from '../core/deferred.ts';
import { systemClock } from '../core/platform/system-clock.ts';
import { LINK_SCHEME, linkIn, LinkInbox } from './app/app-link.ts';
import { installAppMenu } from './app/app-menu.ts';
import { closeChromiumFiles, settleAppPaths } from './app/app-paths.ts';
import { declareAppScheme, serveBundle } from './app/app-protocol.ts';
import { keepCompiledCode } from './app/compile-cache.ts';
import { DisposeStack } from '../core/dispose-stack.ts';
import { FirstLook } from './window/first-look.ts';
import { doorkeeperStart } from './app/doorkeeper-start.ts';
import { GpuCrashLimit, hasGraphicsDevice } from './app/graphics.ts';
import { hardenProcess } from './app/hardening.ts';
import { lockDownPages } from './app/lockdown.ts';
import { isHiddenStart, isLoginStart, startHidden } from './app/login-item.ts';
import { bundleOrigin, devServerOrigin, type PageOrigin } from './app/page-origin.ts';
import { watchSessionEnd, type SessionEndOptions } from './app/session-end.ts';
import { isForDoorkeeperAlone } from './app/start-at-login.ts';
import type { PanelHost, Shell } from './panel-host.ts';
import { PanelTray } from './tray/panel-tray.ts';
import { PanelWindow, type PanelWindowOptions } from './window/panel-window.ts';
import { installOrderlyQuit, quitOnSignals } from '../core/quit.ts';
import { StartProblem } from '../core/start-problem.ts';
import { createTerminal } from '../core/terminal.ts';
import { performTrayCommand, taskIn } from './tray/tray-commands.ts';
import type { TrayCommand } from './tray/tray-model.ts';

// Zod interprets its schemas instead of compiling them, because most schemas validate only one or two values per app run, and
// compiling would cost more than it saves. Set here, before the core is loaded, because each schema reads this setting when it
// is created.
configureSchemas({ jitless: true });
// Only the main thread collects young objects, as in the panel without a window (decision 114). Set before any code is cached,
// because V8 accepts cached code only if it was compiled with the same flags.
setFlagsFromString('--no-parallel-scavenge');

/** Id by which Windows recognises the app; the `appId` of electron-builder.yml. */
const APP_ID = 'dev.mcp-control-panel.app';

const { home, problem } = settleAppPaths(process.env);
const terminal = createTerminal(process.stdout, process.stderr);

if (problem !== undefined) {
  terminal.notice(`cannot start: ${problem}`);
  app.exit(1);
} else if (process.argv.includes('--restore-clients')) {
  // Restores the configuration files of other programs from which the panel had taken over servers, without opening a window.
  // If a panel is running for this data folder, it continues to run.
  void import('../core/restore-clients.ts')
    .then(({ restoreClients }) => restoreClients(home, terminal))
    .then((code) => app.exit(code), fail);
  // Only one panel may use a data folder, because a second one would start every server twice.
} else if (app.requestSingleInstanceLock()) {
  const parts = new DisposeStack();
  const releasing = { clock: systemClock, release: () => parts.dispose(), notice: terminal.notice };
  const quitter = installOrderlyQuit({ app, ...releasing });
  launch({
    home,
    terminal,
    origin: pageOrigin(),
    parts,
    releasing,
    quitter,
    links: new LinkInbox(app, process.argv),
    fail,
  });
} else {
  terminal.notice(`MCP Control Panel is already running for ${home}; its window is shown instead`);
  app.exit(0);
}

function launch(shell: Shell): void {
  hardenProcess();
  if (!hasGraphicsDevice(process.platform)) app.disableHardwareAcceleration();
  // Windows shows notifications only for programs with a known id. The id that it knows is that of the shortcut which the
  // installer creates.
  if (process.platform === 'win32') app.setAppUserModelId(APP_ID);
  // Registers the scheme of the app's links with Windows. On the other systems, the packages declare it. The "--" ensures that
  // a link, which comes after it, is not treated as a switch.
  if (process.platform === 'win32' && app.isPackaged && process.env['MCP_CONTROL_PANEL_TEST'] !== '1')
    app.setAsDefaultProtocolClient(LINK_SCHEME, process.execPath, ['--']);
  declareAppScheme();
  lockDownPages(shell.origin, shell.fail);
  const quit = { quit: () => shell.quitter.now() };
  const undoEarlySignals = quitOnSignals(quit);
  // This empty listener keeps Electron from quitting the app when the window is closed.
  app.on('window-all-closed', () => undefined);
  app
    .whenReady()
    .then(async () => {
      // The signal handlers are set again, because Electron has replaced them with its own, and a second signal would kill the
      // app.
      undoEarlySignals();
      quitOnSignals(quit);
      // Without a listener, Electron opens a dialog and waits for a click, but the servers must keep running.
      process.on('uncaughtException', (error) => terminal.notice(`unexpected: ${describe(error)}`));
      const start = { home, isPackaged: app.isPackaged, environment: process.env };
      if (await isForDoorkeeperAlone(start, isLoginStart(process.argv, wasOpenedAtLogin()))) {
        // The doorkeeper (the process that answers clients while the panel is not running) outlives this process, and starts
        // the panel for the first client.
        const { startDoorkeeperAlone } = await import('../core/doorkeeper/spawn-keeper.ts');
        if (await startDoorkeeperAlone(home, doorkeeperStart())) return shell.quitter.now();
      }
      if (!shell.parts.isDisposed) build(shell);
    })
    .catch(shell.fail);
}

function build(shell: Shell): void {
  const { origin, parts } = shell;
  const { notice } = terminal;
  closeChromiumFiles(shell.home);
  const coreParts = new DisposeStack();
  parts.add(() => coreParts.dispose());
  parts.add(serveBundle(join(import.meta.dirname, '../renderer'), origin));

  const startsHidden = isHiddenStart(process.argv, wasOpenedAtLogin());
  parts.add(watchSessionEnd(sessionEndOptions(shell, startsHidden)));
  const firstLook = new FirstLook(systemClock, !startsHidden);
  parts.add(() => firstLook.dispose());
  const hosted = createDeferred<PanelHost>();
  let host: PanelHost | undefined;
  const panel = hosted.promise.then((ready) => ready.panel);

  const onCommand = (command: TrayCommand) => {
    if (command.kind !== 'open' && 'server' in command) host?.commandedByHand(command.server);
    if (command.kind === 'restart-failed') host?.allCommandedByHand();
    performTrayCommand(command, {
      panel,
      window,
      quit: () => app.quit(),
      quitAndStopServing: () => shell.quitter.andStopServing(),
      mayStopAll: () => host?.mayStopAll() ?? Promise.resolve(true),
      notice,
    });
  };
  installAppMenu({ window: () => window, run: onCommand });
  const tray = new PanelTray({ onCommand, notice });
  parts.add(() => tray.dispose());
  const gpuCrashLimit = new GpuCrashLimit(app, systemClock);
  const window = buildWindow(shell, {
    tray,
    startsHidden,
    // On macOS, a hidden window can always be shown again from the dock. Other systems need a tray icon for that.
    canHide: async () => process.platform === 'darwin' || tray.isShown(),
    keepsRunning: () => host?.keepsRunning ?? true,
    onDrawn: () => gpuCrashLimit.lift(),
    onPageEnd: () => host?.pageEnded(),
    onPutAway: (away) => host?.windowPutAway(away),
    onVisibility: (isVisible) => {
      panel.then((ready) => ready.setWindowVisible(isVisible)).catch(shell.fail);
    },
    firstLook,
  });
  followStarts(shell, window, onCommand);
  const folder = join(app.getPath('sessionData'), 'Main Code Cache');
  const code = { folder, scripts: import.meta.dirname, environment: process.env };
  void firstLook.over.then(keepCompiledCode(code));
  loadCore()
    .then(({ PanelHost: Host }) => {
      if (parts.isDisposed) return;
      host = new Host({ ...shell, window, tray, firstLook, coreParts });
      hosted.resolve(host);
    })
    .catch(shell.fail);
}

/**
 * Loads the core in two steps, each after an event-loop tick: the first tick lets Chromium start its drawing processes before
 * the main process is busy. The second lets this process answer the several requests that the page's process sends before it
 * runs its first script.
 */
const loadCore = () =>
  nextTurn()
    .then(() => import('../../shared/ipc/topics.ts'))
    .then(() => nextTurn())
    .then(() => import('./panel-host.ts'));

/** When the app is started again, shows the window or a link's target, or runs a task from the menu of the Windows task bar. */
function followStarts(
  { links }: Shell,
  window: PanelWindow,
  onCommand: (command: TrayCommand) => void,
): void {
  links.follow((fragment) => window.showPage(fragment));
  app.on('second-instance', (_event, argv) => {
    const [link, task] = [linkIn(argv), taskIn(argv)];
    if (link !== undefined) links.take(link);
    else if (task !== undefined) onCommand(task);
    else if (!isHiddenStart(argv, false)) window.show();
  });
  app.on('activate', () => window.show());
}

type WindowParts = Pick<
  PanelWindowOptions,
  'startsHidden' | 'canHide' | 'keepsRunning' | 'onPageEnd' | 'onPutAway' | 'onVisibility'
> & { readonly tray: PanelTray; readonly onDrawn: () => void; readonly firstLook: FirstLook };

function buildWindow(shell: Shell, { tray, onDrawn, firstLook, ...parts }: WindowParts): PanelWindow {
  const { startsHidden, canHide, onVisibility } = parts;
  const window = new PanelWindow({
    ...parts,
    origin: shell.origin,
    preloadPath: join(import.meta.dirname, '../preload/preload.cjs'),
    statePath: join(shell.home, 'window.json'),
    fragment: shell.links.first,
    onFirstShown: () => {
      onDrawn();
      // The tray icon and the window's icon are drawn only after the user sees the page, so that they do not delay it.
      void firstLook.over.then(() => {
        void tray.isShown();
        window.setIcon();
      });
    },
    notice: terminal.notice,
  });
  shell.parts.add(() => window.dispose());
  if (!startsHidden) return window;
  onVisibility(false);
  const openMinimised = () => void (shell.parts.isDisposed || window.openMinimised());
  void startHidden(systemClock, canHide, openMinimised);
  return window;
}

function sessionEndOptions({ quitter }: Shell, startsHidden: boolean): SessionEndOptions {
  // Electron versions before 30 do not support windows without a page.
  const Bare: typeof BaseWindow | undefined = BaseWindow;
  return {
    platform: process.platform,
    app,
    powerMonitor,
    createBareWindow: Bare && (() => new Bare({ show: false, skipTaskbar: true })),
    startsHidden,
    onEnd: () => quitter.sessionEnds(),
  };
}

function wasOpenedAtLogin(): boolean {
  return process.platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin;
}

function pageOrigin(): PageOrigin {
  const devServerUrl = app.isPackaged ? undefined : process.env['ELECTRON_RENDERER_URL'];
  return devServerUrl === undefined ? bundleOrigin() : devServerOrigin(devServerUrl);
}

function fail(error: unknown): void {
  terminal.notice(`cannot start: ${describe(error)}`);
  app.exit(1);
}

function describe(error: unknown): string {
  if (error instanceof StartProblem) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
