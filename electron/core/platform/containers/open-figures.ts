import type { Clock } from '../../clock.ts';
import { createProcFiles } from '../proc/proc-files.ts';
import { containerCgroup } from './container-cgroup.ts';
import type { ContainerFigures } from './container-reading.ts';
import type { ContainerState, EngineClient } from './engine-client.ts';
import { EngineStats } from './engine-stats.ts';
import { findEngineSocket } from './engine-socket.ts';

/** Container as its engine's client shows it. */
export interface FoundContainer {
  readonly id: string;
  readonly state: ContainerState;
}

/** Opens the figures of a running container; undefined where nothing tells them. The caller disposes them. Never rejects. */
export type OpenFigures = (
  client: EngineClient,
  container: FoundContainer,
) => Promise<ContainerFigures | undefined>;

/**
 * Reads the kernel's own files where it is this machine's kernel, because a look costs a fraction of a millisecond and no
 * connection; else the API of the engine.
 */
export function figuresOpener(clock: Clock, platform: NodeJS.Platform = process.platform): OpenFigures {
  return async (client, { id, state }) => {
    const files = { proc: createProcFiles(), cgroup: createProcFiles('/sys/fs/cgroup'), clock };
    const read = platform === 'linux' && state.pid > 0 ? containerCgroup(files, state.pid, id) : undefined;
    if (read !== undefined) return { read, dispose: () => undefined };
    const socket = await findEngineSocket(client, platform);
    return socket && new EngineStats(socket, id, clock);
  };
}
