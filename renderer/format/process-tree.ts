import type { ProcessView } from '../../shared/processes.ts';

/** Columns by which siblings can be sorted. */
export type ProcessOrder = 'started' | 'program' | 'pid' | 'memory' | 'cpu' | 'files';

export interface ProcessNode {
  readonly process: ProcessView;
  /** Depth in the process tree: 1 for a process that the panel started. */
  readonly level: number;
}

type Compare = (one: ProcessView, other: ProcessView) => number;

/** Sorts descending, so that the largest values come first. Processes without a value come last. */
const byFigure =
  (figure: (process: ProcessView) => number | undefined): Compare =>
  (one, other) =>
    (figure(other) ?? -1) - (figure(one) ?? -1);

const nameOrder = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

const orders: Readonly<Record<ProcessOrder, Compare>> = {
  started: (one, other) => (one.startedAt ?? 0) - (other.startedAt ?? 0),
  program: (one, other) => nameOrder.compare(one.program, other.program),
  pid: (one, other) => one.pid - other.pid,
  memory: byFigure(({ memoryBytes }) => memoryBytes),
  // CPU is compared in tenths of a percent, as shown, so that idle processes do not swap positions.
  cpu: byFigure(({ cpuPercent }) => cpuPercent && Math.round(cpuPercent * 10)),
  files: byFigure(({ openFiles }) => openFiles),
};

/** Returns the rows of a process tree: each process is above its children, and siblings are in the given order. */
export function arrangeProcesses(
  processes: readonly ProcessView[],
  order: ProcessOrder,
): readonly ProcessNode[] {
  const pids = new Set(processes.map(({ pid }) => pid));
  const childrenOf = new Map<number | undefined, ProcessView[]>();
  for (const process of processes) {
    const { pid, ppid } = process;
    const parent = ppid !== pid && pids.has(ppid) ? ppid : undefined;
    childrenOf.set(parent, [...(childrenOf.get(parent) ?? []), process]);
  }
  const seen = new Set<ProcessView>();
  const rowsBelow = (parent: number | undefined, level: number): ProcessNode[] =>
    (childrenOf.get(parent) ?? [])
      .toSorted((one, other) => orders[order](one, other) || one.pid - other.pid)
      .flatMap((process) => {
        seen.add(process);
        return [{ process, level }, ...rowsBelow(process.pid, level + 1)];
      });
  const rows = rowsBelow(undefined, 1);
  // Two processes that name each other as parent have no root above them, so they are added at the end.
  const lost = processes.filter((process) => !seen.has(process));
  return [...rows, ...lost.map((process) => ({ process, level: 1 }))];
}

/** Returns the command line of a process, or the name of its program if the system does not report the command line. */
export const processCommand = ({ commandLine, program }: ProcessView): string => commandLine ?? program;
