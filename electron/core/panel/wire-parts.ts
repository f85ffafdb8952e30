import { ConfigReports } from '../config/config-reports.ts';
import { CurrentTask } from '../current-task.ts';
import { CauseLog } from '../journal/cause-log.ts';
import { MessageThread } from '../mcp/message-thread.ts';
import { LoopWatch, type LongTurn } from '../telemetry/loop-watch.ts';
import { CountedReports } from './counted-reports.ts';
import { GatewayPages } from './gateway-pages.ts';
import type { OpenedFiles } from './open-files.ts';
import type { ControlPanelOptions } from './panel-options.ts';
import { PanelSignals } from './panel-signals.ts';
import { PushHub } from './push-hub.ts';
import { LeftBehindTopic } from './topics/left-behind.ts';
import { SessionsTopic } from './topics/sessions.ts';
import { Views } from './views.ts';
import { wireAlerts } from './wire-alerts.ts';
import { wireFigures } from './wire-figures.ts';
import { wireGateway, type GatewayParts } from './wire-gateway.ts';
import { wirePrograms } from './wire-programs.ts';
import { secretStoreStatus, wireSecrets } from './wire-secrets.ts';
import { wireServers } from './wire-servers.ts';
import { join } from 'node:path';
import { serversFolder } from '../journal/journal.ts';
import { ArchiveThread } from '../logs/archive-thread.ts';
import { LogBook } from '../logs/log-book.ts';
import type { ConfigStatus } from '../../../shared/domain.ts';
import type { EventDetails } from '../../../shared/events.ts';
import type { Clock, Disposable } from '../clock.ts';

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
  const views: Views = new Views({
    ...servers,
    ...figures,
    question: (name) => files.consents.question(name),
    changedTools: (config) => gateway.offeredTools.viewOf(config),
    redact: (text) => journal.redactText(text),
  });
  const pages = new GatewayPages({ version: options.appVersion, views, ...figures, journal });
  const gateway: GatewayParts = wireGateway({
    options,
    files,
    signals,
    currentTask,
    reader,
    pages,
    ...servers,
    ...figures,
  });
  const programs = wirePrograms(options, files, gateway.topic);
  const reports = new ConfigReports({ path: files.serversPath, journal, notice: files.notice });
  const configStatus = () => ({
    ...reports.status(files.servers.current.error),
    ...secretStoreStatus(files),
  });
  const hub = wireHub({ clock, files, signals, views, configStatus });
  return {
    ...servers,
    ...figures,
    secrets: wireSecrets({ ...servers, files, hub }),
    ...wireLoopWatch(options, files, currentTask),
    alerts: wireAlerts({ options, files, signals, views, calls: figures.calls }),
    causes: new CauseLog({ ...options, journal }),
    configStatus,
    currentTask,
    gateway,
    hub,
    logs,
    pages,
    leftBehind: new LeftBehindTopic({ ...options, files, programs }),
    programs,
    reader,
    reports,
    sessionsTopic: new SessionsTopic({ clock, fleet, sessions }),
    signals,
    views,
  };
}

/** Builds what tells the window of changes. */
function wireHub({
  clock,
  files,
  signals,
  views,
  configStatus,
}: Pick<ControlPanelOptions, 'clock'> & {
  readonly files: OpenedFiles;
  readonly signals: PanelSignals;
  readonly views: Views;
  readonly configStatus: () => ConfigStatus;
}): PushHub {
  const hub = new PushHub({
    clock,
    view: (name) => views.of(name),
    config: configStatus,
    approvals: () => files.approvals.waiting,
  });
  files.approvals.changed.subscribe(() => hub.approvalsChanged());
  signals.serverChanged.subscribe((name) => hub.serverChanged(name));
  files.consents.questionChanged.subscribe((name) => hub.serverChanged(name));
  signals.figuresChanged.subscribe((name) => hub.serverMarked(name));
  signals.serverRemoved.subscribe((name) => hub.serverRemoved(name));
  signals.sampled.subscribe(() => hub.tick());
  return hub;
}

/** Measures the delay of the event loop, when the CPU time is available. */
function wireLoopWatch(
  { clock, cpuTimeMs }: ControlPanelOptions,
  { journal }: OpenedFiles,
  currentTask: CurrentTask,
) {
  const longTurns = new LongTurnLog(clock, (server, detail) =>
    journal.append(server, 'panel-blocked', detail),
  );
  const onLongTurn = longTurns.add.bind(longTurns);
  return { longTurns, loopWatch: cpuTimeMs && new LoopWatch({ clock, currentTask, cpuTimeMs, onLongTurn }) };
}

/** Builds the logs of all servers on the journal, which writes them. */
function wireLogs(
  { clock, home, startLogsWorker }: ControlPanelOptions,
  { journal, notice, panelOutput }: OpenedFiles,
) {
  const folder = join(home, 'logs');
  const archive =
    startLogsWorker &&
    new ArchiveThread({
      clock,
      folder,
      serversFolder: serversFolder(folder),
      startWorker: startLogsWorker,
      secrets: () => journal.secrets,
    });
  const book = new LogBook({
    clock,
    times: journal.times,
    outputs: () => journal.outputs,
    panel: panelOutput,
    archive,
    redact: (text) => journal.redactText(text),
    onProblem: notice,
  });
  return { book, dispose: async () => archive?.dispose() };
}

/** Separator between a server's name and the number in a replica's name; server names cannot contain it. */
const INSTANCE_MARK = '#';

/** Reports long event-loop ticks as events: the longest of those that are reported together. The caller disposes. */
export class LongTurnLog implements Disposable {
  readonly #reports: CountedReports<LongTurn>;

  /** @param logEvent writes the event; `server` is the server the work was done for, null if there is none */
  constructor(
    clock: Clock,
    logEvent: (server: string | null, detail: EventDetails['panel-blocked']) => void,
  ) {
    this.#reports = new CountedReports({
      clock,
      merge: (before, next) => (next.tookMs > before.tookMs ? next : before),
      tell: (turn, count) =>
        logEvent(serverOf(turn) ?? null, {
          durationMs: Math.round(turn.tookMs),
          currentTask: turn.piece?.task,
          count,
        }),
    });
  }

  add(turn: LongTurn): void {
    this.#reports.add(serverOf(turn) ?? '', turn);
  }

  /** Reports the ticks counted so far. */
  dispose(): void {
    this.#reports.dispose();
  }
}

const serverOf = ({ piece }: LongTurn): string | undefined => piece?.instance?.split(INSTANCE_MARK)[0];
