import type { CallAnswers } from '../../../../shared/ipc/call.ts';
import type { leftBehindCalls, LeftTreeView } from '../../../../shared/ipc/topics/left-behind.ts';
import { foreignPrograms } from '../../config/programs/programs.ts';
import { type FoundTree, LeftBehind, treeId } from '../../left-behind/left-behind.ts';
import { memoryOf, treeMemoryBytes } from '../../platform/tree-memory.ts';
import { messageOf } from '../../../../shared/message-of.ts';
import type { ProcessDetails, ProcessReading } from '../../platform/process-table.ts';
import type { PanelBase } from '../panel-base.ts';
import type { ProgramsTopic } from './programs.ts';
import { shownCommand } from './processes.ts';

/** Finds processes that MCP clients left running, reports them as events, and ends them at the app window's request. */
export class LeftBehindTopic implements CallAnswers<typeof leftBehindCalls> {
  readonly #base: PanelBase;
  readonly #found: LeftBehind;

  constructor(base: PanelBase, programs: ProgramsTopic) {
    this.#base = base;
    const { options } = base;
    const { journal, notice, settings } = base.files;
    const scan = options.createScan?.({
      clients: foreignPrograms,
      // If `moved.json` cannot be read, the servers of other programs are unknown. The scan then still recognizes known
      // packages by their names.
      servers: () => programs.started().catch(() => []),
    });
    this.#found = new LeftBehind({
      ...options,
      scan: scan ?? (() => Promise.resolve([])),
      isOn: () => settings.current.settings.leftBehind,
      reported: journal.events.flatMap((event) =>
        event.kind === 'left-behind' ? (event.detail.trees ?? []) : [],
      ),
      onFound: (trees) => this.#report(trees),
      onProblem: (error) =>
        notice(`processes that clients left behind could not be looked for: ${messageOf(error)}`),
    });
  }

  /** Starts regular scans on Linux, where scans are reliable. Elsewhere, a scan runs only when the window requests one. */
  start(): void {
    const { createScan, importEnvironment } = this.#base.options;
    if (createScan !== undefined && importEnvironment.platform === 'linux') this.#found.start();
  }

  async find(): Promise<LeftTreeView[]> {
    const found = await this.#found.find();
    const all = found.flatMap(({ tree }) => tree);
    const details = (await this.#base.options.table.describe?.(all)) ?? new Map<number, ProcessDetails>();
    return found.map((one) => this.#viewOf(one, details));
  }

  end(ids: readonly string[]) {
    return this.#found.end(ids);
  }

  dispose(): void {
    this.#found.dispose();
  }

  #viewOf(found: FoundTree, details: ReadonlyMap<number, ProcessDetails>): LeftTreeView {
    const { client, isCertain: certain, listens, server, tree } = found;
    const startedAt = details.get(tree[0]?.pid ?? 0)?.startedAtMs;
    return {
      id: treeId(found),
      ...(client !== undefined && { client: labelOf(client) }),
      ...(server !== undefined && { server }),
      program: this.#programOf(found),
      pids: tree.map(({ pid }) => pid),
      memoryBytes: treeMemoryBytes(tree) ?? 0,
      ...(startedAt !== undefined && { startedAt }),
      ...{ certain, listens },
      processes: tree.map((one) => this.#processOf(one, details.get(one.pid) ?? {})),
    };
  }

  #processOf(reading: ProcessReading, { commandLine, startedAtMs }: ProcessDetails) {
    const memoryBytes = memoryOf(reading);
    return {
      ...{ pid: reading.pid, startTime: reading.startTime, ppid: reading.ppid },
      program: this.#redact(reading.command),
      ...(commandLine !== undefined && { commandLine: shownCommand(commandLine, this.#redact) }),
      ...(startedAtMs !== undefined && { startedAt: startedAtMs }),
      ...(memoryBytes !== undefined && { memoryBytes }),
    };
  }

  #redact = (text: string): string => this.#base.files.journal.redactText(text);

  #programOf = ({ name, server, tree }: FoundTree): string =>
    this.#redact(name ?? server ?? tree[0]?.command ?? '');

  /** Writes one event for each client that left processes running. */
  #report(found: readonly FoundTree[]): void {
    for (const client of new Set(found.map((one) => one.client))) {
      const own = found.filter((one) => one.client === client);
      const memory = own.map(({ tree }) => treeMemoryBytes(tree) ?? 0);
      this.#base.files.journal.append(null, 'left-behind', {
        ...(client !== undefined && { client: labelOf(client) }),
        count: own.reduce((sum, { tree }) => sum + tree.length, 0),
        memoryBytes: memory.reduce((sum, bytes) => sum + bytes, 0),
        programs: [...new Set(own.map(this.#programOf))],
        trees: own.map(treeId),
      });
    }
  }
}

const labelOf = (client: string): string => foreignPrograms.find(({ id }) => id === client)?.label ?? client;
