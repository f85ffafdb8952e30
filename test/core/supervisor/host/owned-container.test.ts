import { describe, expect, it } from 'vitest';
import { createDeferred } from '../../../../electron/core/deferred.ts';
import { Emitter } from '../../../../electron/core/emitter.ts';
import type { ContainerState } from '../../../../electron/core/platform/containers/engine-client.ts';
import type { FoundContainer } from '../../../../electron/core/platform/containers/open-figures.ts';
import type { ExitStatus, SpawnRequest } from '../../../../electron/core/platform/spawner.ts';
import type { ContainerClaim } from '../../../../electron/core/supervisor/custody/container-custody.ts';
import { LocalHost } from '../../../../electron/core/supervisor/host/local-host.ts';
import { createFakeClock } from '../../fake-clock.ts';
import { FakeProcesses, openStreams } from '../fake-processes.ts';

const PID = 100;
const CREATED: ContainerState = {
  isRunning: false,
  isPaused: false,
  pid: 0,
  isOutOfMemory: false,
  exitCode: 0,
};
const RUNNING: ContainerState = { ...CREATED, isRunning: true, pid: 7, memoryLimitBytes: 64 };
const READING = { atMs: 0, memoryBytes: 5, cpuTimeMs: 1, processCount: 1, isPaused: false };

async function start() {
  const clock = createFakeClock();
  const machine = new FakeProcesses();
  machine.add({ pid: PID, ppid: 1, groupId: PID });
  const exit = createDeferred<ExitStatus>();
  const done: string[] = [];
  const engine = {
    state: undefined as ContainerState | undefined,
    isLost: false,
    reading: READING as typeof READING | undefined,
  };
  const claim = {
    request: { command: 'docker', args: ['run', '--label', 'x'], env: {} },
    engine: 'docker',
    onDeath: 'docker rm x',
    find: async () => engine.state && { id: 'full-id', state: engine.state },
    openFigures: async (found: FoundContainer) => {
      done.push(`opens ${found.id}`);
      return { read: () => engine.reading, dispose: () => done.push('closes') };
    },
    link: { happened: new Emitter(), isLostWithin: async () => engine.isLost },
    drop: async () => undefined,
    end: async () => void done.push('removes'),
  } as unknown as ContainerClaim;
  const spawned: SpawnRequest[] = [];
  const streams = openStreams();
  const host = new LocalHost({
    clock,
    table: machine,
    signaller: machine,
    spawner: async (request) => {
      spawned.push(request);
      return { pid: PID, ...streams, exited: exit.promise };
    },
    containers: { claim: async () => claim },
  });
  const run = await host.start({
    server: 'box',
    request: { command: 'docker', args: ['run'], env: {} },
    marker: 'm',
    onHost: () => done.push('tells'),
  });
  const ends = (status: ExitStatus) => {
    machine.end(PID);
    exit.resolve(status);
  };
  /** The client ends by itself. */
  const endsWith = async (status: ExitStatus) => {
    ends(status);
    await clock.advance(5000);
    return run.drained;
  };
  return { clock, done, endsWith, engine, ends, run, spawned };
}

describe('a run in a container', () => {
  it('tells its id as soon as the engine does, and its figures once it runs', async () => {
    const { clock, done, engine, run, spawned } = await start();
    expect(spawned[0]?.args).toEqual(['run', '--label', 'x']);
    expect(run.host).toEqual({ kind: 'container', engine: 'docker' });
    engine.state = CREATED;
    await clock.advance(300);
    expect(run.host).toEqual({ kind: 'container', engine: 'docker', id: 'full-id' });
    expect(run.figures?.read()).toBeUndefined();
    engine.state = RUNNING;
    await clock.advance(300);
    expect(run.host).toMatchObject({ memoryLimitBytes: 64 });
    expect(run.figures?.read()).toEqual(READING);
    expect(done).toEqual(['tells', 'opens full-id']);
    expect(run.record).toMatchObject({ groupPid: PID, onDeath: 'docker rm x' });
  });

  it('says that it ran out of memory, by its engine or by the last look at it, or that its client alone ended, or its engine', async () => {
    const byEngine = await start();
    byEngine.engine.state = { ...RUNNING, isOutOfMemory: true };
    expect(await byEngine.endsWith({ exitCode: 137 })).toEqual({
      exitCode: 137,
      outOfMemory: { limitBytes: 64 },
    });
    const byLook = await start();
    byLook.engine.state = RUNNING;
    await byLook.clock.advance(300);
    byLook.engine.reading = { ...READING, isOutOfMemory: true } as typeof READING;
    expect(await byLook.endsWith({ exitCode: 137 })).toEqual({
      exitCode: 137,
      outOfMemory: { limitBytes: 64 },
    });
    const ofClient = await start();
    ofClient.engine.state = RUNNING;
    expect(await ofClient.endsWith({ signal: 'SIGKILL' })).toEqual({
      signal: 'SIGKILL',
      isClientAlone: true,
    });
    const lost = await start();
    lost.engine.isLost = true;
    expect(await lost.endsWith({ exitCode: 143 })).toEqual({ exitCode: 143, isEngineLost: true });
    const other = await start();
    other.engine.state = RUNNING;
    expect(await other.endsWith({ exitCode: 1 })).toEqual({ exitCode: 1 });
  });

  it('is ended with its client, and its container removed', async () => {
    const { clock, done, engine, ends, run } = await start();
    engine.state = RUNNING;
    await clock.advance(300);
    const ending = run.end({ stopGraceMs: 100, killGraceMs: 100 });
    ends({ exitCode: 0 });
    await clock.advance(5000);
    expect(await ending).toMatchObject({ leftPids: [], forceKilledPids: [] });
    expect(done.slice(2)).toEqual(['closes', 'removes']);
    expect(run.figures?.read()).toBeUndefined();
  });
});
