import type { Approval } from '../../../shared/approvals.ts';
import type { PanelEvent, Push, Snapshot } from '../../../shared/domain.ts';
import type { Alert } from '../alerts/alert-words.ts';
import type { QuitWay } from '../doorkeeper/stand-by.ts';
import { openFiles } from './open-files.ts';
import { PanelLife } from './panel-life.ts';
import type { ControlPanelOptions } from './panel-options.ts';
import type { StateChange } from './panel-signals.ts';
import { createTopics } from './panel-topics.ts';
import { type PanelParts, wireParts } from './wire-parts.ts';

/**
 * Interface of the core: requests grouped by topic, and subscriptions to events. Each subscription returns its unsubscribe
 * function.
 */
export type ControlPanel = Awaited<ReturnType<typeof createPanel>>;

/**
 * Reads the files of the home folder and builds the core. Nothing runs before `start` is called. The caller must dispose of the
 * core.
 */
export async function createPanel(options: ControlPanelOptions) {
  const files = await openFiles(options);
  const parts = wireParts(options, files);
  const life = new PanelLife(parts);
  const { currentTask, hub, loopWatch, signals } = parts;
  const { journal, notices } = files;
  return {
    ...createTopics(parts),
    /** Applies servers.json and starts servers with automatic start. Called once, after the listeners have subscribed. */
    start: () => life.start(),
    getSnapshot: () => snapshotOf(parts),
    /** Subscribes to updates for the app window: measured values once per second, every other change soon after it happens. */
    onPush: (listener: (push: Push) => void) =>
      hub.pushed.subscribe((push) => currentTask.run('tell-window', undefined, () => listener(push))),
    /**
     * Subscribes to every state change of a server. Each change is reported immediately and in order, even if a push combines
     * several.
     */
    onStateChange: (listener: (change: StateChange) => void) => signals.stateChanged.subscribe(listener),
    /** Subscribes to events. Each event is reported immediately, whether the window is visible or not. */
    onEvent: (listener: (event: PanelEvent) => void) => journal.onEvent(listener),
    /** Subscribes to changes of the set of servers: some were added, removed or reconfigured. */
    onFleetChange: (listener: () => void) => signals.fleetChanged.subscribe(listener),
    /** Subscribes to alerts that are shown as desktop notifications. */
    onAlert: (listener: (alert: Alert) => void) => parts.alerts.desktop.subscribe(listener),
    /** Subscribes to calls that begin to wait for the user's approval. */
    onApprovalAsked: (listener: (asked: Approval) => void) => files.approvals.asked.subscribe(listener),
    /** Subscribes to notices for the terminal, one line each, such as configuration errors and force-killed processes. */
    onNotice: (listener: (line: string) => void) => notices.subscribe(listener),
    /** Redacts the secrets of the configuration and any text that looks like a secret. */
    redactText: (text: string) => journal.redactText(text),
    /** Records what the panel is doing in the current event-loop tick, so that a delay of the event loop can be explained. */
    currentTask,
    /** Delay of the event loop in the last minute; undefined before the first sample, and if the delay is not measured. */
    loopLateness: () => loopWatch?.lateness,
    /** Called before the machine sleeps. */
    suspended: () => parts.causes.suspended(),
    /**
     * Called after the machine has slept. The time of the sleep does not count as silence of a server, and servers for which
     * the panel had given up restarting are tried once more.
     */
    resumed: () => life.resumed(),
    /** Sets whether the app window is visible. Only for a visible window are pushes sent and processes sampled every second. */
    setWindowVisible: (isVisible: boolean) => hub.setOpen(isVisible),
    /**
     * Called before the panel ends. When this returns, the end of this app run has been recorded on disk, so that it is known
     * even if the panel is killed afterwards. Idempotent.
     * @param how `quit` if the user has quit the panel; `end` if the doorkeeper, which keeps the gateway's port while the panel
     * is not running, is to end as well
     */
    quitBegins: (how: QuitWay) => life.quitBegins(how),
    /**
     * Stops every server and releases all resources. Takes at most as long as the longest stop sequence of a server.
     * Idempotent.
     */
    dispose: () => life.dispose(),
  };
}

function snapshotOf({ configStatus, files, hub, options, views }: PanelParts): Snapshot {
  // Sends the pending changes first, so that no later push repeats changes that are part of the snapshot.
  hub.flush();
  const { appVersion, electronVersion, asksQuestions, machine } = options;
  return {
    sequence: hub.sequence,
    appVersion,
    electronVersion,
    asksQuestions,
    ...(machine !== undefined && { machine }),
    config: configStatus(),
    servers: views.all(),
    approvals: [...files.approvals.waiting],
    events: [...files.journal.events],
  };
}
