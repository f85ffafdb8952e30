import { systemFacts } from '../platform/system-facts.ts';
import { diagnosticsOf } from '../diagnostics/collect-diagnostics.ts';
import { thisMachine } from '../config/import/this-machine.ts';
import { AlertsTopic } from './topics/alerts.ts';
import { ApprovalsTopic } from './topics/approvals.ts';
import { ConsentTopic } from './topics/consent.ts';
import { EnginesTopic } from './topics/engines.ts';
import { EntriesTopic } from './topics/entries.ts';
import { OutputTopic } from './topics/output.ts';
import { ProcessesTopic } from './topics/processes.ts';
import { ServersTopic } from './topics/servers.ts';
import { settingsTopic } from './topics/settings.ts';
import { signInTopic } from './topics/sign-in.ts';
import { storyTopic } from './topics/story.ts';
import type { OpenedFiles } from './open-files.ts';
import type { ControlPanelOptions } from './panel-options.ts';
import type { PanelParts } from './wire-parts.ts';

export type PanelTopics = ReturnType<typeof createTopics>;

/** Requests of the window and the terminal, by topic. */
export function createTopics(options: ControlPanelOptions, files: OpenedFiles, parts: PanelParts) {
  const { fleet, loopWatch, sessions, signals, supervisors, telemetry, views } = parts;
  const { journal } = files;
  const { source } = parts.history;
  const { clock, parentEnvironment: parent, userHome, home: folder } = options;
  const { book: logs } = parts.logs;
  const machine = () => thisMachine(options);
  return {
    servers: new ServersTopic(fleet, sessions, signals.sampled, (config) => supervisors.restartPods(config)),
    entries: new EntriesTopic({
      ...options,
      file: files.servers,
      ...{ fleet, sessions, folder, machine },
      isOwnEndpoint: files.ownEndpoint.isOwn,
      test: (config) => supervisors.test(config),
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
    signIn: signInTopic({ ...options, ...parts }),
    sessions: parts.sessionsTopic,
    settings: settingsTopic(files.settings, signals.settingsChanged),
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
