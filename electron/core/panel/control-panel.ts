import type { Approval } from '../../../shared/approvals.ts';
import type { PanelEvent, Push, Snapshot } from '../../../shared/domain.ts';
import type { LoopLateness } from '../../../shared/panel-figures.ts';
import type { Alert } from '../alerts/alert-words.ts';
import type { CurrentTask } from '../current-task.ts';
import type { QuitWay } from '../doorkeeper/stand-by.ts';
import type { StateChange } from './panel-signals.ts';
import type { PanelTopics } from './panel-topics.ts';

/** Interface of the core: requests by topic, and its events. */
export interface ControlPanel extends PanelTopics {
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
