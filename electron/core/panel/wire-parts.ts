import { ConfigReports } from '../config/config-reports.ts';
import { CurrentTask } from '../current-task.ts';
import { CauseLog } from '../journal/cause-log.ts';
import { MessageThread } from '../mcp/message-thread.ts';
import { LoopWatch, type LongTurn } from '../telemetry/loop-watch.ts';
import { CountedReports } from './counted-reports.ts';
import { gatewayPages } from './gateway-pages.ts';
import type { OpenedFiles } from './open-files.ts';
import type { PanelBase } from './panel-base.ts';
import type { ControlPanelOptions } from './panel-options.ts';
import { PanelSignals } from './panel-signals.ts';
import { PushHub } from './push-hub.ts';
import { LeftBehindTopic } from './topics/left-behind.ts';
import { ProgramsTopic } from './topics/programs.ts';
import { SessionsTopic } from './topics/sessions.ts';
import { serverViews, type Views } from './views.ts';
import { wireAlerts } from './topics/alerts.ts';
import { wireFigures } from './wire-figures.ts';
import { wireGateway, type GatewayParts } from './wire-gateway.ts';
import { secretStoreStatus, wireSecrets } from './wire-secrets.ts';
import { wireServers } from './wire-servers.ts';
import { join } from 'node:path';
import { ArchiveThread } from '../logs/archive-thread.ts';
import { LogBook } from '../logs/log-book.ts';
import type { ConfigStatus } from '../../../shared/domain.ts';
import type { EventDetails } from '../../../shared/events.ts';
import type { Clock } from '../clock.ts';

export type PanelParts = ReturnType<typeof wireParts>;

/** Builds all parts of the panel. The parts notify each other through `PanelSignals`. */
export function wireParts(options: ControlPanelOptions, files: OpenedFiles) {
  const { clock, startMessageWorker: startWorker } = options;
  const base: PanelBase = {
    options,
    files,
    signals: new PanelSignals(),
    currentTask: new CurrentTask(clock),
    reader: new MessageThread({ clock, startWorker }),
  };
  const logs = wireLogs(base);
  const servers = wireServers(base, logs.book);
  const { fleet, sessions } = servers;
  const figures = wireFigures(base, servers);
  const views: Views = serverViews(base, servers, figures, (config) => gateway.offeredTools.viewOf(config));
  const pages = gatewayPages(base, figures, views);
  const gateway: GatewayParts = wireGateway({ ...base, ...servers, ...figures, pages });
  const programs = new ProgramsTopic(base, gateway.topic);
  const reports = new ConfigReports({ path: files.serversPath, ...files });
  const configStatus = () => ({
    ...reports.status(files.servers.current.error),
    ...secretStoreStatus(files),
  });
  const hub = wireHub(base, views, configStatus);
  return {
    ...base,
    ...servers,
    ...figures,
    secrets: wireSecrets(base, servers, hub),
    ...wireLoopWatch(base),
    alerts: wireAlerts(base, figures, views),
    causes: new CauseLog({ ...options, ...files }),
    configStatus,
    gateway,
    hub,
    logs,
    pages,
    leftBehind: new LeftBehindTopic(base, programs),
    programs,
    reports,
    sessionsTopic: new SessionsTopic({ ...options, fleet, sessions }),
    views,
  };
}

/** Builds the hub that sends changes to the app window. */
function wireHub(
  { files: { approvals, consents }, options: { clock }, signals }: PanelBase,
  views: Views,
  configStatus: () => ConfigStatus,
): PushHub {
  const hub = new PushHub({
    clock,
    view: (name) => views.of(name),
    config: configStatus,
    approvals: () => approvals.waiting,
  });
  approvals.changed.subscribe(() => hub.approvalsChanged());
  signals.serverChanged.subscribe((name) => hub.serverChanged(name));
  consents.questionChanged.subscribe((name) => hub.serverChanged(name));
  signals.figuresChanged.subscribe((name) => hub.serverMarked(name));
  signals.serverRemoved.subscribe((name) => hub.serverRemoved(name));
  signals.sampled.subscribe(() => hub.tick());
  return hub;
}

/** Builds the measurement of the event loop's delay. There is none if the CPU time of the process is not available. */
function wireLoopWatch({ currentTask, files: { journal }, options: { clock, cpuTimeMs } }: PanelBase) {
  const longTurns = longTurnLog(clock, (server, detail) => journal.append(server, 'panel-blocked', detail));
  const loopWatch = cpuTimeMs && new LoopWatch({ clock, currentTask, cpuTimeMs, onLongTurn: longTurns.add });
  return { longTurns, loopWatch };
}

/** Builds the log book, which reads the logs that the journal writes. */
function wireLogs({ files: { journal, notice, panelOutput }, options }: PanelBase) {
  const { clock, home, startLogsWorker } = options;
  const archive =
    startLogsWorker &&
    new ArchiveThread({
      clock,
      folder: join(home, 'logs'),
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

/**
 * Reports event-loop ticks that took too long as events. If several are reported together, the event describes the longest. On
 * disposal, the ticks not yet reported are reported. @param logEvent writes the event; `server` is the server for which the
 * work was done, null if there is none
 */
export function longTurnLog(
  clock: Clock,
  logEvent: (server: string | null, detail: EventDetails['panel-blocked']) => void,
) {
  const reports = new CountedReports<LongTurn>({
    clock,
    merge: (before, next) => (next.tookMs > before.tookMs ? next : before),
    tell: (turn, count) =>
      logEvent(serverOf(turn) ?? null, {
        durationMs: Math.round(turn.tookMs),
        currentTask: turn.piece?.task,
        count,
      }),
  });
  return {
    add: (turn: LongTurn) => reports.add(serverOf(turn) ?? '', turn),
    dispose: () => reports.dispose(),
  };
}

const serverOf = ({ piece }: LongTurn): string | undefined => piece?.instance?.split(INSTANCE_MARK)[0];
