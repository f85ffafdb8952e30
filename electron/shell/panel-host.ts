import { app, nativeTheme, powerMonitor } from 'electron';
import { isEnded } from '../../shared/server-states.ts';
import type { ShellNews } from '../../shared/shell-news.ts';
import type { Disposable } from '../core/clock.ts';
import type { DisposeStack } from '../core/dispose-stack.ts';
import { Emitter } from '../core/emitter.ts';
import type { ControlPanel } from '../core/panel/control-panel.ts';
import { stateLine } from '../core/panel/state-line.ts';
import { systemClock } from '../core/platform/system-clock.ts';
import type { OrderlyQuit, ReleaseOptions } from '../core/quit.ts';
import type { Terminal } from '../core/terminal.ts';
import { answersOfShell } from './app-calls.ts';
import type { LinkInbox } from './app/app-link.ts';
import { AppliedSettings } from './app/apply-settings.ts';
import { lookAtLoginItem, setStartAtLogin } from './app/login-item.ts';
import { openCore } from './app/open-core.ts';
import type { PageOrigin } from './app/page-origin.ts';
import { callsAtQuit, QuitAsker } from './app/quit-question.ts';
import { callHandlers, createPageCalls, noteCommands, type PageCalls } from './ipc/call-handlers.ts';
import { IpcServer } from './ipc/ipc-server.ts';
import { approvalWords, putAwayWords } from './notifications/notification-words.ts';
import { Notifier } from './notifications/notifier.ts';
import { coalesce } from './tray/coalesce.ts';
import type { PanelTray } from './tray/panel-tray.ts';
import type { FirstLook } from './window/first-look.ts';
import type { PanelWindow, PutAway } from './window/panel-window.ts';

/** Milliseconds within which changes of several servers are merged into one update of the tray. */
const TRAY_WINDOW_MS = 100;
/** Milliseconds between updates of the memory figure, which changes constantly; each change rebuilds the whole tray menu. */
const TRAY_FIGURES_MS = 30_000;

/** Dependencies of every part of this process. */
export interface Shell {
  readonly home: string;
  readonly terminal: Terminal;
  readonly origin: PageOrigin;
  /** Parts built so far, disposed in reverse order. */
  readonly parts: DisposeStack;
  /** Options for disposing of all parts before the process ends. */
  readonly releasing: ReleaseOptions;
  readonly quitter: OrderlyQuit;
  readonly links: LinkInbox;
  /** Reports a fatal error and ends with exit code 1. */
  readonly fail: (error: unknown) => void;
}

interface PanelHostOptions extends Omit<Shell, 'links'> {
  readonly window: PanelWindow;
  readonly tray: PanelTray;
  readonly firstLook: FirstLook;
  /** Parts that are disposed of after the window, because stopping the servers takes time. */
  readonly coreParts: DisposeStack;
}

/**
 * The panel behind the app window: the core, the page's calls, notifications and settings. It is a separate module, so that it
 * and its libraries are loaded while the app window opens.
 */
export class PanelHost {
  readonly panel: Promise<ControlPanel>;
  readonly #options: PanelHostOptions;
  readonly #settings: AppliedSettings;
  readonly #notifier: Notifier;
  readonly #quitAsker: QuitAsker;
  readonly #calls: PageCalls;
  readonly #ipc: IpcServer;
  readonly #news = new Emitter<ShellNews>();
  #ready: ControlPanel | undefined;

  constructor(options: PanelHostOptions) {
    const { parts, quitter, releasing, terminal, window } = options;
    const asksQuestions = process.env['MCP_CONTROL_PANEL_TEST'] !== '1';
    const panel = openCore({
      home: options.home,
      asksQuestions,
      parts: options.coreParts,
      startsAfter: options.firstLook.over,
      notice: terminal.notice,
    });
    this.#options = options;
    this.panel = panel;
    const { platform, execPath: executablePath, env: environment } = process;
    const login = { app, platform, executablePath, environment };
    this.#settings = new AppliedSettings({
      item: { look: () => lookAtLoginItem(login), set: (isOn) => setStartAtLogin(isOn, login) },
      platform,
      setTheme: (theme) => (nativeTheme.themeSource = theme),
      save: async (patch) => (await panel).settings.update(patch),
      notice: terminal.notice,
    });
    this.#notifier = this.#openNotifier();
    this.#quitAsker = new QuitAsker({
      clock: systemClock,
      asksQuestions,
      atStake: () => callsAtQuit(this.#calls.count(), this.#ready?.gateway.listClients() ?? []),
      show: () => {
        window.show();
        this.#news.emit({ kind: 'quit-asked' });
      },
    });
    parts.add(() => this.#quitAsker.dispose());
    const [settings, notifier, quitAsker] = [this.#settings, this.#notifier, this.#quitAsker];
    const own = answersOfShell({ releasing, panel, window, settings, notifier, quitAsker });
    this.#calls = createPageCalls(callHandlers(panel, own));
    this.#ipc = this.#serveCalls();
    panel.then((opened) => this.#opened(opened)).catch(options.fail);
    quitter.askFirst(() => quitAsker.may('quit'));
    // The core is informed at the very beginning of a quit, because the end of the user's session may leave no time later. A
    // run from source passes 'end', so that it leaves no doorkeeper process running.
    quitter.whenBegun((way) => this.#ready?.quitBegins(app.isPackaged ? way : 'end'));
  }

  /** Whether the panel keeps running when the window is closed, according to the user's setting. */
  get keepsRunning(): boolean {
    return this.#settings.current.closeToTray;
  }

  /** Called when the user has given the server a command, to suppress notifications about the server for a short time. */
  commandedByHand(server: string): void {
    this.#notifier.commandedByHand(server);
  }

  /** Called when the user gave all servers a command. */
  allCommandedByHand(): void {
    this.#ready?.getSnapshot().servers.forEach(({ name }) => this.commandedByHand(name));
  }

  /** Returns whether to stop all servers. The user is asked if calls would be lost; a yes counts as a command of the user. */
  async mayStopAll(): Promise<boolean> {
    const may = await this.#quitAsker.may('stop-all');
    if (may) this.allCommandedByHand();
    return may;
  }

  pageEnded(): void {
    this.#calls.cancelAll();
    this.#quitAsker.pageEnded();
  }

  /** Called when closing has hidden or minimised the window. */
  windowPutAway({ how, isNews }: PutAway): void {
    if (how === 'minimised') this.#news.emit({ kind: 'minimised' });
    if (isNews) this.#notifier.show(putAwayWords(how, countUp(this.#ready)));
  }

  #openNotifier(): Notifier {
    const { parts, terminal, window } = this.#options;
    const settings = () => {
      const { notifications, alerts } = this.#settings.current;
      return { ...notifications, rules: alerts.rules };
    };
    const notifier = new Notifier({ clock: systemClock, settings, window, notice: terminal.notice });
    parts.add(() => notifier.dispose());
    return notifier;
  }

  #serveCalls(): IpcServer {
    const { firstLook, origin, parts, terminal, window } = this.#options;
    const ipc = new IpcServer({
      handlers: noteCommands(this.#calls.handlers, (server) => this.commandedByHand(server)),
      redact: async (text) => (await this.panel).redactText(text),
      origin,
      window: () => window.browserWindow,
      onAnswered: (name) => name === 'getSnapshot' && firstLook.snapshotGiven(),
      report: terminal.notice,
    });
    parts.add(() => ipc.dispose());
    return ipc;
  }

  /** Connects the panel's events to the page, the tray and the terminal, and starts the panel. */
  #opened(panel: ControlPanel): void {
    this.#ready = panel;
    const { parts, terminal, tray } = this.#options;
    const [notifier, settings] = [this.#notifier, this.#settings];
    if (parts.isDisposed) return; // Quit was requested while servers.json was being read.
    const updateTray = coalesce(systemClock, TRAY_WINDOW_MS, () => tray.update(panel.getSnapshot().servers));
    parts.add(() => updateTray.dispose());
    let figures: Disposable | undefined;
    const followFigures = () => {
      updateTray();
      figures = systemClock.setTimeout(followFigures, TRAY_FIGURES_MS);
    };
    parts.add(() => figures?.dispose());
    parts.add(
      this.#ipc.forward({
        onPush: (listener) => panel.onPush(listener),
        onCallProgress: (listener) => panel.sessions.onProgress(listener),
        onShellNews: (listener) => this.#news.subscribe(listener),
      }),
    );
    // These two listeners are not disposed of with the other parts, so that the terminal also shows how the last servers stop.
    panel.onNotice((line) => terminal.notice(line));
    panel.onStateChange((change) => {
      terminal.state(stateLine(change));
      updateTray();
    });
    parts.add(panel.onFleetChange(updateTray));
    parts.add(panel.onEvent((event) => notifier.eventHappened(event)));
    parts.add(panel.onAlert((alert) => notifier.alert(alert)));
    parts.add(panel.onApprovalAsked((asked) => notifier.show(approvalWords(asked))));
    void settings.launched(panel.settings.current);
    parts.add(panel.settings.onChange((changed) => void settings.apply(changed)));
    const suspended = () => panel.suspended();
    const resumed = () => panel.resumed();
    powerMonitor.on('suspend', suspended).on('resume', resumed);
    parts.add(() => powerMonitor.off('suspend', suspended).off('resume', resumed));
    panel.start();
    followFigures();
  }
}

/** Returns the number of servers that keep running without the window. */
const countUp = (panel: ControlPanel | undefined): number =>
  panel?.getSnapshot().servers.filter(({ state }) => !isEnded(state.kind)).length ?? 0;
