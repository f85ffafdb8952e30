import { spawn } from 'node:child_process';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { RUN_MARKER_NAME } from '../../../../electron/core/platform/child-environment.ts';
import { processTableForPlatform } from '../../../../electron/core/platform/process-system.ts';
import { signallerForPlatform } from '../../../../electron/core/platform/signals.ts';
import { systemClock } from '../../../../electron/core/platform/system-clock.ts';
import { reapOrphans } from '../../../../electron/core/supervisor/custody/orphan-reaper.ts';
import { ProcessLedger } from '../../../../electron/core/supervisor/custody/process-ledger.ts';
import { holdsWithin } from '../../../../electron/core/wait.ts';
import { allPids, isAlive, readProc, statOf } from '../../../support/proc.ts';
import { onlyOn } from '../../../support/skip-on.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

/** Starts a shell line ending in `sleep` in a group of its own. Resolves with the pid once it sleeps. */
async function start(line: string, marker: string): Promise<number> {
  const env = { ...process.env, [RUN_MARKER_NAME]: marker };
  const child = spawn('/bin/sh', ['-c', line], { detached: true, stdio: 'ignore', env });
  const pid = child.pid!;
  onTestFinished(() => void child.kill('SIGKILL'));
  await eventually(() => readProc(pid, 'cmdline').startsWith('sleep'));
  return pid;
}

async function eventually(condition: () => boolean): Promise<void> {
  const limits = { limitMs: 10_000, intervalMs: 10 };
  if (!(await holdsWithin(systemClock, () => Promise.resolve(condition()), limits)))
    throw new Error('too late');
}

describe('reapOrphans among real processes', onlyOn('linux', 'it reads /proc'), () => {
  it('ends what a dead panel recorded, stubborn and detached ones too, and no bystander', async () => {
    const folder = join(tempFolder('reaper-'), 'ledger');
    const marker = `reaper-test-${process.pid}`;
    const stubborn = await start('trap "" TERM HUP; sleep 1000 & exec sleep 1000', marker);
    const group = allPids().filter((pid) => Number(statOf(pid)[2]) === stubborn);
    const escapee = await start('exec sleep 1000', marker);
    // The test is the parent of all of them, so it cannot be the panel that spares its own children.
    const panel = await start('exec sleep 1000', 'panel');
    const bystander = await start('exec sleep 1000', `${marker}0`);

    const ownPid = 4_194_000;
    const owner = Promise.resolve({ pid: ownPid, startTime: '1' });
    const ledger = new ProcessLedger({
      ...{ folder, fileId: 'x', bootId: 'boot', ownPid, owner, clock: systemClock },
      onProblem: (message) => expect.unreachable(message),
    });
    const identity = { pid: stubborn, startTime: statOf(stubborn)[19]! };
    const recycled = { pid: bystander, startTime: '1' };
    ledger.record({ server: 'web', generation: 3, marker, group: identity, members: [recycled] });
    await ledger.close();

    const reports = await reapOrphans({
      ...{ folder, table: processTableForPlatform(), signaller: signallerForPlatform(process.platform) },
      ...{ clock: systemClock, bootId: 'boot', ownPid: panel },
      onProblem: (message) => expect.unreachable(message),
    });
    expect(reports).toMatchObject([{ server: 'web', commands: ['sleep'], leftPids: [] }]);
    expect(new Set(reports[0]!.pids)).toEqual(new Set([...group, escapee]));
    expect(new Set(reports[0]!.forceKilledPids)).toEqual(new Set(group));
    expect([...group, escapee].filter(isAlive)).toEqual([]);
    expect([bystander, panel].filter(isAlive)).toHaveLength(2);
    expect(await readdir(folder)).toEqual([]);
    await rm(join(folder, '..'), { recursive: true });
  });
});
