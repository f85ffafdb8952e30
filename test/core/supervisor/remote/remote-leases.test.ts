import { describe, expect, it } from 'vitest';
import type { RemoteServerConfig, ServerConfig } from '../../../../shared/server-config.ts';
import { Emitter } from '../../../../electron/core/emitter.ts';
import { systemClock } from '../../../../electron/core/platform/system-clock.ts';
import { SupervisedSessions } from '../../../../electron/core/sessions/supervised-sessions.ts';
import { resolveSharing } from '../../../../electron/core/sessions/sharing/sharing.ts';
import { RemoteRun } from '../../../../electron/core/supervisor/remote/remote-run.ts';
import { ServerSupervisor } from '../../../../electron/core/supervisor/server-supervisor.ts';
import { supervisorDeps } from '../supervisor-deps.ts';
import { remoteConfig, remoteDeps } from './remote-bench.ts';
import { startServer, streamableBackend } from './test-server.ts';

/** Sessions over one supervised remote server. */
async function bench(mode: 'shared' | 'exclusive') {
  const backend = streamableBackend();
  const server = await startServer(backend.handler);
  const changes = new Emitter<string>();
  const deps = remoteDeps();
  const create = (config: ServerConfig) =>
    new ServerSupervisor(config, {
      ...supervisorDeps(systemClock),
      createRun: (current, hooks) => new RemoteRun(deps, current as RemoteServerConfig, hooks),
      onState: () => changes.emit(config.name),
    });
  const supervisor = create(remoteConfig(server.url, { sessions: { mode } }));
  const sessions = new SupervisedSessions<ServerSupervisor>({
    clock: systemClock,
    wallClock: systemClock,
    servers: { get: () => supervisor, onStateChange: (listener) => changes.subscribe(listener) },
    createInstance: (config) => create(config),
    sharingOf: (config) => resolveSharing(config, undefined),
    onChange: () => undefined,
    notice: () => undefined,
  });
  await supervisor.start();
  const deletions = () => server.log().filter((entry) => entry === 'DELETE').length;
  const dispose = async () => {
    await sessions.close();
    await supervisor.stop();
    await server.close();
  };
  return { backend, server, sessions, supervisor, deletions, dispose };
}

describe('leases on a remote server', () => {
  it('share one session of the server, which outlives them: nothing is deleted before the server is stopped', async () => {
    const { backend, sessions, deletions, dispose } = await bench('shared');
    const one = await sessions.acquire('one', 'remote');
    const other = await sessions.acquire('other', 'remote');
    expect(one.generation).toBe(other.generation);
    expect(backend.sessions.size).toBe(1);
    await one.release();
    expect(deletions()).toBe(0);
    await expect(other.request('tools/list', {})).resolves.toEqual({ tools: [] });
    await other.release();
    expect(deletions()).toBe(0);
    await dispose();
    expect(deletions()).toBe(1);
    expect(backend.sessions.size).toBe(0);
  });

  it('have a session each where they need one of their own, which is deleted with its last lease', async () => {
    const { backend, sessions, deletions, dispose } = await bench('exclusive');
    const one = await sessions.acquire('one', 'remote');
    const other = await sessions.acquire('other', 'remote');
    expect(one.generation).not.toBe(other.generation);
    expect(backend.sessions.size).toBe(3);
    await one.release();
    await sessions.evict('remote', one.generation);
    expect(deletions()).toBe(1);
    await expect(other.request('tools/list', {})).resolves.toEqual({ tools: [] });
    await dispose();
    expect(deletions()).toBe(3);
    expect(backend.sessions.size).toBe(0);
  });
});
