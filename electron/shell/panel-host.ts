import { join } from 'node:path';
import { app, clipboard, powerMonitor } from 'electron';
import { version } from '../../package.json';
import { isEnded } from '../../shared/server-states.ts';
import { defaultSettings } from '../../shared/settings.ts';
import type { ShellNews } from '../../shared/shell-news.ts';
import { consentMode } from '../core/consent/consent-mode.ts';
import type { ControlPanel } from '../core/panel/control-panel.ts';
import { systemClock } from '../core/platform/system-clock.ts';
import { forkUtility } from './app/fork-utility.ts';
import { createAppUsage } from './app/app-usage.ts';
import { bridgeScript, doorkeeperStart } from './app/doorkeeper-start.ts';
import { openInBrowser } from './app/open-in-browser.ts';
import { createAppliedSettings, type AppliedSettings } from './app/apply-settings.ts';
import { isRelease } from './app/hardening.ts';
import { callsAtQuit, QuitAsker } from './app/quit-question.ts';
import { callHandlers } from './ipc/call-handlers.ts';
import { coalesce } from './tray/coalesce.ts';
import type { Disposable } from '../core/clock.ts';
import type { DisposeStack } from '../core/dispose-stack.ts';
import { Emitter } from '../core/emitter.ts';
import type { FirstLook } from './window/first-look.ts';
import { IpcServer } from './ipc/ipc-server.ts';
import { noteCommands, putAwayWords } from './notifications/by-hand.ts';
import { approvalWords } from './notifications/approval-words.ts';
import { Notifier } from './notifications/notifier.ts';
import { openPanel } from '../core/panel/open-panel.ts';
import { createPageCalls } from './ipc/page-calls.ts';
import type { PageOrigin } from './app/page-origin.ts';
import type { PanelTray } from './tray/panel-tray.ts';
import { askWhereToSave } from './window/ask-where-to-save.ts';
import { rowMenuItems } from './window/context-menu.ts';
import { copyPicture } from './window/copy-picture.ts';
import { saveFile } from './window/save-file.ts';
import type { PanelWindow, PutAway } from './window/panel-window.ts';
import type { OrderlyQuit, ReleaseOptions } from '../core/quit.ts';
import { redactRejections } from './ipc/redact-rejections.ts';
import { stateLine } from '../core/panel/state-line.ts';
import type { Terminal } from '../core/terminal.ts';
import { createUpdates } from './updates/create-updates.ts';

/** Milliseconds within which changes of several servers are merged into one update of the tray. */
const TRAY_WINDOW_MS = 100;
/** Milliseconds between updates of the menu's memory figure, which changes all the time and needs a new menu. */
const TRAY_FIGURES_MS = 30_000;

export interface PanelHostOptions {
  readonly home: string;
  readonly terminal: Terminal;
  readonly origin: PageOrigin;
  readonly window: PanelWindow;
  readonly tray: PanelTray;
  readonly firstLook: FirstLook;
  readonly releasing: ReleaseOptions;
  readonly quitter: OrderlyQuit;
  /** Parts disposed before the window. */
  readonly parts: DisposeStack;
  /** Parts disposed after the window, because stopping the servers takes time. */
  readonly coreParts: DisposeStack;
  readonly fail: (error: unknown) => void;
}

/** Functions of the panel that the app window and the tray use. */
export interface PanelHost {
  readonly panel: Promise<ControlPanel>;
  /** Whether closing the window keeps the panel running, by the user's setting. */
  readonly keepsRunning: () => boolean;
  /** Called when the user gave the server a command. */
  readonly commandedByHand: (server: string) => void;
  /** Called when the user gave all servers a command. */
  readonly allCommandedByHand: () => void;
  /** Returns whether to stop all servers. The user is asked if calls would be lost; a yes counts as the user's command. */
  readonly mayStopAll: () => Promise<boolean>;
  readonly pageEnded: () => void;
  /** Called when closing has hidden or minimised the window. */
  readonly windowPutAway: (away: PutAway) => void;
}

/**
 * Creates the panel behind the app window: the core, the calls of the page, notifications, settings. It is a module of its
 * own, which is loaded with its libraries while the app window opens.
 */
export function hostPanel(options: PanelHostOptions): PanelHost {
  const { parts, quitter, releasing, terminal, window } = options;
  const asksQuestions = process.env['MCP_CONTROL_PANEL_TEST'] !== '1';
  const panel = openCore(options, asksQuestions);
  const settings = createAppliedSettings({
    initial: defaultSettings,
    save: async (patch) => (await panel).settings.update(patch),
    notice: terminal.notice,
  });
  const notifier = openNotifier(options, settings);
  const news = new Emitter<ShellNews>();
  let ready: ControlPanel | undefined;
  const quitAsker = new QuitAsker({
    clock: systemClock,
    asksQuestions,
    atStake: () => callsAtQuit(calls.count(), ready?.gateway.listClients() ?? []),
    show: () => {
      window.show();
      news.emit({ kind: 'quit-asked' });
    },
  });
  parts.add(() => quitAsker.dispose());
  const calls = createPageCalls(
    callHandlers(panel, {
      updates: createUpdates(releasing),
      app: appCalls(options, { panel, settings, notifier, quitAsker }),
    }),
  );
  const commandedByHand = (server: string) => notifier.commandedByHand(server);
  const ipc = serveCalls(options, panel, noteCommands(calls.handlers, commandedByHand));
  panel
    .then((opened) => {
      ready = opened;
      connect(options, opened, { ipc, news, notifier, settings });
    })
    .catch(options.fail);
  quitter.askFirst(() => quitAsker.may('quit'));
  // A session that ends may leave no time for later steps. A run from source leaves no doorkeeper.
  quitter.whenBegun((way) => ready?.quitBegins(app.isPackaged ? way : 'end'));
  const allCommandedByHand = () => ready?.getSnapshot().servers.forEach(({ name }) => commandedByHand(name));
  return {
    panel,
    mayStopAll: async () => {
      const may = await quitAsker.may('stop-all');
      if (may) allCommandedByHand();
      return may;
    },
    keepsRunning: () => settings.current().closeToTray,
    commandedByHand,
    allCommandedByHand,
    pageEnded: () => {
      calls.cancelAll();
      quitAsker.pageEnded();
    },
    windowPutAway: ({ how, isNews }) => {
      if (how === 'minimised') news.emit({ kind: 'minimised' });
      if (isNews) notifier.show(putAwayWords(how, countUp(ready)));
    },
  };
}

function openCore(
  { coreParts, firstLook, home, terminal }: PanelHostOptions,
  asksQuestions: boolean,
): Promise<ControlPanel> {
  return openPanel({
    home,
    appVersion: version,
    electronVersion: process.versions.electron,
    asksQuestions,
    consent: consentMode(process.env, !isRelease()),
    parts: coreParts,
    storeWorker: join(import.meta.dirname, 'store-worker.cjs'),
    logsWorker: join(import.meta.dirname, 'logs-worker.cjs'),
    messageWorker: join(import.meta.dirname, 'message-worker.cjs'),
    startKeyringHelper: () => forkUtility(join(import.meta.dirname, 'keyring-helper.cjs')),
    // An AppImage is mounted somewhere else at each start.
    bridgeScript: process.env['APPIMAGE'] === undefined ? bridgeScript() : undefined,
    doorkeeper: doorkeeperStart(),
    ...(asksQuestions && { openBrowser: openInBrowser }),
    startsAfter: firstLook.over,
    notice: terminal.notice,
  });
}

function openNotifier({ parts, terminal, window }: PanelHostOptions, settings: AppliedSettings): Notifier {
  const notifications = () => {
    const { notifications: wanted, alerts } = settings.current();
    return { ...wanted, rules: alerts.rules };
  };
  const notifier = new Notifier({
    ...{ clock: systemClock, settings: notifications, window },
    notice: terminal.notice,
  });
  parts.add(() => notifier.dispose());
  return notifier;
}

function serveCalls(
  { firstLook, origin, parts, terminal, window }: PanelHostOptions,
  panel: Promise<ControlPanel>,
  handlers: ReturnType<typeof noteCommands>,
): IpcServer {
  const ipc = new IpcServer({
    handlers: redactRejections(handlers, async (text) => (await panel).redactText(text)),
    origin,
    window: () => window.browserWindow,
    onAnswered: (name) => name === 'getSnapshot' && firstLook.snapshotGiven(),
    report: terminal.notice,
  });
  parts.add(() => ipc.dispose());
  return ipc;
}

interface AppCallParts {
  readonly panel: Promise<ControlPanel>;
  readonly settings: AppliedSettings;
  readonly notifier: Notifier;
  readonly quitAsker: QuitAsker;
}

/** Calls of the page that the app answers instead of the core. */
function appCalls(
  { window }: PanelHostOptions,
  { panel, settings, notifier, quitAsker }: AppCallParts,
): Parameters<typeof callHandlers>[1]['app'] {
  const appUsage = createAppUsage();
  return {
    figures: async () => ({ ...(await appUsage.look()), loop: (await panel).loopLateness() }),
    quitQuestion: () => quitAsker.taken(),
    answerQuit: (isYes) => quitAsker.answer(isYes),
    zoom: (step) => window.zoom(step),
    rowMenu: (row) => window.showMenu(rowMenuItems(row, (text) => void clipboard.writeText(text))),
    saveFile: (file) => saveFile(file, (name) => askWhereToSave(name, window.browserWindow)),
    copyPicture,
    systemState: async () => ({
      startAtLogin: await settings.loginState(),
      ...(notifier.problem !== undefined && { notificationProblem: notifier.problem }),
    }),
  };
}

/** Returns the number of servers that keep running without the window. */
const countUp = (panel: ControlPanel | undefined): number =>
  panel?.getSnapshot().servers.filter(({ state }) => !isEnded(state.kind)).length ?? 0;

interface Connected {
  readonly ipc: IpcServer;
  readonly news: Emitter<ShellNews>;
  readonly notifier: Notifier;
  readonly settings: AppliedSettings;
}

/** Connects the panel's events to the page, the tray and the terminal, and starts it. */
function connect(
  { parts, terminal, tray }: PanelHostOptions,
  panel: ControlPanel,
  { ipc, news, notifier, settings }: Connected,
): void {
  if (parts.isDisposed) return; // Quit was requested while servers.json was read.
  const updateTray = coalesce(systemClock, TRAY_WINDOW_MS, () => tray.update(panel.getSnapshot().servers));
  parts.add(() => updateTray.dispose());
  let figures: Disposable | undefined;
  const followFigures = () => {
    updateTray();
    figures = systemClock.setTimeout(followFigures, TRAY_FIGURES_MS);
  };
  parts.add(() => figures?.dispose());
  parts.add(
    ipc.forward({
      onPush: (listener) => panel.onPush(listener),
      onCallProgress: (listener) => panel.sessions.onProgress(listener),
      onShellNews: (listener) => news.subscribe(listener),
    }),
  );
  // These two stay to the end, so that the terminal also shows the last stop.
  panel.onNotice((line) => terminal.notice(line));
  panel.onStateChange((change) => {
    terminal.state(stateLine(change));
    updateTray();
  });
  parts.add(panel.onFleetChange(updateTray));
  parts.add(panel.onEvent((event) => notifier.eventHappened(event)));
  parts.add(panel.onAlert((alert) => notifier.alert(alert)));
  parts.add(panel.onApprovalAsked((asked) => notifier.show(approvalWords(asked))));
  settings.launched(panel.settings.current);
  parts.add(panel.settings.onChange((changed) => settings.apply(changed)));
  const suspended = () => panel.suspended();
  const resumed = () => panel.resumed();
  powerMonitor.on('suspend', suspended).on('resume', resumed);
  parts.add(() => powerMonitor.off('suspend', suspended).off('resume', resumed));
  panel.start();
  followFigures();
}
