import { ConfigReports } from '../config/config-reports.ts';
import { CurrentTask } from '../current-task.ts';
import { CauseLog } from '../journal/cause-log.ts';
import { MessageThread } from '../mcp/message-thread.ts';
import { LongTurnLog } from '../telemetry/long-turn-log.ts';
import { LoopWatch } from '../telemetry/loop-watch.ts';
import { GatewayPages } from './gateway-pages.ts';
import type { OpenedFiles } from './open-files.ts';
import type { ControlPanelOptions } from './panel-options.ts';
import { PanelSignals } from './panel-signals.ts';
import { PushHub } from './push-hub.ts';
import { SessionsTopic } from './topics/sessions.ts';
import { Views } from './views.ts';
import { wireFigures } from './wire-figures.ts';
import { wireGateway } from './wire-gateway.ts';
import { wireLogs } from './wire-logs.ts';
import { wirePrograms } from './wire-programs.ts';
import { wireServers } from './wire-servers.ts';

export type PanelParts = ReturnType<typeof wireParts>;

/** Builds the parts of the panel, which report to each other by signals. */
export function wireParts(options: ControlPanelOptions, files: OpenedFiles) {
  const { clock } = options;
  const { journal } = files;
  const signals = new PanelSignals();
  const currentTask = new CurrentTask(clock);
  const reader = new MessageThread({ clock, startWorker: options.startMessageWorker });
  const logs = wireLogs(options, files);
  const servers = wireServers({ options, files, signals, currentTask, reader, book: logs.book });
  const { fleet, sessions } = servers;
  const figures = wireFigures({ options, files, signals, currentTask, servers });
  const views = new Views({
    ...servers,
    ...figures,
    redact: (text) => journal.redactText(text),
  });
  const pages = new GatewayPages({ version: options.appVersion, views, ...figures, journal });
  const gateway = wireGateway({
    options,
    files,
    signals,
    currentTask,
    reader,
    pages,
    ...servers,
    ...figures,
  });
  const reports = new ConfigReports({ path: files.serversPath, journal, notice: files.notice });
  const configStatus = () => reports.status(files.servers.current.error);
  const hub = new PushHub({ clock, view: (name) => views.of(name), config: configStatus });
  signals.serverChanged.subscribe((name) => hub.serverChanged(name));
  signals.figuresChanged.subscribe((name) => hub.serverMarked(name));
  signals.serverRemoved.subscribe((name) => hub.serverRemoved(name));
  signals.sampled.subscribe(() => hub.tick());
  return {
    ...servers,
    ...figures,
    ...wireLoopWatch(options, files, currentTask),
    causes: new CauseLog({ ...options, journal }),
    configStatus,
    currentTask,
    gateway,
    hub,
    logs,
    pages,
    programs: wirePrograms(options, files, gateway.topic),
    reader,
    reports,
    sessionsTopic: new SessionsTopic({ clock, fleet, sessions }),
    signals,
    views,
  };
}

/** Measures the delay of the event loop, when the CPU time is available. */
function wireLoopWatch(
  { clock, cpuTimeMs }: ControlPanelOptions,
  { journal }: OpenedFiles,
  currentTask: CurrentTask,
) {
  const longTurns = new LongTurnLog({
    clock,
    logEvent: (server, detail) => journal.append(server, 'panel-blocked', detail),
  });
  const onLongTurn = longTurns.add.bind(longTurns);
  return { longTurns, loopWatch: cpuTimeMs && new LoopWatch({ clock, currentTask, cpuTimeMs, onLongTurn }) };
}
