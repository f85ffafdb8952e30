import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createDeferred } from '../../../electron/core/deferred.ts';
import { OwnedProcess } from '../../../electron/core/platform/owned-process.ts';
import type { ProcessJob } from '../../../electron/core/platform/process-job.ts';
import type { ExitStatus } from '../../../electron/core/platform/spawner.ts';
import { createFakeClock } from '../fake-clock.ts';
import { FakeProcesses } from '../supervisor/fake-processes.ts';

const PID = 100;
const SERVER = 200;
const GRACES = { stopGraceMs: 1000, killGraceMs: 1000 };

/** Windows: every end is forced and leaves exit code 1, environments are not told, and a job holds what left its parent. */
class Machine extends FakeProcesses {
  readonly isAlwaysForced = true;
  readonly exited = createDeferred<ExitStatus>();
  readonly held = new Set<number>();
  isClosed = false;
  readonly job: ProcessJob = {
    pids: () => this.all.map(({ pid }) => pid).filter((pid) => this.held.has(pid)),
    terminate: () => {
      for (const pid of this.job.pids()) this.end(pid);
      return true;
    },
    close: () => (this.isClosed = true),
  };

  override end(pid: number): void {
    super.end(pid);
    if (pid === PID) this.exited.resolve({ exitCode: 1 });
  }
  override findByEnvironment = () => Promise.resolve([]);
}

async function own({ hasJob }: { readonly hasJob: boolean }) {
  const machine = new Machine();
  const clock = createFakeClock();
  machine.add({ pid: PID, ppid: 1, groupId: PID });
  machine.held.add(PID);
  const streams = { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() };
  const child = { pid: PID, ...streams, exited: machine.exited.promise, ...(hasJob && { job: machine.job }) };
  const deps = { table: machine, signaller: machine, clock, spawner: async () => child };
  return { machine, clock, owned: await OwnedProcess.spawn(deps, { command: 'x', args: [], env: {} }, 'm') };
}

describe.each([true, false])('OwnedProcess on Windows (with a job: %s)', (hasJob) => {
  it('tells a forced end as one, after the grace for the end of its input alone', async () => {
    const { machine, clock, owned } = await own({ hasJob });
    const ending = owned.end(GRACES);
    await clock.advance(999);
    expect(machine.isAlive(owned.record.members[0]!)).toBe(true);
    await clock.advance(1);
    expect(machine.all).toEqual([]);
    await clock.advance(60_000);
    expect(await ending).toMatchObject({
      exit: { signal: 'SIGKILL' },
      forceKilledPids: [PID],
      leftPids: [],
    });
  });

  it('tells an end of its own accord as that', async () => {
    const { machine, clock, owned } = await own({ hasJob });
    const ending = owned.end(GRACES);
    await clock.advance(500);
    machine.end(PID);
    await clock.advance(60_000);
    expect(await ending).toMatchObject({ exit: { exitCode: 1 }, forceKilledPids: [] });
    expect(machine.isClosed).toBe(hasJob);
  });
});

describe('OwnedProcess with a job', () => {
  it('ends what nobody has ever seen below it, once its parent is gone', async () => {
    const { machine, clock, owned } = await own({ hasJob: true });
    machine.add({ pid: SERVER, ppid: 1, groupId: SERVER });
    machine.held.add(SERVER);
    machine.end(PID);
    const ending = owned.end(GRACES);
    await clock.advance(60_000);
    expect(await ending).toMatchObject({ exit: { exitCode: 1 }, forceKilledPids: [SERVER], leftPids: [] });
    expect([machine.all, machine.isClosed]).toEqual([[], true]);
  });

  it('is ended by its pid where the job cannot be', async () => {
    const { machine, clock, owned } = await own({ hasJob: true });
    machine.job.terminate = () => false;
    const ending = owned.kill();
    await clock.advance(60_000);
    expect(await ending).toMatchObject({ forceKilledPids: [PID], leftPids: [] });
    expect(machine.sent.map(({ signal }) => signal)).toEqual(['SIGKILL']);
  });
});
