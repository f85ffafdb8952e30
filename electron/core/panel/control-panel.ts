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

/** Interface of the core: requests by topic, and its events. Each subscription returns its unsubscribe function. */
export type ControlPanel = Awaited<ReturnType<typeof createPanel>>;

/** Reads the files of the home folder and builds the core; `start` activates it. The caller disposes it. */
export async function createPanel(options: ControlPanelOptions) {
  const files = await openFiles(options);
  const parts = wireParts(options, files);
  const life = new PanelLife(parts);
  const { currentTask, hub, loopWatch, signals } = parts;
  const { journal, notices } = files;
  return {
    ...createTopics(parts),
    /** Applies servers.json and starts the servers with automatic start. Called once, after the listeners are subscribed. */
    start: () => life.start(),
    getSnapshot: () => snapshotOf(parts),
    /** Subscribes to pushes: figures are sent with each tick, everything else a moment after it changed. */
    onPush: (listener: (push: Push) => void) =>
      hub.pushed.subscribe((push) => currentTask.run('tell-window', undefined, () => listener(push))),
    /** Subscribes to every single state change, immediately and in order, including changes that a push merges. */
    onStateChange: (listener: (change: StateChange) => void) => signals.stateChanged.subscribe(listener),
    /** Reports every event immediately, whether a window is visible or not. */
    onEvent: (listener: (event: PanelEvent) => void) => journal.onEvent(listener),
    /** Reports that servers were added, removed or reconfigured. */
    onFleetChange: (listener: () => void) => signals.fleetChanged.subscribe(listener),
    /** Reports each alert for the desktop. */
    onAlert: (listener: (alert: Alert) => void) => parts.alerts.desktop.subscribe(listener),
    /** Reports each call that begins to wait for the user. */
    onApprovalAsked: (listener: (asked: Approval) => void) => files.approvals.asked.subscribe(listener),
    /** Reports notices for the terminal: configuration errors, force-killed processes. One line each. */
    onNotice: (listener: (line: string) => void) => notices.subscribe(listener),
    /** Redacts secrets of the configuration, and texts that look like secrets. */
    redactText: (text: string) => journal.redactText(text),
    /** Records which work of one event-loop tick may take long, so that a delay can be explained. */
    currentTask,
    /** Delay of the event loop in the last minute; undefined before a sample was taken, and if the delay is not measured. */
    loopLateness: () => loopWatch?.lateness,
    /** Called before the machine sleeps. */
    suspended: () => parts.causes.suspended(),
    /**
     * Called after the machine slept. Silence during the sleep does not count, and servers that were given up are tried once
     * more.
     */
    resumed: () => life.resumed(),
    /**
     * Sets whether the app window is visible: a visible window gets pushes, and samples every second; a hidden window gets
     * neither.
     */
    setWindowVisible: (isVisible: boolean) => hub.setOpen(isVisible),
    /**
     * Called before the panel ends. The end of this app run is on disk when this returns, whatever follows. Idempotent.
     * @param how `quit` if the user has quit the panel; `end` if everything that serves its clients ends as well
     */
    quitBegins: (how: QuitWay) => life.quitBegins(how),
    /** Stops every server and releases all resources. Bounded by the longest stop sequence. Idempotent. */
    dispose: () => life.dispose(),
  };
}

function snapshotOf({ configStatus, files, hub, options, views }: PanelParts): Snapshot {
  // Pending changes are sent first, so that no push repeats a part of the snapshot.
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
