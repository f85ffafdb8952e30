import { connect } from 'node:net';
import type { Clock } from '../../clock.ts';
import { createProcFiles } from '../proc/proc-files.ts';
import { containerCgroup } from './container-cgroup.ts';
import type { ContainerFigures } from './container-reading.ts';
import type { ContainerState, EngineClient } from './engine-client.ts';
import { EngineStats } from './engine-stats.ts';
import { DialAgent, EngineApi } from './engine-api.ts';
import { findEngineSocket, type EngineSocket } from './engine-socket.ts';

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
    return socket && apiFigures(socket, id, clock);
  };
}

/** Reads the figures from the API of an engine at a place of this machine. The caller disposes them. */
export function apiFigures(socket: EngineSocket, id: string, clock: Clock): ContainerFigures {
  const place = 'socketPath' in socket ? { path: socket.socketPath } : socket;
  const agent = new DialAgent(() => connect(place), { keepAlive: false });
  const api = new EngineApi({ calls: agent, streams: agent }, clock);
  const stats = new EngineStats(api, id, clock);
  const dispose = () => {
    stats.dispose();
    api.cut();
  };
  return { read: () => stats.read(), dispose };
}
