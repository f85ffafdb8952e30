import type { ControlPanel } from './control-panel.ts';
import { openFiles } from './open-files.ts';
import { PanelLife } from './panel-life.ts';
import type { ControlPanelOptions } from './panel-options.ts';
import { createTopics } from './panel-topics.ts';
import { wireParts } from './wire-parts.ts';

/** Reads the files of the home folder and builds the core; `start` activates it. The caller disposes. */
export async function createPanel(options: ControlPanelOptions): Promise<ControlPanel> {
  const files = await openFiles(options);
  const parts = wireParts(options, files);
  const life = new PanelLife(parts);
  const { currentTask, hub, loopWatch, signals } = parts;
  const { journal, notices } = files;
  return {
    ...createTopics(parts),
    start: () => life.start(),
    getSnapshot: () => {
      // Pending changes are sent first, so that no push repeats a part of the snapshot.
      hub.flush();
      const { appVersion, electronVersion, asksQuestions, machine } = options;
      return {
        sequence: hub.sequence,
        appVersion,
        electronVersion,
        asksQuestions,
        ...(machine !== undefined && { machine }),
        config: parts.configStatus(),
        servers: parts.views.all(),
        approvals: [...files.approvals.waiting],
        events: [...journal.events],
      };
    },
    onPush: (listener) =>
      hub.pushed.subscribe((push) => currentTask.run('tell-window', undefined, () => listener(push))),
    onStateChange: (listener) => signals.stateChanged.subscribe(listener),
    onEvent: (listener) => journal.onEvent(listener),
    onFleetChange: (listener) => signals.fleetChanged.subscribe(listener),
    onAlert: (listener) => parts.alerts.desktop.subscribe(listener),
    onApprovalAsked: (listener) => files.approvals.asked.subscribe(listener),
    onNotice: (listener) => notices.subscribe(listener),
    redactText: (text) => journal.redactText(text),
    currentTask,
    loopLateness: () => loopWatch?.lateness,
    suspended: () => parts.causes.suspended(),
    resumed: () => life.resumed(),
    setWindowVisible: (isVisible) => hub.setOpen(isVisible),
    quitBegins: (how) => life.quitBegins(how),
    dispose: () => life.dispose(),
  };
}
