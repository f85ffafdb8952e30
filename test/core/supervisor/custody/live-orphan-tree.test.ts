import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { spawn } from 'node:child_process';
import { expect, it, onTestFinished } from 'vitest';
import { RUN_MARKER_NAME } from '../../../../electron/core/platform/child-environment.ts';
import { processTableForPlatform } from '../../../../electron/core/platform/process-system.ts';
import { signallerForPlatform } from '../../../../electron/core/platform/signals.ts';
import { systemClock } from '../../../../electron/core/platform/system-clock.ts';
import { reapOrphans } from '../../../../electron/core/supervisor/custody/orphan-reaper.ts';
import { ProcessLedger } from '../../../../electron/core/supervisor/custody/process-ledger.ts';
import { endProcess, fixtureServer, readPids, waitUntil } from '../../../fixtures/fixture-server.ts';
import { isAlive } from '../../../support/proc.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const LIMIT_MS = 60_000;
const MARKER = `orphans-${process.pid}`;

/** Starts a fixture server in a group of its own, with the pids of all that belong to it. */
async function startServer(pidFile: string, flags: string[], processes: number, marker: string) {
  const { command, args } = fixtureServer(...flags, '--ignore-eof', `--pid-file=${pidFile}`);
  const env = { ...process.env, [RUN_MARKER_NAME]: marker };
  const { pid = 0 } = spawn(command, args, { detached: true, stdio: 'ignore', env });
  onTestFinished(() => endProcess(pid));
  const describe = `${processes} processes of ${pidFile}`;
  await waitUntil(() => readPids(pidFile).length === processes, { deadlineMs: 20_000, describe });
  return { pid, pids: readPids(pidFile) };
}

it(
  'ends what a dead panel recorded, stubborn and detached ones too, and no bystander',
  { timeout: LIMIT_MS },
  async () => {
    const home = tempFolder('orphan-tree-');
    const folder = join(home, 'ledger');
    const table = processTableForPlatform();
    onTestFinished(() => table.dispose());
    const start = (name: string, flags: string[], processes: number, marker: string) =>
      startServer(join(home, name), flags, processes, marker);
    const server = await start('server', ['--ignore-sigterm', '--grandchild'], 2, MARKER);
    // Not every system tells the environment of a process.
    const escapees = process.platform === 'linux' ? [await start('escapee', [], 1, MARKER)] : [];
    const bystander = await start('bystander', [], 1, `${MARKER}0`);
    // The test is the parent of all of them, so it cannot be the panel, which spares its own children.
    const panel = await start('panel', [], 1, 'panel');
    const onProblem = (message: string) => expect.unreachable(message);

    const gone = { pid: 4_194_000, startTime: '1' };
    const ledger = new ProcessLedger({
      ...{ folder, fileId: 'x', bootId: 'boot', ownPid: gone.pid, owner: Promise.resolve(gone) },
      ...{ clock: systemClock, onProblem },
    });
    const group = (await table.identify(server.pid))!;
    const recycled = { pid: bystander.pid, startTime: '1' };
    ledger.record({ server: 'web', generation: 3, marker: MARKER, group, members: [recycled] });
    await ledger.close();

    const ownPid = panel.pid;
    const signaller = signallerForPlatform(process.platform);
    const reports = await reapOrphans({
      ...{ folder, table, signaller, clock: systemClock, bootId: 'boot', ownPid, onProblem },
    });
    const orphans = [server, ...escapees].flatMap(({ pids }) => pids);
    expect(reports).toMatchObject([{ server: 'web', leftPids: [] }]);
    expect(new Set(reports[0]!.pids)).toEqual(new Set(orphans));
    // What ends by SIGTERM needs no force.
    if (!signaller.isAlwaysForced) expect(reports[0]!.forceKilledPids).toContain(server.pid);
    for (const { pid } of escapees) expect(reports[0]!.forceKilledPids).not.toContain(pid);
    expect(orphans.filter(isAlive)).toEqual([]);
    expect([bystander, panel].filter(({ pid }) => isAlive(pid))).toHaveLength(2);
    expect(await readdir(folder)).toEqual([]);
  },
);
