import type { ProcStat } from './parse-stat.ts';

/**
 * Name of the process by which podman holds a container: it runs the container, knows how it ended, and removes it. Killed, it
 * leaves a container in podman's books that is listed for ever.
 */
export const CONTAINER_MONITOR = 'conmon';

export const isContainerMonitor = ({ command }: Pick<ProcStat, 'command'>): boolean =>
  command === CONTAINER_MONITOR;

/** A process that bears the mark of a run. */
export interface MarkedProcess extends Pick<ProcStat, 'command' | 'ppid'> {
  readonly pid: number;
}

/**
 * Those of `marked` that belong to no container: neither a monitor nor below one. The mark is inherited, so a monitor that
 * a run started bears it as well; one without it (the panel itself may be in a container) has nothing to say.
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
