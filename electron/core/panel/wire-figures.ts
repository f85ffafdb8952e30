import { messageOf } from '../../../shared/message-of.ts';
import type { CurrentTask } from '../current-task.ts';
import { TroubleBook } from '../story/trouble-book.ts';
import { CallBook } from '../telemetry/calls/call-book.ts';
import { ClientCalls } from '../telemetry/calls/client-calls.ts';
import { ServerTelemetry } from '../telemetry/server-telemetry.ts';
import type { OpenedFiles } from './open-files.ts';
import type { ControlPanelOptions } from './panel-options.ts';
import type { PanelSignals } from './panel-signals.ts';
import { wireHistory } from './wire-history.ts';
import type { ServersParts } from './wire-servers.ts';

export interface FiguresDeps {
  readonly options: ControlPanelOptions;
  readonly files: OpenedFiles;
  readonly signals: PanelSignals;
  readonly currentTask: CurrentTask;
  readonly servers: Pick<ServersParts, 'fleet' | 'sessions'>;
}

export type FiguresParts = ReturnType<typeof wireFigures>;

/** Builds the measurement of servers and calls, and its storage. */
export function wireFigures({
  options,
  files,
  signals,
  currentTask,
  servers: { fleet, sessions },
}: FiguresDeps) {
  const { clock, wallClock } = options;
  const names = () => fleet.supervisors.map(({ name }) => name);
  const calls = new CallBook({ clock, wallClock, onRecent: (name) => signals.figuresChanged.emit(name) });
  const clientCalls = new ClientCalls({ clock, wallClock });
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
  const history = wireHistory({
    options,
    files,
    memory: {
      samples: (name, since) => telemetry.history(name, since),
      callMinutes: (name, since) => calls.since(name, since),
      clientCallMinutes: (client, since) => clientCalls.since(client, since),
      servers: names,
    },
  });
  const troubles = new TroubleBook({
    source: history.source,
    wallClock,
    onRead: (name) => signals.serverChanged.emit(name),
  });
  files.journal.onEvent((event) => troubles.eventHappened(event));
  signals.fleetChanged.subscribe(() => troubles.follow(names()));
  signals.serverChanged.subscribe(() => telemetry.poke());
  signals.serverRemoved.subscribe((name) => {
    telemetry.forget(name);
    calls.forget(name);
    clientCalls.forgetServer(name);
  });
  // A server with processes has better figures for its charts.
  signals.probeAnswered.subscribe(({ server, rttMs }) => {
    if (fleet.find(server)?.config.transport !== 'stdio') telemetry.probeAnswered(server, rttMs);
  });
  signals.callEnded.subscribe(({ server, end }) => {
    // The last calls of a removed server end after it.
    if (!fleet.find(server)) return;
    calls.record(server, end);
    history.recorder.callEnded(server, end);
  });
  return { calls, clientCalls, history, telemetry, troubles };
}
