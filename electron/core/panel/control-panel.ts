import type { PanelEvent, Push, ServerStateView, Snapshot } from '../../../shared/domain.ts';
import type { CallAnswers } from '../../../shared/ipc/call.ts';
import type { sessionsCalls } from '../../../shared/ipc/topics/sessions.ts';
import type { LoopLateness } from '../../../shared/panel-figures.ts';
import type { CurrentTask } from '../current-task.ts';
import type { DiagnosticsTopic } from './topics/diagnostics.ts';
import type { EntriesTopic } from './topics/entries.ts';
import type { GatewayTopic } from './topics/gateway.ts';
import type { HistoryTopic } from './topics/history.ts';
import type { LogsTopic } from './topics/logs.ts';
import type { OutputTopic } from './topics/output.ts';
import type { ProcessesTopic } from './topics/processes.ts';
import type { ServersTopic } from './topics/servers.ts';
import type { StoryTopic } from './topics/story.ts';
import type { SessionsTopic } from './topics/sessions.ts';
import type { SettingsTopic } from './topics/settings.ts';

export interface StateChange {
  readonly at: number;
  readonly server: string;
  readonly state: ServerStateView;
}

/** What is asked of the core, a file per topic, and what it tells by itself. */
export interface ControlPanel {
  /** Start, stop, restart. */
  readonly servers: ServersTopic;
  /** The entries of servers.json. */
  readonly entries: EntriesTopic;
  /** Who uses which server, and calls to them. */
  readonly sessions: Pick<SessionsTopic, keyof CallAnswers<typeof sessionsCalls> | 'onProgress'>;
  /** settings.json: what a person decides about the panel itself. */
  readonly settings: SettingsTopic;
  /** The endpoint for other programs, and who may use it. */
  readonly gateway: GatewayTopic;
  /** What servers wrote to stderr, and what they cost. */
  readonly output: OutputTopic;
  readonly history: HistoryTopic;
  readonly story: StoryTopic;
  readonly logs: LogsTopic;
  readonly diagnostics: DiagnosticsTopic;
  /** The processes that servers consist of. */
  readonly processes: ProcessesTopic;
  /** Applies servers.json and starts what is to start by itself. Called once, after the listeners are on. */
  start(): void;
  getSnapshot(): Snapshot;
  /** Figures with each tick, everything else a moment after it changed. Returns the undo. */
  onPush(listener: (push: Push) => void): () => void;
  /** Every single state change, at once and in order, also those that a push merges. Returns the undo. */
  onStateChange(listener: (change: StateChange) => void): () => void;
  /** Every event, at once and whether a window is visible or not. Returns the undo. */
  onEvent(listener: (event: PanelEvent) => void): () => void;
  /** Servers came, went or were set up differently. Returns the undo. */
  onFleetChange(listener: () => void): () => void;
  /** Notices for the terminal: configuration errors, force-killed processes. One line each. Returns the undo. */
  onNotice(listener: (line: string) => void): () => void;
  /** The text without the secrets of the configuration, and without what looks like one. */
  readonly redactText: (text: string) => string;
  /** Whoever does something for the panel in one turn that may take long marks it here. */
  readonly currentTask: CurrentTask;
  /** How late the main loop was in the last minute; undefined before the first look, and where nobody watches. */
  loopLateness(): LoopLateness | undefined;
  /** The machine is about to sleep. */
  suspended(): void;
  /** The machine was asleep: no silence of that time counts, and what was given up is tried once more. */
  resumed(): void;
  /** A visible window wants samples every second and pushes; a hidden one gets none. */
  setWindowVisible(isVisible: boolean): void;
  /** The panel is about to end. That it did so in order is on disk when this returns, whatever becomes of it next. Idempotent. */
  quitBegins(): void;
  /** Stops every server and releases everything. Bounded by the longest stop sequence. Idempotent. */
  dispose(): Promise<void>;
}
