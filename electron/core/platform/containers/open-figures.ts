import type { Clock } from '../../clock.ts';
import { createProcFiles } from '../proc/proc-files.ts';
import { containerCgroup } from './container-cgroup.ts';
import type { ContainerFigures } from './container-reading.ts';
import type { ContainerState } from './engine-client.ts';
import type { EngineLink } from './engine-link.ts';
import { EngineStats } from './engine-stats.ts';

/** Container as its engine's client shows it. */
export interface FoundContainer {
  readonly id: string;
  readonly state: ContainerState;
}

/**
 * Opens the figures of a running container; undefined where nothing tells them. The caller disposes them. Never rejects. `link`
 * finds the API of its engine.
 */
export type OpenFigures = (
  container: FoundContainer,
  link: () => Promise<EngineLink | undefined>,
) => Promise<ContainerFigures | undefined>;

/**
 * Reads the kernel's own files where it is this machine's kernel, because a look costs a fraction of a millisecond and no
 * connection; else the API of the engine.
 */
export function figuresOpener(clock: Clock, platform: NodeJS.Platform = process.platform): OpenFigures {
  const byApi = apiFigures(clock);
  return async (container, link) => {
    const { id, state } = container;
    const files = { proc: createProcFiles(), cgroup: createProcFiles('/sys/fs/cgroup'), clock };
    const read = platform === 'linux' && state.pid > 0 ? containerCgroup(files, state.pid, id) : undefined;
    return read === undefined ? byApi(container, link) : { read, dispose: () => undefined };
  };
}

/** Reads the figures from the API of the engine alone. */
export function apiFigures(clock: Clock): OpenFigures {
  return async ({ id }, link) => {
    const found = await link();
    return found && new EngineStats(found, id, clock);
  };
}
