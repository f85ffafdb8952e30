import { systemFacts } from '../platform/system-facts.ts';
import { diagnosticsOf } from '../diagnostics/collect-diagnostics.ts';
import { thisMachine } from '../config/import/this-machine.ts';
import { alertsTopic } from './topics/alerts.ts';
import { approvalsTopic } from './topics/approvals.ts';
import { consentTopic } from './topics/consent.ts';
import { enginesTopic } from './topics/engines.ts';
import { EntriesTopic } from './topics/entries.ts';
import { outputTopic } from './topics/output.ts';
import { processesTopic } from './topics/processes.ts';
import { ServersTopic } from './topics/servers.ts';
import { settingsTopic } from './topics/settings.ts';
import { signInTopic } from './topics/sign-in.ts';
import { storyTopic } from './topics/story.ts';
import type { PanelParts } from './wire-parts.ts';

/** Returns the functions that answer requests of the app window and the terminal, by topic. */
export function createTopics(parts: PanelParts) {
  const { files, loopWatch, options, signals, views } = parts;
  const { journal } = files;
  const { source } = parts.history;
  const { clock, parentEnvironment: parent } = options;
  const { book: logs } = parts.logs;
  return {
    servers: new ServersTopic(parts, parts),
    entries: new EntriesTopic(parts, parts),
    engines: enginesTopic({ ...options, file: files.servers, machine: () => thisMachine(options) }),
    consent: consentTopic(options, files),
    approvals: approvalsTopic(files, source),
    secrets: parts.secrets,
    signIn: signInTopic({ ...options, ...parts }),
    sessions: parts.sessionsTopic,
    settings: settingsTopic(files.settings, signals.settingsChanged),
    alerts: alertsTopic(parts.alerts, files),
    gateway: parts.gateway.topic,
    offeredTools: parts.gateway.offeredTools,
    programs: parts.programs,
    leftBehind: parts.leftBehind,
    output: outputTopic({
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
    processes: processesTopic(parts, parts),
  };
}
