import { thisMachine } from '../config/import/this-machine.ts';
import type { ControlPanel } from './control-panel.ts';
import { openFiles, type OpenedFiles } from './open-files.ts';
import { PanelLife } from './panel-life.ts';
import type { ControlPanelOptions } from './panel-options.ts';
import { diagnosticsOf } from '../diagnostics/collect-diagnostics.ts';
import { systemFacts } from '../platform/system-facts.ts';
import { AlertsTopic } from './topics/alerts.ts';
import { ApprovalsTopic } from './topics/approvals.ts';
import { ConsentTopic } from './topics/consent.ts';
import { EnginesTopic } from './topics/engines.ts';
import { EntriesTopic } from './topics/entries.ts';
import { OutputTopic } from './topics/output.ts';
import { ProcessesTopic } from './topics/processes.ts';
import { ServersTopic } from './topics/servers.ts';
import { SettingsTopic } from './topics/settings.ts';
import { SignInTopic } from './topics/sign-in.ts';
import { storyTopic } from './topics/story.ts';
import { wireParts, type PanelParts } from './wire-parts.ts';

/** Reads the files of the home folder and builds the core; `start` activates it. The caller disposes. */
export async function createPanel(options: ControlPanelOptions): Promise<ControlPanel> {
  const files = await openFiles(options);
  const parts = wireParts(options, files);
  const life = new PanelLife({ options, files, parts });
  const { currentTask, hub, loopWatch, signals } = parts;
  const { journal, notices } = files;
  return {
    ...createTopics(options, files, parts),
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

/** Requests of the window and the terminal, by topic. */
function createTopics(options: ControlPanelOptions, files: OpenedFiles, parts: PanelParts) {
  const { fleet, loopWatch, sessions, signals, supervisors, telemetry, views } = parts;
  const { journal } = files;
  const { source } = parts.history;
  const { clock, loginPath, parentEnvironment: parent, userHome, home: folder } = options;
  const { book: logs } = parts.logs;
  const machine = () => thisMachine({ parent, loginPath, clock, userHome, folder });
  return {
    servers: new ServersTopic(fleet, sessions, signals.sampled, (config) => supervisors.restartPods(config)),
    entries: new EntriesTopic({
      ...options,
      file: files.servers,
      ...{ fleet, sessions, folder, machine },
      isOwnEndpoint: files.ownEndpoint.isOwn,
      test: (config) => supervisors.test(config),
      startsAfter: options.startsAfter,
    }),
    engines: new EnginesTopic({ ...options, file: files.servers, machine }),
    consent: new ConsentTopic({
      consents: files.consents,
      file: files.servers,
      environment: parent,
      userHome,
    }),
    approvals: new ApprovalsTopic({ approvals: files.approvals, file: files.servers, source }),
    secrets: parts.secrets,
    signIn: new SignInTopic({ ...options, ...parts }),
    sessions: parts.sessionsTopic,
    settings: new SettingsTopic(files.settings, signals.settingsChanged),
    alerts: new AlertsTopic({ ...parts, settings: files.settings, store: files.secrets }),
    gateway: parts.gateway.topic,
    offeredTools: parts.gateway.offeredTools,
    programs: parts.programs,
    leftBehind: parts.leftBehind,
    output: new OutputTopic({
      ...parts,
      ...{ journal, clock, launchedAt: options.wallClock.epochMs() },
      logPage: (query) => logs.page(query),
    }),
    history: source,
    story: storyTopic(source, parts.trends),
    logs,
    diagnostics: diagnosticsOf({
      ...options,
      configs: () => files.servers.current.servers,
      views: () => views.all(),
      history: source,
      logPage: (query) => logs.page(query),
      loop: () => loopWatch?.lateness,
      systemFacts: () => systemFacts(parent),
      redact: (text) => journal.redactOnce(text),
    }),
    processes: new ProcessesTopic({
      ...options,
      ...{ fleet, sessions, telemetry },
      redact: (text) => journal.redactText(text),
    }),
  };
}
