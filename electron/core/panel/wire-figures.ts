import { messageOf } from '../../../shared/message-of.ts';
import type { ServerConfig } from '../../../shared/server-config.ts';
import { BYTES_PER_MIB } from '../../../shared/units.ts';
import { TrendBook } from '../story/trend-book.ts';
import { TroubleBook } from '../story/trouble-book.ts';
import { CallBook } from '../telemetry/calls/call-book.ts';
import { ClientCalls } from '../telemetry/calls/client-calls.ts';
import type { Fleet } from '../supervisor/fleet.ts';
import { ServerTelemetry } from '../telemetry/server-telemetry.ts';
import type { PanelBase } from './panel-base.ts';
import type { ServersParts } from './wire-servers.ts';
import { join } from 'node:path';
import { HistoryRecorder } from '../store/history-recorder.ts';
import type { HistorySource } from '../store/history-source.ts';
import { MemorySource, type MemorySourceOptions } from '../store/memory-source.ts';
import { RecordedHistory } from '../store/recorded-history.ts';
import { settlesWithin } from '../wait.ts';

export type FiguresParts = ReturnType<typeof wireFigures>;

/** Builds the parts that measure servers and calls and store the measured values. */
export function wireFigures(base: PanelBase, { fleet, sessions }: Pick<ServersParts, 'fleet' | 'sessions'>) {
  const { options, files, signals, currentTask } = base;
  const { clock, wallClock } = options;
  const names = () => fleet.supervisors.map(({ name }) => name);
  const calls = new CallBook({ clock, wallClock, onRecent: (name) => signals.figuresChanged.emit(name) });
  const clientCalls = new ClientCalls(wallClock);
  const telemetry = new ServerTelemetry({
    ...options,
    currentTask,
    supervisors: () => fleet.supervisors,
    further: (name) => sessions.further(name),
    onSampled: (name) => signals.figuresChanged.emit(name),
    onKept: (name, sample) => history.recorder.sampled(name, sample),
    onTickDone: () => {
      history.recorder.lookDone();
      signals.sampled.emit();
    },
    onError: (error) => files.notice(`the process table could not be read: ${messageOf(error)}`),
  });
  const history = wireHistory(base, {
    samples: (name, since) => telemetry.history(name, since),
    callMinutes: (name, since) => calls.since(name, since),
    clientCallMinutes: (client, since) => clientCalls.since(client, since),
    servers: names,
  });
  signals.serverChanged.subscribe(() => telemetry.poke());
  signals.serverRemoved.subscribe((name) => {
    telemetry.forget(name);
    calls.forget(name);
    clientCalls.forgetServer(name);
  });
  // The response times of health checks are recorded only for remote servers. Servers with local processes have better values
  // for their charts, such as CPU and memory.
  signals.probeAnswered.subscribe(({ server, rttMs }) => {
    if (fleet.find(server)?.config.transport !== 'stdio') telemetry.probeAnswered(server, rttMs);
  });
  signals.callEnded.subscribe(({ server, end }) => {
    // Calls of a removed server may end after its removal; they are not recorded.
    if (!fleet.find(server)) return;
    calls.record(server, end);
    history.recorder.callEnded(server, end);
  });
  return {
    ...{ calls, clientCalls, history, telemetry },
    ...wireBooks(base, fleet, history.source),
  };
}

/** Builds the parts that detect problems and trends of servers in the history. */
function wireBooks(
  { options: { clock, wallClock }, files: { journal }, signals }: PanelBase,
  fleet: Fleet,
  source: HistorySource,
) {
  const onRead = (name: string) => signals.serverChanged.emit(name);
  const troubles = new TroubleBook({ source, wallClock, onRead });
  const trends = new TrendBook({
    ...{ clock, wallClock, source, onRead },
    limitOf: (name) => memoryLimitOf(fleet.find(name)?.config),
    logEvent: (name, detail) => journal.append(name, 'trend', detail),
  });
  journal.onEvent((event) => {
    troubles.eventHappened(event);
    trends.eventHappened(event);
  });
  signals.fleetChanged.subscribe(() => {
    const names = fleet.supervisors.map(({ name }) => name);
    troubles.follow(names);
    trends.follow(names);
  });
  return { trends, troubles };
}

/** Returns the memory limit of a server in bytes; undefined for a remote server, whose memory is not measured. */
const memoryLimitOf = (config: ServerConfig | undefined): number | undefined =>
  config?.transport === 'stdio' ? config.panel.limits.maxMemoryMiB * BYTES_PER_MIB : undefined;

/**
 * Maximum milliseconds to wait for a blocked disk when the panel quits. Then only the data of the last second is lost, because
 * everything else is already in the file.
 */
const LONGEST_END_MS = 1000;

/**
 * Creates the history and opens its file in parallel with the app start. Data can be added from the beginning. Queries are
 * answered once the file is open, which is after the app window has opened. @param memory measured values of this app run
 */
function wireHistory(
  { options, files: { journal, notice } }: PanelBase,
  memory: Omit<MemorySourceOptions, 'events'>,
) {
  const { clock, home, startStoreWorker, startsAfter, wallClock } = options;
  const store = new RecordedHistory({
    path: join(home, 'history.db'),
    eventsPath: join(home, 'logs', 'events.jsonl'),
    worker: startStoreWorker,
    startsAfter,
    fallback: new MemorySource({ ...memory, events: () => journal.events }),
    clock,
    wallClock,
    onProblem: notice,
  });
  const recorder = new HistoryRecorder({ clock, wallClock, sink: store.record });
  journal.onEvent((event) => store.record.event(event));
  return {
    recorder,
    source: store as HistorySource,
    /** Writes the data that is not in the file yet. Gives up after a time limit. */
    dispose: async () => {
      recorder.dispose();
      await settlesWithin(clock, store.dispose(), LONGEST_END_MS);
    },
  };
}
