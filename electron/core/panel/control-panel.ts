import type { Approval } from '../../../shared/approvals.ts';
import type { PanelEvent, Push, ServerStateView, Snapshot } from '../../../shared/domain.ts';
import type { CallAnswers } from '../../../shared/ipc/call.ts';
import type { Answerers } from '../../../shared/ipc/topics.ts';
import type { sessionsCalls } from '../../../shared/ipc/topics/sessions.ts';
import type { LoopLateness } from '../../../shared/panel-figures.ts';
import type { Alert } from '../alerts/alert-words.ts';
import type { CurrentTask } from '../current-task.ts';
import type { LogBook } from '../logs/log-book.ts';
import type { QuitWay } from '../doorkeeper/stand-by.ts';
import type { AlertsTopic } from './topics/alerts.ts';
import type { ApprovalsTopic } from './topics/approvals.ts';
import type { ConsentTopic } from './topics/consent.ts';
import type { EnginesTopic } from './topics/engines.ts';
import type { EntriesTopic } from './topics/entries.ts';
import type { GatewayTopic } from './topics/gateway.ts';
import type { LeftBehindTopic } from './topics/left-behind.ts';
import type { OfferedToolsTopic } from './topics/offered-tools.ts';
import type { OutputTopic } from './topics/output.ts';
import type { ProcessesTopic } from './topics/processes.ts';
import type { ProgramsTopic } from './topics/programs.ts';
import type { SecretsTopic } from './topics/secrets.ts';
import type { ServersTopic } from './topics/servers.ts';
import type { SignInTopic } from './topics/sign-in.ts';
import type { SessionsTopic } from './topics/sessions.ts';
import type { SettingsTopic } from './topics/settings.ts';

export interface StateChange {
  readonly at: number;
  readonly server: string;
  readonly state: ServerStateView;
}

/** Interface of the core: requests by topic, and its events. */
export interface ControlPanel {
  /** Commands to servers: start, stop, restart. */
  readonly servers: ServersTopic;
  /** The entries of servers.json. */
  readonly entries: EntriesTopic;
  /** Container engines of this machine. */
  readonly engines: EnginesTopic;
  /** Consent to definitions from outside the panel. */
  readonly consent: ConsentTopic;
  /** Calls of clients that wait for a person, and all that there were. */
  readonly approvals: ApprovalsTopic;
  /** Secrets that the entries refer to. */
  readonly secrets: SecretsTopic;
  /** Sign-ins of remote servers. */
  readonly signIn: SignInTopic;
  /** Sessions of servers, and calls to them. */
  readonly sessions: Pick<SessionsTopic, keyof CallAnswers<typeof sessionsCalls> | 'onProgress'>;
  /** Settings of settings.json. */
  readonly settings: SettingsTopic;
  /** Rules of alerts, and their channel. */
  readonly alerts: AlertsTopic;
  /** Gateway endpoint, and its clients. */
  readonly gateway: GatewayTopic;
  /** What servers say of their tools, beside what a person accepted. */
  readonly offeredTools: OfferedToolsTopic;
  /** Servers of other programs. */
  readonly programs: ProgramsTopic;
  /** Processes that clients left behind. */
  readonly leftBehind: LeftBehindTopic;
  /** Output of servers to stderr, and their resource use. */
  readonly output: OutputTopic;
  readonly history: Answerers['history'];
  readonly story: Answerers['story'];
  readonly logs: Pick<LogBook, 'page' | 'find' | 'content'>;
  readonly diagnostics: Answerers['diagnostics'];
  /** Processes of servers. */
  readonly processes: ProcessesTopic;
  /** Applies servers.json and starts the automatic servers. Called once, after the listeners are subscribed. */
  start(): void;
  getSnapshot(): Snapshot;
  /**
   * Subscribes to pushes: figures are sent with each tick, everything else a moment after it changed. Returns the unsubscribe
   * function.
   */
  onPush(listener: (push: Push) => void): () => void;
  /**
   * Subscribes to every single state change, at once and in order, also to changes that a push merges. Returns the unsubscribe
   * function.
   */
  onStateChange(listener: (change: StateChange) => void): () => void;
  /** Reports every event at once, whether a window is visible or not. Returns the unsubscribe function. */
  onEvent(listener: (event: PanelEvent) => void): () => void;
  /** Reports that servers were added, removed or reconfigured. Returns the unsubscribe function. */
  onFleetChange(listener: () => void): () => void;
  /** Reports each alert for the desktop. Returns the unsubscribe function. */
  onAlert(listener: (alert: Alert) => void): () => void;
  /** Reports each call that begins to wait for a person. Returns the unsubscribe function. */
  onApprovalAsked(listener: (asked: Approval) => void): () => void;
  /** Reports notices for the terminal: configuration errors, force-killed processes. One line each. Returns the unsubscribe function. */
  onNotice(listener: (line: string) => void): () => void;
  /** Redacts secrets of the configuration, and texts that look like secrets. */
  readonly redactText: (text: string) => string;
  /** Marks work of one event-loop tick that may take long, so that a delay can be explained. */
  readonly currentTask: CurrentTask;
  /** Delay of the event loop in the last minute; undefined before a sample was taken, and when the delay is not measured. */
  loopLateness(): LoopLateness | undefined;
  /** Called before the machine sleeps. */
  suspended(): void;
  /**
   * Called after the machine slept: silence while it slept does not count, and servers that were given up are tried once more.
   */
  resumed(): void;
  /**
   * Sets whether the app window is visible: a visible window gets pushes, and samples every second; a hidden window gets
   * neither.
   */
  setWindowVisible(isVisible: boolean): void;
  /**
   * Called before the panel ends. The end of this app run is on disk when this returns, whatever follows. Idempotent.
   * @param how `quit` if a person has quit the panel; `end` if all that serves its clients ends as well
   */
  quitBegins(how: QuitWay): void;
  /** Stops every server and releases all resources. Bounded by the longest stop sequence. Idempotent. */
  dispose(): Promise<void>;
}
