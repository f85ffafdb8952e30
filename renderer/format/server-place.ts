import { hidesContainer } from '../../shared/container-run.ts';
import type { PanelEvent, ServerView } from '../../shared/domain.ts';
import { addUp } from '../../shared/server-totals.ts';
import { formatDuration } from './durations.ts';
import { formatCpu, formatMemory } from './figures.ts';

type Placed = Pick<ServerView, 'transport' | 'target' | 'host'>;

interface ServerPlace {
  /** Title of the group in the server list. */
  readonly title: string;
  /** Short text for the server's row; undefined for the usual cases, in which the server runs on this machine or is remote. */
  readonly words?: string;
  /** Explains how to read the server's figures at this location. */
  readonly hint?: string;
}

/** Title of the group of servers without a command. */
export const REMOTE_TITLE = 'Remote';

/** Returns where a server runs, determined from its command line and its current run. */
export function whereOf({ transport, target, host }: Placed): ServerPlace {
  if (transport !== 'stdio' && host === undefined) return { title: REMOTE_TITLE };
  if (host?.kind === 'container' || host?.kind === 'pod') {
    const words = `in ${host.engine ?? `a ${host.kind}`}`;
    return {
      title: `I${words.slice(1)}`,
      words,
      hint:
        host.kind === 'pod'
          ? `${host.workload === undefined ? '' : `${host.workload}. `}Memory and CPU are those of its pods, if the cluster measures them.`
          : 'Memory, CPU and processes are those of the container.',
    };
  }
  if (!hidesContainer(target.split(/\s+/))) return { title: 'This machine' };
  const hint = 'Its container is unknown. Memory, CPU and processes are those of the client of its engine.';
  return { title: 'In a container, not measured', words: 'not measured', hint };
}

/**
 * Returns the text about a group of servers on one container engine: the engine's version, how long the engine has been
 * unreachable, and the total memory and CPU of the servers. Undefined if not all of the servers run in containers or pods.
 */
export function engineWords(
  servers: readonly Pick<ServerView, 'host' | 'sample'>[],
  events: readonly PanelEvent[],
  now: number,
): string | undefined {
  const hosts = servers.flatMap(({ host }) => (host !== undefined && host.kind !== 'process' ? [host] : []));
  if (hosts.length === 0 || hosts.length < servers.length) return undefined;
  const isLost = hosts.some(({ isOutOfReach }) => isOutOfReach);
  const lost = events.findLast(
    ({ kind, detail }) => kind === 'engine-lost' && detail.engine === hosts[0]?.engine,
  );
  const version = hosts.find(({ engineVersion }) => engineVersion !== undefined)?.engineVersion;
  const { memoryBytes, cpuPercent } = addUp(servers);
  const words = [
    version === undefined ? undefined : `Docker ${version}`,
    isLost ? `out of reach${lost ? ` for ${formatDuration(Math.max(0, now - lost.at))}` : ''}` : undefined,
    memoryBytes === undefined ? undefined : formatMemory(memoryBytes),
    cpuPercent === undefined ? undefined : formatCpu(cpuPercent),
  ];
  return words.filter((one) => one !== undefined).join(' · ');
}
