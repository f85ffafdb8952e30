import { cutText } from '../../../../shared/cut-text.ts';
import { PanelError } from '../../../../shared/error-codes.ts';
import type { CallAnswers } from '../../../../shared/ipc/call.ts';
import type { processesCalls } from '../../../../shared/ipc/topics/processes.ts';
import type { ProcessesView, ProcessId, ProcessView } from '../../../../shared/processes.ts';
import type { Clock } from '../../clock.ts';
import type { StopGraces } from '../../platform/hosted-run.ts';
import type { ProcessDetails, ProcessIdentity, ProcessTable } from '../../platform/process-table.ts';
import { type Signaller, endProcesses } from '../../platform/signals.ts';
import type { ProcessFigures } from '../../telemetry/tree-sample.ts';
import type { ServerTelemetry } from '../../telemetry/server-telemetry.ts';

/** One instance of a server: its spawned process, and its grace times. */
interface Instance {
  readonly run: { readonly pid?: number | undefined } | undefined;
  readonly config: { readonly panel: StopGraces };
}

export interface ProcessesTopicOptions {
  readonly fleet: { get(name: string): Instance & { readonly name: string } };
  readonly sessions: { further(name: string): readonly Instance[] };
  readonly telemetry: Pick<ServerTelemetry, 'processes'>;
  readonly table: ProcessTable;
  readonly signaller: Signaller;
  readonly clock: Clock;
  readonly ownPid: number;
  readonly redact: (text: string) => string;
}

/** Maximum characters of a displayed command line, which may hold a whole program (`node -e …`). */
const MAX_COMMAND_CHARACTERS = 1000;

/** Processes of servers as of the last sample, and the command that ends one process. */
export class ProcessesTopic implements CallAnswers<typeof processesCalls> {
  readonly #options: ProcessesTopicOptions;

  constructor(options: ProcessesTopicOptions) {
    this.#options = options;
  }

  /** Processes of a server. @throws PanelError SERVER_UNKNOWN */
  async view(name: string): Promise<ProcessesView> {
    const { fleet, table, telemetry } = this.#options;
    const known = fleet.get(name).name;
    const instances = telemetry.processes(known);
    const all = instances.flatMap(({ processes }) => processes);
    const details = (await table.describe?.(all)) ?? new Map<number, ProcessDetails>();
    const processes = instances.flatMap(({ instance, processes: figures }) =>
      figures.map((one) => ({
        ...this.#viewOf(one, details.get(one.pid) ?? {}),
        ...(instance !== known && { instance }),
      })),
    );
    const at = Math.max(...instances.map((one) => one.at));
    return { ...(instances.length > 0 && { at }), processes };
  }

  /**
   * Ends one process of the server's current trees; its children live on. If it is the server's own first process, its end
   * counts as an exit by itself. @throws PanelError SERVER_UNKNOWN, PROCESS_UNKNOWN, PROCESS_SURVIVES
   */
  async end(name: string, id: ProcessId): Promise<void> {
    const { fleet, sessions, ownPid } = this.#options;
    const server = fleet.get(name);
    for (const { run, config } of [server, ...sessions.further(server.name)]) {
      const found = id.pid === ownPid ? undefined : await this.#find(run?.pid, id);
      if (found === undefined) continue;
      if ((await endProcesses(this.#options, [found], config.panel)).length === 0) return;
      throw new PanelError('PROCESS_SURVIVES', `Process ${id.pid} of ${server.name} could not be ended.`);
    }
    throw new PanelError(
      'PROCESS_UNKNOWN',
      `Process ${id.pid} is no process of ${server.name}, or none any more.`,
    );
  }

  /** Finds the process in the current tree. The same pid with another start time is another process. */
  async #find(
    rootPid: number | undefined,
    { pid, startTime }: ProcessId,
  ): Promise<ProcessIdentity | undefined> {
    if (rootPid === undefined) return undefined;
    const { table } = this.#options;
    const candidates =
      pid === rootPid ? [await table.identify(rootPid)] : await table.listDescendants(rootPid);
    return candidates.find((one) => one?.pid === pid && one.startTime === startTime);
  }

  #viewOf(figures: ProcessFigures, { commandLine, startedAtMs }: ProcessDetails): ProcessView {
    const { redact } = this.#options;
    const { command, isStopped, ...rest } = figures;
    return {
      ...rest,
      program: redact(command),
      ...(commandLine !== undefined && { commandLine: shownCommand(commandLine, redact) }),
      ...(startedAtMs !== undefined && { startedAt: startedAtMs }),
      ...(isStopped && { isStopped: true }),
    };
  }
}

/** Command line for display. It is redacted before it is cut, because half of a secret would not be recognised. */
export function shownCommand(commandLine: string, redact: (text: string) => string): string {
  const readable = commandLine.slice(0, 16 * MAX_COMMAND_CHARACTERS);
  return cutText(redact(readable), MAX_COMMAND_CHARACTERS, 'end').text;
}
