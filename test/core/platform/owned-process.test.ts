import { describe, expect, it } from 'vitest';
import { createDeferred } from '../../../electron/core/deferred.ts';
import type { StopReport } from '../../../electron/core/platform/hosted-run.ts';
import { OwnedProcess } from '../../../electron/core/platform/owned-process.ts';
import type { ProcessJob } from '../../../electron/core/platform/process-job.ts';
import type { ProcessTable } from '../../../electron/core/platform/process-table.ts';
import type { StopSignal } from '../../../electron/core/platform/signals.ts';
import type { ExitStatus } from '../../../electron/core/platform/spawner.ts';
import { createFakeClock } from '../fake-clock.ts';
import { FakeProcesses, openStreams } from '../supervisor/fake-processes.ts';

const PID = 100;
const MARKER = 'm';
/** Size of many parts. */
const LARGE_BYTES = 200 * 1024;
const GRACES = { stopGraceMs: 1000, killGraceMs: 1000 };

/** Machine on which the end of `PID` is seen by whoever spawned it. */
class Machine extends FakeProcesses {
  readonly forcedExit: ExitStatus = { signal: 'SIGKILL' };
  readonly exited = createDeferred<ExitStatus>();
  /** Error that every look-up fails with while it is set. */
  lookError: Error | undefined;
  override onLook = () => {
    if (this.lookError) throw this.lookError;
  };

  override end(pid: number): void {
    super.end(pid);
    if (pid === PID) this.exited.resolve(this.forcedExit);
  }
  sentTo(pid: number): StopSignal[] {
    return this.sent.filter(({ process }) => process.pid === pid).map(({ signal }) => signal);
  }
}

/** Kind of look: on Linux, one right before a signal costs nothing; elsewhere every look may fail. */
type Look = 'fast' | 'slow';

async function own(look: Look = 'fast', { ignoresTerm = true } = {}) {
  const machine = new Machine();
  const clock = createFakeClock();
  machine.add({ pid: PID, ppid: 1, groupId: PID, marker: MARKER, ignoresTerm });
  const table: ProcessTable = {
    readTrees: (pids) => machine.readTrees(pids),
    identify: async (pid) => machine.identify(pid),
    listDescendants: async (pid) => machine.listDescendants(pid),
    findByEnvironment: async (name, value) => machine.findByEnvironment(name, value),
    dispose: () => undefined,
    ...(look === 'fast' && {
      identifySync: (pid: number) => {
        machine.onLook();
        return machine.identifySync(pid);
      },
    }),
  };
  const streams = openStreams();
  const spawner = () => Promise.resolve({ pid: PID, ...streams, exited: machine.exited.promise });
  const spawn = () =>
    OwnedProcess.spawn(
      { table, signaller: machine, clock, spawner },
      { command: 'x', args: [], env: {} },
      MARKER,
    );
  return { machine, clock, table, ...streams, spawn, owned: await spawn() };
}

/** Report of an end, for which the clock is moved. */
async function reportOf(clock: ReturnType<typeof createFakeClock>, ending: Promise<StopReport>) {
  await clock.advance(60_000);
  return ending;
}

describe.each<Look>(['fast', 'slow'])('OwnedProcess with a table that cannot be read (%s looks)', (look) => {
  const unreadable = new Error('ps failed: EAGAIN');

  it('ends its child all the same, in the usual order, and tells why it may not be all', async () => {
    const { machine, clock, owned, stdin } = await own(look);
    machine.lookError = unreadable;
    const ending = owned.end(GRACES);
    await clock.advance(999);
    expect([stdin.writableEnded, machine.sent]).toEqual([true, []]);
    await clock.advance(1);
    expect(machine.sentTo(PID)).toEqual(['SIGTERM']);
    const report = await reportOf(clock, ending);
    expect(machine.sentTo(PID)).toEqual(['SIGTERM', 'SIGKILL']);
    expect(report).toMatchObject({ forceKilledPids: [PID], leftPids: [], lookError: unreadable });
  });

  it('counts its child as left until it has exited', async () => {
    const { machine, clock, owned } = await own(look);
    machine.lookError = unreadable;
    machine.signalGroup = () => Promise.resolve(true);
    expect(await reportOf(clock, owned.kill())).toMatchObject({ leftPids: [PID] });
  });

  it('ends escapees that only a second look shows at the very end', async () => {
    const { machine, clock, owned, table } = await own(look);
    machine.add({ pid: 200, ppid: 1, groupId: 200, marker: MARKER });
    const find = table.findByEnvironment.bind(table);
    let looks = 0;
    table.findByEnvironment = async (...args) => {
      looks += 1;
      if (looks === 1) throw unreadable;
      return find(...args);
    };
    const report = await reportOf(clock, owned.end(GRACES));
    expect(report).toMatchObject({ leftPids: [], lookError: undefined });
    expect(machine.all).toEqual([]);
  });

  it('ends escapees as soon as they can be looked up again', async () => {
    const { machine, clock, owned } = await own(look);
    machine.add({ pid: 200, ppid: PID, groupId: 200, marker: MARKER });
    machine.lookError = unreadable;
    const ending = owned.end(GRACES);
    await clock.advance(1000);
    machine.lookError = undefined;
    expect(await reportOf(clock, ending)).toMatchObject({ forceKilledPids: [PID], leftPids: [] });
    expect(machine.all).toEqual([]);
  });
});

describe('OwnedProcess', () => {
  it('is owned although the first look at it fails', async () => {
    const { machine, spawn, clock } = await own();
    machine.lookError = new Error('EMFILE: too many open files');
    const owned = await spawn();
    machine.lookError = undefined;
    expect(await reportOf(clock, owned.kill())).toMatchObject({ forceKilledPids: [PID], leftPids: [] });
  });

  it('says of no process that it was killed that was sent no signal', async () => {
    const { machine, clock, owned } = await own('fast', { ignoresTerm: false });
    machine.signalGroup = () => Promise.resolve(false); // The group is not ours to end.
    machine.signalProcess = () => Promise.resolve(false);
    expect(await reportOf(clock, owned.kill())).toMatchObject({ forceKilledPids: [], leftPids: [PID] });
  });

  it('does not say either that it killed a child which ended during the last look', async () => {
    const { machine, clock, owned, stdin } = await own();
    machine.onLook = () => {
      if (stdin.writableEnded) machine.end(PID);
    };
    expect(await reportOf(clock, owned.kill())).toMatchObject({ forceKilledPids: [], leftPids: [] });
  });

  it('waits for a table that does not answer, but not for ever', async () => {
    const { machine, clock, owned, table } = await own('slow');
    table.identify = () => new Promise(() => undefined);
    table.findByEnvironment = () => new Promise(() => undefined);
    const report = await reportOf(clock, owned.end(GRACES));
    expect(machine.sentTo(PID)).toEqual(['SIGTERM', 'SIGKILL']);
    expect(report).toMatchObject({
      leftPids: [],
      lookError: { message: expect.stringContaining('no answer') as string },
    });
    expect(clock.pending).toBe(0);
  });

  it.each<Look>(['fast', 'slow'])(
    'never signals a stranger who got the pid of its child (%s looks)',
    async (look) => {
      const { machine, clock, owned, stdin } = await own(look);
      machine.onLook = () => {
        if (!stdin.writableEnded) return;
        machine.onLook = () => undefined;
        machine.end(PID);
        machine.add({ pid: PID, ppid: 1, groupId: PID });
      };
      expect(await reportOf(clock, owned.kill())).toMatchObject({ forceKilledPids: [], leftPids: [] });
      expect(machine.sent).toEqual([]);
    },
  );

  it('tries again after an end that failed', async () => {
    const { machine, clock, owned } = await own();
    const signalGroup = machine.signalGroup.bind(machine);
    machine.signalGroup = () => Promise.reject(new Error('taskkill is gone'));
    const failing = expect(owned.kill()).rejects.toThrow('taskkill is gone');
    await clock.advance(60_000);
    await failing;
    machine.signalGroup = signalGroup;
    expect(await reportOf(clock, owned.kill())).toMatchObject({ forceKilledPids: [PID], leftPids: [] });
  });

  it('hurries an end under way when it is killed', async () => {
    const { machine, clock, owned } = await own();
    const ending = owned.end({ stopGraceMs: 3_600_000, killGraceMs: 3_600_000 });
    await clock.advance(1000);
    expect(machine.sent).toEqual([]);
    const killing = owned.kill();
    await clock.advance(0);
    expect(machine.sentTo(PID)).toEqual(['SIGTERM', 'SIGKILL']);
    await reportOf(
      clock,
      Promise.all([ending, killing]).then(([report]) => report),
    );
    expect(clock.pending).toBe(0);
  });

  it('has drained when its reader has the last part, not when the pipe has ended', async () => {
    const { machine, clock, owned, stdout, stderr } = await own();
    let bytes = 0;
    owned.readStdout({ onPart: (part) => (bytes += part.length) });
    owned.readStderr({ onPart: () => undefined });
    const atDrained = owned.drained.then(() => bytes);
    stderr.end();
    stdout.end(Buffer.alloc(LARGE_BYTES));
    machine.end(PID);
    stdout.resume(); // Node.js resumes it when a child has exited.
    await clock.advance(60_000);
    expect(await atDrained).toBe(LARGE_BYTES);
  });

  it('waits for a second without output where somebody else holds the pipe', async () => {
    const { machine, clock, owned, stdout, stderr } = await own();
    owned.readStdout({ onPart: () => undefined });
    owned.readStderr({ onPart: () => undefined });
    let isDrained = false;
    void owned.drained.then(() => (isDrained = true));
    stderr.end();
    machine.end(PID);
    await clock.advance(800);
    stdout.write('from a grandchild');
    await clock.advance(900);
    expect(isDrained).toBe(false);
    await clock.advance(200);
    expect(isDrained).toBe(true);
    expect(clock.pending).toBe(0);
  });

  it('does not count the time in which our own loop stood still', async () => {
    const { machine, clock, owned, stdout } = await own();
    let said = '';
    owned.readStdout({ onPart: (part) => (said += part.toString()) });
    const atDrained = owned.drained.then(() => said);
    machine.end(PID);
    await clock.advance(0);
    clock.jump(60_000);
    setImmediate(() => stdout.end('last words'));
    await clock.advance(60_000);
    expect(await atDrained).toBe('last words');
  });

  it('does not wait for ever while somebody else writes on and on', async () => {
    const { machine, clock, owned, stdout } = await own();
    owned.readStdout({ onPart: () => undefined });
    let isDrained = false;
    void owned.drained.then(() => (isDrained = true));
    machine.end(PID);
    for (let second = 0; second < 10; second += 1) {
      stdout.write('on');
      await clock.advance(900);
    }
    expect(isDrained).toBe(true);
  });
});

const SERVER = 200;

/** Windows: every end is forced and leaves exit code 1, environments are not told, and a job holds what left its parent. */
class WindowsMachine extends Machine {
  override readonly forcedExit = { exitCode: 1 };
  readonly isAlwaysForced = true;
  readonly held = new Set([PID]);
  isClosed = false;
  readonly job: ProcessJob = {
    pids: () => this.all.map(({ pid }) => pid).filter((pid) => this.held.has(pid)),
    terminate: () => {
      for (const pid of this.job.pids()) this.end(pid);
      return true;
    },
    close: () => (this.isClosed = true),
  };

  override findByEnvironment = () => Promise.resolve([]);
}

async function ownOnWindows({ hasJob }: { readonly hasJob: boolean }) {
  const machine = new WindowsMachine();
  const clock = createFakeClock();
  machine.add({ pid: PID, ppid: 1, groupId: PID });
  const job = hasJob ? { job: machine.job } : {};
  const child = { pid: PID, ...openStreams(), exited: machine.exited.promise, ...job };
  const deps = { table: machine, signaller: machine, clock, spawner: async () => child };
  return { machine, clock, owned: await OwnedProcess.spawn(deps, { command: 'x', args: [], env: {} }, 'm') };
}

describe.each([true, false])('OwnedProcess on Windows (with a job: %s)', (hasJob) => {
  it('tells a forced end as one, after the grace for the end of its input alone', async () => {
    const { machine, clock, owned } = await ownOnWindows({ hasJob });
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
    const { machine, clock, owned } = await ownOnWindows({ hasJob });
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
    const { machine, clock, owned } = await ownOnWindows({ hasJob: true });
    machine.add({ pid: SERVER, ppid: 1, groupId: SERVER });
    machine.held.add(SERVER);
    machine.end(PID);
    const ending = owned.end(GRACES);
    await clock.advance(60_000);
    expect(await ending).toMatchObject({ exit: { exitCode: 1 }, forceKilledPids: [SERVER], leftPids: [] });
    expect([machine.all, machine.isClosed]).toEqual([[], true]);
  });

  it('is ended by its pid where the job cannot be', async () => {
    const { machine, clock, owned } = await ownOnWindows({ hasJob: true });
    machine.job.terminate = () => false;
    const ending = owned.kill();
    await clock.advance(60_000);
    expect(await ending).toMatchObject({ forceKilledPids: [PID], leftPids: [] });
    expect(machine.sent.map(({ signal }) => signal)).toEqual(['SIGKILL']);
  });
});
