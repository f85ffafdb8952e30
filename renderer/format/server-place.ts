import { hidesContainer } from '../../shared/container-run.ts';
import type { ServerView } from '../../shared/domain.ts';

type Placed = Pick<ServerView, 'transport' | 'target' | 'host'>;

interface ServerPlace {
  /** Title of its group in the list. */
  readonly title: string;
  /** Short text for its row; undefined in the usual places, on this machine and at a remote server. */
  readonly words?: string;
  /** What the place means for its figures. */
  readonly hint?: string;
}

/** Title of the group of servers without a command. */
export const REMOTE_TITLE = 'Remote';

/** Returns where a server runs, as its command line and its run tell. */
export function whereOf({ transport, target, host }: Placed): ServerPlace {
  if (transport !== 'stdio') return { title: REMOTE_TITLE };
  if (host?.kind === 'container' || host?.kind === 'pod') {
    const words = `in ${host.engine ?? `a ${host.kind}`}`;
    return {
      title: `I${words.slice(1)}`,
      words,
      hint:
        host.kind === 'pod'
          ? 'Memory and CPU are those of the pod, where the cluster measures them.'
          : 'Memory, CPU and processes are those of the container.',
    };
  }
  if (!hidesContainer(target.split(/\s+/))) return { title: 'This machine' };
  const hint = 'Its container is not known. Memory, CPU and processes are those of the client of its engine.';
  return { title: 'In a container, not measured', words: 'not measured', hint };
}
