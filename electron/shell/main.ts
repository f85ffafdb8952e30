import './web-crypto.ts';
import { join } from 'node:path';
import { app, powerMonitor } from 'electron';
import { defaultSettings } from '../../shared/settings.ts';
import type { ControlPanel } from '../core/control-panel-api.ts';
import { systemClock } from '../core/platform/system-clock.ts';
import { setWindowIcon } from './app-icon.ts';
import { createAppliedSettings, type AppliedSettings } from './apply-settings.ts';
import { installAppMenu } from './app-menu.ts';
import { settleAppPaths } from './app-paths.ts';
import { declareAppScheme, serveBundle } from './app-protocol.ts';
import { callHandlers } from './call-handlers.ts';
import { coalesce } from './coalesce.ts';
import { DisposeStack } from './dispose-stack.ts';
import { GpuCrashLimit } from './gpu-crash-limit.ts';
import { hardenProcess } from './hardening.ts';
import { startHidden } from './hidden-start.ts';
import { IpcServer } from './ipc-server.ts';
import { lockDownPages } from './lockdown.ts';
import { isHiddenStart } from './login-item.ts';
import { noteCommands } from './notifications/by-hand.ts';
import { Notifier } from './notifications/notifier.ts';
import { openPanel } from './open-panel.ts';
import { createPageCalls } from './page-calls.ts';
import { bundleOrigin, devServerOrigin, type PageOrigin } from './page-origin.ts';
import { PanelTray } from './panel-tray.ts';
import { PanelWindow } from './panel-window.ts';
import { installOrderlyQuit, quitOnSignals, type ReleaseOptions } from './quit.ts';
import { stateLine } from './state-line.ts';
import { createTerminal, type Terminal } from './terminal.ts';
import { performTrayCommand } from './tray-commands.ts';
import type { TrayCommand } from './tray-model.ts';
import { createUpdates } from './updates/create-updates.ts';

/** Several servers often change at once; the tray follows a moment later, in one go. */
const TRAY_WINDOW_MS = 100;
/** The `appId` of electron-builder.yml. */
const APP_ID = 'dev.mcp-control-panel.app';

/** What every part of this process is given. */
interface Shell {
  readonly home: string;
  readonly terminal: Terminal;
  readonly origin: PageOrigin;
  /** Everything built so far, to be undone in reverse order. */
  readonly parts: DisposeStack;
  /** How all of it is undone before the process ends. */
  readonly releasing: ReleaseOptions;
  /** Nothing works without what failed: says so and ends with exit code 1. */
  readonly fail: (error: unknown) => void;
}

const { home, problem } = settleAppPaths(process.env);
const terminal = createTerminal(process.stdout, process.stderr);

if (problem !== undefined) {
  terminal.notice(`cannot start: ${problem}`);
  app.exit(1);
  // One panel per home folder: a second one would start every server twice.
} else if (app.requestSingleInstanceLock()) {
  const parts = new DisposeStack();
  const releasing = { clock: systemClock, release: () => parts.dispose(), notice: terminal.notice };
  launch({ home, terminal, origin: pageOrigin(), parts, releasing, fail });
} else {
  terminal.notice(`MCP Control Panel is already running for ${home}; its window is shown instead`);
  app.exit(0);
}

function launch(shell: Shell): void {
  hardenProcess();
  // Windows shows notifications only of a program it knows by a name, which is that of the installer's shortcut.
  if (process.platform === 'win32') app.setAppUserModelId(APP_ID);
  declareAppScheme();
  lockDownPages(shell.origin);
  installOrderlyQuit({ app, ...shell.releasing });
  const undoEarlySignals = quitOnSignals(app);
  // Closing the window is not quitting.
  app.on('window-all-closed', () => undefined);
  app
    .whenReady()
    .then(() => {
      // Once more, for Electron has put its own handlers in their place, which let a second signal kill us.
      undoEarlySignals();
      quitOnSignals(app);
      // Without a listener Electron opens a dialog and waits for a click; the servers must go on.
      process.on('uncaughtException', (error) => terminal.notice(`unexpected: ${describe(error)}`));
      build(shell);
    })
    .catch(shell.fail);
}

function build(shell: Shell): void {
  const { origin, parts } = shell;
  const panel = openPanel(shell.home, parts);
  parts.add(serveBundle(join(import.meta.dirname, '../renderer'), origin));
  installAppMenu(process.platform, !app.isPackaged);

  const tray = buildTray(shell, (command) => {
    if ('server' in command && command.kind !== 'open') notifier.commandedByHand(command.server);
    performTrayCommand(command, { panel, window, quit: () => app.quit(), notice: terminal.notice });
  });
  const settings = createAppliedSettings(defaultSettings, terminal.notice);
  const gpuCrashLimit = new GpuCrashLimit(app, systemClock);
  // macOS brings a hidden window back from the dock.
  const canHide = async () => process.platform === 'darwin' || tray.isShown();
  const keepsRunning = () => settings.current().closeToTray;
  const onDrawn = () => gpuCrashLimit.lift();
  const calls = createPageCalls(callHandlers(panel, createUpdates(shell.releasing)));
  const onPageEnd = () => calls.cancelAll();
  const window = buildWindow(shell, panel, { tray, canHide, keepsRunning, onDrawn, onPageEnd });
  const notifier = new Notifier({
    clock: systemClock,
    settings: () => settings.current().notifications,
    window,
  });
  parts.add(() => notifier.dispose());
  const ipc = new IpcServer({
    handlers: noteCommands(calls.handlers, (server) => notifier.commandedByHand(server)),
    origin,
    window: () => window.browserWindow,
    report: terminal.notice,
  });
  parts.add(() => ipc.dispose());
  app.on('second-instance', (_event, argv) => {
    if (!isHiddenStart(argv, false)) window.show();
  });
  app.on('activate', () => window.show());
  panel.then((ready) => connect(shell, ready, { ipc, tray, notifier, settings })).catch(shell.fail);
}

function buildTray({ parts }: Shell, onCommand: (command: TrayCommand) => void): PanelTray {
  const tray = new PanelTray({ platform: process.platform, onCommand, notice: terminal.notice });
  parts.add(() => tray.dispose());
  return tray;
}

interface WindowParts {
  readonly tray: PanelTray;
  readonly canHide: () => Promise<boolean>;
  readonly keepsRunning: () => boolean;
  readonly onDrawn: () => void;
  readonly onPageEnd: () => void;
}

function buildWindow(
  shell: Shell,
  panel: Promise<ControlPanel>,
  { tray, canHide, keepsRunning, onDrawn, onPageEnd }: WindowParts,
): PanelWindow {
  const startsHidden = isHiddenStart(process.argv, wasOpenedAtLogin());
  const onVisibility = (isVisible: boolean) => {
    panel.then((ready) => ready.setWindowVisible(isVisible)).catch(shell.fail);
  };
  const window = new PanelWindow({
    origin: shell.origin,
    preloadPath: join(import.meta.dirname, '../preload/preload.cjs'),
    boundsPath: join(shell.home, 'window.json'),
    isDevelopment: !app.isPackaged,
    startsHidden,
    canHide,
    keepsRunning,
    quit: () => app.quit(),
    onVisibility,
    onPageEnd,
    // Drawing icons can wait until the page is there.
    onFirstShown: (shown) => {
      onDrawn();
      void tray.isShown();
      setWindowIcon(shown, process.platform);
    },
    notice: terminal.notice,
  });
  shell.parts.add(() => window.dispose());
  if (!startsHidden) return window;
  onVisibility(false);
  const openMinimised = () => shell.parts.isDisposed || window.openMinimised();
  void startHidden({ clock: systemClock, canHide, openMinimised });
  return window;
}

function wasOpenedAtLogin(): boolean {
  return process.platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin;
}

interface Connected {
  readonly ipc: IpcServer;
  readonly tray: PanelTray;
  readonly notifier: Notifier;
  readonly settings: AppliedSettings;
}

/** Leads what the panel tells to the page, the tray and the terminal, and sets it going. */
function connect({ parts }: Shell, panel: ControlPanel, { ipc, tray, notifier, settings }: Connected): void {
  if (parts.isDisposed) return; // Asked to quit while servers.json was read.
  const updateTray = coalesce(systemClock, TRAY_WINDOW_MS, () => tray.update(panel.getSnapshot().servers));
  parts.add(() => updateTray.dispose());
  parts.add(ipc.forward(panel));
  // These two stay to the end: the terminal is told of the last stop as well.
  panel.onNotice((line) => terminal.notice(line));
  panel.onStateChange((change) => {
    terminal.state(stateLine(change));
    updateTray();
  });
  parts.add(panel.onFleetChange(updateTray));
  parts.add(panel.onEvent((event) => notifier.eventHappened(event)));
  settings.apply(panel.settings.current.settings);
  parts.add(panel.onSettings((changed) => settings.apply(changed)));
  const suspended = () => panel.suspended();
  const resumed = () => panel.resumed();
  powerMonitor.on('suspend', suspended).on('resume', resumed);
  parts.add(() => powerMonitor.off('suspend', suspended).off('resume', resumed));
  panel.start();
  updateTray();
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
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
