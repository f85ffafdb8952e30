import type { ProcStat } from './parse-stat.ts';

/** Podman's monitor of a container. If it is killed, podman lists the container forever. */
export const CONTAINER_MONITOR = 'conmon';

export const isContainerMonitor = ({ command }: Pick<ProcStat, 'command'>): boolean =>
  command === CONTAINER_MONITOR;

/** A process that carries the mark of a run. */
export interface MarkedProcess extends Pick<ProcStat, 'command' | 'ppid'> {
  readonly pid: number;
}

/**
 * Returns the processes of `marked` that are neither a monitor nor a descendant of one. Children inherit the mark, so the
 * monitor of a run has it; an unmarked monitor is ignored, because the panel itself may be in a container.
 */
export function outsideContainers<T extends MarkedProcess>(marked: readonly T[]): readonly T[] {
  const byPid = new Map(marked.map((process) => [process.pid, process]));
  return marked.filter((process) => {
    const seen = new Set<MarkedProcess>();
    for (let at: MarkedProcess | undefined = process; at && !seen.has(at); at = byPid.get(at.ppid)) {
      if (isContainerMonitor(at)) return false;
      seen.add(at);
    }
    return true;
  });
}
