import { cutText } from '../../../../shared/cut-text.ts';
import { PanelError } from '../../../../shared/error-codes.ts';
import type { CallAnswers } from '../../../../shared/ipc/call.ts';
import type { processesCalls } from '../../../../shared/ipc/topics/processes.ts';
import type { ProcessId, ProcessView } from '../../../../shared/processes.ts';
import type { ProcessDetails, ProcessIdentity, ProcessTable } from '../../platform/process-table.ts';
import { endProcesses } from '../../platform/signals.ts';
import type { ProcessFigures } from '../../telemetry/tree-sample.ts';
import type { PanelBase } from '../panel-base.ts';
import type { ServersParts } from '../wire-servers.ts';
import type { FiguresParts } from '../wire-figures.ts';

type ProcessesParts = Pick<ServersParts, 'fleet' | 'sessions'> & Pick<FiguresParts, 'telemetry'>;

/**
 * Maximum characters of a displayed command line. The limit is needed because a command line may contain a whole program (`node
 * -e …`).
 */
const MAX_COMMAND_CHARACTERS = 1000;

/** Requests of the app window about the processes of servers: list them as of the last sample, or end one. */
export function processesTopic(
  { files: { journal }, options }: PanelBase,
  { fleet, sessions, telemetry }: ProcessesParts,
) {
  const { ownPid, table } = options;
  const redact = (text: string) => journal.redactText(text);
  return {
    /** Returns the processes of a server. @throws PanelError SERVER_UNKNOWN */
    view: async (name) => {
      const known = fleet.get(name).name;
      const instances = telemetry.processes(known);
      const all = instances.flatMap(({ processes }) => processes);
      const details = (await table.describe?.(all)) ?? new Map<number, ProcessDetails>();
      const processes = instances.flatMap(({ instance, processes: figures }) =>
        figures.map((one) => ({
          ...viewOf(one, details.get(one.pid) ?? {}, redact),
          ...(instance !== known && { instance }),
        })),
      );
      const at = Math.max(...instances.map((one) => one.at));
      return { ...(instances.length > 0 && { at }), processes };
    },
    /**
     * Ends one process that currently belongs to the server; its child processes continue to run. If it is the process that the
     * panel started, this counts as an unexpected exit of the server. @throws PanelError SERVER_UNKNOWN, PROCESS_UNKNOWN,
     * PROCESS_SURVIVES
     */
    end: async (name, id) => {
      const server = fleet.get(name);
      for (const { run, config } of [server, ...sessions.further(server.name)]) {
        const found = id.pid === ownPid ? undefined : await findIn(table, run?.pid, id);
        if (found === undefined) continue;
        if ((await endProcesses(options, [found], config.panel)).length === 0) return;
        throw new PanelError('PROCESS_SURVIVES', `Process ${id.pid} of ${server.name} could not be ended.`);
      }
      throw new PanelError(
        'PROCESS_UNKNOWN',
        `Process ${id.pid} does not belong to ${server.name}, or no longer does.`,
      );
    },
  } satisfies CallAnswers<typeof processesCalls>;
}

/** Finds a process among the root and its current descendants. The start time must match too, as pids may be reused. */
async function findIn(
  table: ProcessTable,
  rootPid: number | undefined,
  { pid, startTime }: ProcessId,
): Promise<ProcessIdentity | undefined> {
  if (rootPid === undefined) return undefined;
  const candidates = pid === rootPid ? [await table.identify(rootPid)] : await table.listDescendants(rootPid);
  return candidates.find((one) => one?.pid === pid && one.startTime === startTime);
}

function viewOf(
  { command, isStopped, ...figures }: ProcessFigures,
  { commandLine, startedAtMs }: ProcessDetails,
  redact: (text: string) => string,
): ProcessView {
  return {
    ...figures,
    program: redact(command),
    ...(commandLine !== undefined && { commandLine: shownCommand(commandLine, redact) }),
    ...(startedAtMs !== undefined && { startedAt: startedAtMs }),
    ...(isStopped && { isStopped: true }),
  };
}

/** Returns the command line for display, redacted before it is cut, because half of a secret would not be recognized. */
export function shownCommand(commandLine: string, redact: (text: string) => string): string {
  const readable = commandLine.slice(0, 16 * MAX_COMMAND_CHARACTERS);
  return cutText(redact(readable), MAX_COMMAND_CHARACTERS, 'end').text;
}
