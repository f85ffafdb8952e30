import fc from 'fast-check';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  writeLedger,
  type Ledger,
  type LedgerRun,
} from '../../../../electron/core/supervisor/custody/ledger-file.ts';
import {
  reapOrphans,
  type OrphanReport,
} from '../../../../electron/core/supervisor/custody/orphan-reaper.ts';
import { createFakeClock } from '../../fake-clock.ts';
import { FakeProcesses, type FakeProcess } from '../fake-processes.ts';
import { propertyRuns } from '../../../support/property-runs.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const OWN_PID = 5000;
const deadOwner = { pid: 4242, startTime: 'long ago' };

let folder: string;
beforeEach(async () => {
  folder = join(tempFolder('reaper-'), 'ledger');
  await mkdir(folder);
});

function createMachine(): FakeProcesses {
  const machine = new FakeProcesses();
  machine.add({ pid: 1, ppid: 0, groupId: 1, command: 'init' });
  machine.add({ pid: OWN_PID, ppid: 1, groupId: OWN_PID, command: 'panel' });
  return machine;
}

const ledgerOf = (runs: LedgerRun[], owner = deadOwner, bootId = 'boot'): Ledger => ({
  version: 1,
  bootId,
  owner,
  runs,
});
const leave = (ledger: Ledger, name = '4242-a.json') => writeLedger(join(folder, name), folder, ledger);

/** Runs the reaper to its end on a clock that moves as long as it waits. */
async function reap(machine: FakeProcesses, bootId: string | undefined = 'boot') {
  const clock = createFakeClock();
  const problems: string[] = [];
  let reports: readonly OrphanReport[] | undefined;
  const onProblem = (message: string) => problems.push(message);
  const deps = { folder, table: machine, signaller: machine, clock, bootId, ownPid: OWN_PID, onProblem };
  const done = reapOrphans(deps).then((result) => (reports = result));
  while (reports === undefined) await clock.advance(50);
  await done;
  return { reports, problems, pending: clock.pending, files: await readdir(folder) };
}

function runOf(server: string, group: FakeProcess, ...members: FakeProcess[]): LedgerRun {
  const identity = ({ pid, startTime }: FakeProcess) => ({ pid, startTime });
  return {
    server,
    generation: 1,
    marker: `m-${server}`,
    group: identity(group),
    members: members.map(identity),
  };
}

describe('reapOrphans', () => {
  it('says that it ended by force what ends in no other way on Windows', async () => {
    const machine = Object.assign(createMachine(), { isAlwaysForced: true });
    const server = machine.add({ pid: 100, ppid: 1, groupId: 100 });
    await leave(ledgerOf([runOf('files', server)]));
    const { reports } = await reap(machine);
    expect(reports).toMatchObject([{ pids: [100], forceKilledPids: [100], leftPids: [] }]);
  });

  it('ends a group whose leader is gone, by a member that is still in it', async () => {
    const machine = createMachine();
    const leader = machine.add({ pid: 100, ppid: 1, groupId: 100 });
    const member = machine.add({ pid: 101, ppid: 100, groupId: 100 });
    machine.add({ pid: 102, ppid: 1, groupId: 100 });
    machine.end(100);
    await leave(ledgerOf([runOf('web', leader, member)]));
    await reap(machine);
    expect(machine.all.map(({ pid }) => pid)).toEqual([1, OWN_PID]);
  });

  it('has nothing to do in a home without ledgers', async () => {
    expect(await reap(createMachine())).toMatchObject({ reports: [], problems: [], pending: 0 });
  });

  it('ends the group, what left it, and what only the marker gives away, and removes the ledger', async () => {
    const machine = createMachine();
    const leader = machine.add({ pid: 100, ppid: 1, groupId: 100, command: 'npx' });
    machine.add({ pid: 101, ppid: 100, groupId: 100, command: 'node' });
    const browser = machine.add({ pid: 102, ppid: 1, groupId: 102, command: 'chrome' });
    machine.add({ pid: 103, ppid: 102, groupId: 102, command: 'chrome' });
    machine.add({ pid: 104, ppid: 1, groupId: 104, command: 'escapee', marker: 'm-web' });
    const stranger = machine.add({ pid: 105, ppid: 1, groupId: 105, marker: 'm-other' });
    await leave(ledgerOf([runOf('web', leader, browser)]));
    const { reports, files, pending } = await reap(machine);
    expect(reports).toEqual([
      {
        server: 'web',
        pids: [100, 101, 102, 103, 104],
        commands: ['npx', 'node', 'chrome', 'escapee'],
        forceKilledPids: [],
        leftPids: [],
      },
    ]);
    expect(machine.all.map(({ pid }) => pid)).toEqual([1, OWN_PID, stranger.pid]);
    expect([files, pending]).toEqual([[], 0]);
  });

  it('signals each process once per step', async () => {
    const machine = createMachine();
    const leader = machine.add({ pid: 100, ppid: 1, groupId: 100, marker: 'm-web', ignoresTerm: true });
    const child = machine.add({ pid: 101, ppid: 100, groupId: 100, marker: 'm-web', ignoresTerm: true });
    await leave(ledgerOf([runOf('web', leader, leader, child)]));
    const { reports } = await reap(machine);
    expect(machine.sent.map(({ process, signal }) => `${process.pid} ${signal}`)).toEqual([
      '100 SIGTERM',
      '101 SIGTERM',
      '100 SIGKILL',
      '101 SIGKILL',
    ]);
    expect(reports).toMatchObject([{ pids: [100, 101], forceKilledPids: [100, 101], leftPids: [] }]);
  });

  it('leaves the runs of a panel alone that still lives', async () => {
    const machine = createMachine();
    const other = machine.add({ pid: 4000, ppid: 1, groupId: 4000 });
    const leader = machine.add({ pid: 100, ppid: 4000, groupId: 100 });
    await leave(ledgerOf([runOf('web', leader)], other), '4000-x.json');
    expect(await reap(machine)).toMatchObject({ reports: [], files: ['4000-x.json'] });
    expect(machine.isAlive(leader)).toBe(true);
  });

  it('ends nothing of another boot, and removes the ledger', async () => {
    const machine = createMachine();
    const leader = machine.add({ pid: 100, ppid: 1, groupId: 100, marker: 'm-web' });
    await leave(ledgerOf([runOf('web', leader)], deadOwner, 'boot before'));
    expect(await reap(machine)).toMatchObject({ reports: [], files: [] });
    expect(machine.sent).toEqual([]);
  });

  it('ends and removes nothing where the boot is unknown', async () => {
    const machine = createMachine();
    const leader = machine.add({ pid: 100, ppid: 1, groupId: 100 });
    await leave(ledgerOf([runOf('web', leader)]));
    const deps = { folder, table: machine, signaller: machine, clock: createFakeClock(), ownPid: OWN_PID };
    const reports = await reapOrphans({ ...deps, bootId: undefined, onProblem: () => undefined });
    expect([reports, await readdir(folder)]).toEqual([[], ['4242-a.json']]);
  });

  it.each([
    ['cut off', '{"version":1,"bootId":"boot","own'],
    ['empty', ''],
    ['of a later version', JSON.stringify({ ...ledgerOf([]), version: 2 })],
    [
      'with a pid that means every process',
      JSON.stringify(
        ledgerOf([{ server: 's', generation: 1, marker: 'm', group: { pid: -1 }, members: [] }]),
      ),
    ],
    [
      'with a pid of 1',
      JSON.stringify(
        ledgerOf([{ server: 's', generation: 1, marker: 'm', members: [{ pid: 1, startTime: 't1' }] }]),
      ),
    ],
  ])('sets a ledger aside that is %s, says so, and still reads the others', async (_name, text) => {
    const machine = createMachine();
    const leader = machine.add({ pid: 100, ppid: 1, groupId: 100 });
    await writeFile(join(folder, '3000-b.json'), text);
    await leave(ledgerOf([runOf('web', leader)]));
    const { reports, problems, files } = await reap(machine);
    expect(reports).toMatchObject([{ pids: [100] }]);
    expect(files).toEqual(['3000-b.json.broken']);
    expect(problems).toEqual([expect.stringContaining('3000-b.json')]);
  });

  it('keeps the ledger while something does not go away, and tries again at the next start', async () => {
    const machine = createMachine();
    const leader = machine.add({ pid: 100, ppid: 1, groupId: 100 });
    await leave(ledgerOf([runOf('web', leader)]));
    const signalGroup = machine.signalGroup.bind(machine);
    machine.signalGroup = () => Promise.resolve(false);
    expect(await reap(machine)).toMatchObject({ reports: [{ leftPids: [100] }], files: ['4242-a.json'] });
    machine.signalGroup = signalGroup;
    expect(await reap(machine)).toMatchObject({ reports: [{ leftPids: [] }], files: [] });
  });

  it('removes what a killed panel had begun to write, and not what a living one writes now', async () => {
    const machine = createMachine();
    await writeFile(join(folder, '4242-a.json.tmp'), '{');
    await writeFile(join(folder, `${OWN_PID}-b.json.tmp`), '{');
    expect((await reap(machine)).files).toEqual([`${OWN_PID}-b.json.tmp`]);
  });

  it('spares itself, its children and its parents, also when it was started from one of the servers', async () => {
    const machine = new FakeProcesses();
    const shell = machine.add({ pid: 100, ppid: 1, groupId: 100, marker: 'm-shell' });
    const helper = machine.add({ pid: 101, ppid: 100, groupId: 100, marker: 'm-shell' });
    machine.add({ pid: OWN_PID, ppid: 100, groupId: 100, marker: 'm-shell' });
    machine.add({ pid: 5001, ppid: OWN_PID, groupId: 100, marker: 'm-shell' });
    await leave(ledgerOf([runOf('shell', shell, helper)]));
    expect((await reap(machine)).reports).toMatchObject([{ pids: [101] }]);
    expect(machine.all.map(({ pid }) => pid)).toEqual([100, OWN_PID, 5001]);
  });

  it('reports a process table that fails, and lets the panel start', async () => {
    const machine = createMachine();
    await leave(ledgerOf([runOf('web', machine.add({ pid: 100, ppid: 1, groupId: 100 }))]));
    machine.readTrees = () => Promise.reject(new Error('ps is gone'));
    const { reports, problems, files } = await reap(machine);
    expect(reports).toEqual([]);
    expect(problems).toEqual([expect.stringContaining('ps is gone')]);
    expect(files).toEqual(['4242-a.json']);
  });

  it('ends all of ours and nobody else, whatever dies and is born with whatever pid meanwhile', async () => {
    const birth = fc.record({
      pid: fc.integer({ min: 2, max: 14 }),
      ppid: fc.integer({ min: 1, max: 14 }),
      isLeader: fc.boolean(),
      isRecorded: fc.boolean(),
      isMarked: fc.boolean(),
      ignoresTerm: fc.boolean(),
    });
    const change = fc.oneof(
      fc.record({ end: fc.integer({ min: 2, max: 14 }) }),
      fc.record({
        pid: fc.integer({ min: 2, max: 14 }),
        ppid: fc.integer({ min: 1, max: 14 }),
        isLeader: fc.boolean(),
      }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(birth, { maxLength: 10 }),
        fc.array(change, { maxLength: 30 }),
        fc.nat(15),
        async (births, changes, changesBefore) => {
          const machine = createMachine();
          const ours = new Set<string>();
          const { runs, findable } = populate(machine, births, ours);
          const happen = () => apply(machine, changes.shift(), ours);
          for (let index = 0; index < changesBefore; index += 1) happen();
          await leave(ledgerOf(runs));
          machine.onLook = happen;
          await reap(machine);
          expect(machine.sent.filter(({ process }) => !ours.has(process.startTime))).toEqual([]);
          if (changes.length === 0)
            expect(findable.filter((process) => machine.isAlive(process))).toEqual([]);
        },
      ),
      { numRuns: propertyRuns(300) },
    );
  });
});

interface Birth {
  readonly pid: number;
  readonly ppid: number;
  readonly isLeader: boolean;
  readonly isRecorded?: boolean;
  readonly isMarked?: boolean;
  readonly ignoresTerm?: boolean;
}

/**
 * Gives a free pid a process; its parent is one that lives, and its group that of the parent unless it leads
 * its own.
 */
function bear(machine: FakeProcesses, birth: Birth, marker?: string): FakeProcess | undefined {
  if (machine.identifySync(birth.pid)) return undefined;
  // The kernel gives no pid to a new process while a group of that number has members.
  if (machine.all.some(({ groupId }) => groupId === birth.pid)) return undefined;
  const parent = machine.all.find(({ pid }) => pid === birth.ppid) ?? machine.all[0]!;
  const groupId = birth.isLeader ? birth.pid : parent.groupId;
  return machine.add({ pid: birth.pid, ppid: parent.pid, groupId, marker, ignoresTerm: birth.ignoresTerm });
}

/**
 * Adds the processes of one run, of which the ledger knows some: the first leads the group, the others
 * descend from it.
 */
function populate(machine: FakeProcesses, births: readonly Birth[], ours: Set<string>) {
  const [first, ...others] = births;
  if (!first) return { runs: [], findable: [] };
  const leader = bear(machine, { ...first, ppid: 1, isLeader: true })!;
  const members = others.flatMap((birth) => {
    const parents = [leader, ...machine.all.filter(({ startTime }) => ours.has(startTime))];
    const parent = parents[birth.ppid % parents.length]!;
    const born = bear(machine, { ...birth, ppid: parent.pid }, birth.isMarked ? 'm-web' : undefined);
    if (born) ours.add(born.startTime);
    return born ? [{ born, birth }] : [];
  });
  ours.add(leader.startTime);
  const recorded = members.filter(({ birth }) => birth.isRecorded).map(({ born }) => born);
  const marked = members.filter(({ birth }) => birth.isMarked).map(({ born }) => born);
  return { runs: [runOf('web', leader, ...recorded)], findable: [leader, ...recorded, ...marked] };
}

/**
 * Applies a change: somebody dies, or is born as a child of a stranger, or of one of ours, which makes it
 * ours.
 */
function apply(machine: FakeProcesses, change: { end: number } | Birth | undefined, ours: Set<string>): void {
  if (!change) return;
  if ('end' in change) return machine.end(change.end);
  const parent = machine.all.find(({ pid }) => pid === change.ppid);
  const born = bear(machine, change);
  if (born && parent && ours.has(parent.startTime)) ours.add(born.startTime);
}
