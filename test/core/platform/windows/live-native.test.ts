import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { StopReport } from '../../../../electron/core/platform/hosted-run.ts';
import { openProcessSystem } from '../../../../electron/core/platform/process-system.ts';
import { systemClock } from '../../../../electron/core/platform/system-clock.ts';
import { endProcess } from '../../../fixtures/fixture-server.ts';
import { isAlive } from '../../../support/proc.ts';
import { onlyOn } from '../../../support/skip-on.ts';

const HOST = new URL('job-host.ts', import.meta.url);
/** How long after the death of the panel its servers may live. */
const ORPHAN_LIMIT_MS = 2000;
const POLL_MS = 20;
/** A Windows machine that is busy, or emulated, takes seconds for each Node that starts. */
const TIMEOUT_MS = 120_000;

type Pids = Readonly<Record<'wrapper' | 'server', number>>;

const endLater = (pid: number) => onTestFinished(() => endProcess(pid));

async function startHost(how: 'leaves' | 'stays') {
  const { pathname } = HOST;
  const file = pathname.replace(/^\/(?=[A-Z]:)/, '');
  const host = spawn(process.execPath, [file, how], { stdio: ['pipe', 'pipe', 'inherit'] });
  endLater(host.pid!);
  const lines = createInterface({ input: host.stdout })[Symbol.asyncIterator]();
  const next = async <T>() => JSON.parse((await lines.next()).value as string) as T;
  const pids = await next<Pids>();
  for (const pid of Object.values(pids)) endLater(pid);
  return { host, pids, next };
}

/** Time until none of `pids` lives; Infinity when one does at the limit. */
async function goneAfterMs(pids: readonly number[]): Promise<number> {
  const begin = systemClock.now();
  while (pids.some(isAlive)) {
    if (systemClock.now() - begin > ORPHAN_LIMIT_MS) return Infinity;
    await new Promise((resolve) => void setTimeout(resolve, POLL_MS));
  }
  return systemClock.now() - begin;
}

const isWindows = onlyOn('win32', 'the kernel of another system has neither the list nor jobs');

describe('processes as the kernel of Windows tells them', isWindows, () => {
  it('are listed with what they cost, and told apart from later ones', async () => {
    const { table, problem } = await openProcessSystem({ clock: systemClock, platform: 'win32' });
    expect(problem).toBeUndefined();
    const [own] = (await table.readTrees([process.pid])).get(process.pid) ?? [];
    expect(own).toMatchObject({ pid: process.pid, ppid: process.ppid, command: 'node.exe' });
    expect(own!.rssBytes).toBeGreaterThan(1024 * 1024);
    expect(own!.cpuTimeMs).toBeGreaterThan(0);
    expect(table.identifySync?.(process.pid)).toEqual({ pid: process.pid, startTime: own!.startTime });
    const details = await table.describe!([own!]);
    expect(Math.abs(Date.now() - details.get(process.pid)!.startedAtMs!)).toBeLessThan(3_600_000);
    table.dispose();
  });

  it('are gone once they have ended, although a handle to them is open', async () => {
    const { table } = await openProcessSystem({ clock: systemClock, platform: 'win32' });
    const child = spawn(process.execPath, ['-e', 'process.stdin.resume()'], {
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    await once(child, 'spawn');
    const found = await table.identify(child.pid!);
    expect(found?.pid).toBe(child.pid);
    child.stdin.end();
    await once(child, 'exit');
    expect((await table.identify(child.pid!))?.startTime).not.toBe(found!.startTime);
    table.dispose();
  });

  it.each(['leaves', 'stays'] as const)(
    'end with a panel that is killed (the wrapper %s)',
    { timeout: TIMEOUT_MS },
    async (how) => {
      const { host, pids } = await startHost(how);
      await expect.poll(() => isAlive(pids.wrapper), { timeout: TIMEOUT_MS / 2 }).toBe(how === 'stays');
      expect(isAlive(pids.server)).toBe(true);
      host.kill('SIGKILL');
      await once(host, 'exit');
      expect(await goneAfterMs([pids.wrapper, pids.server])).toBeLessThanOrEqual(ORPHAN_LIMIT_MS);
    },
  );

  it('end as one, and are told to have been ended by force', { timeout: TIMEOUT_MS }, async () => {
    const { host, pids, next } = await startHost('stays');
    host.stdin.write('end\n');
    const report = await next<StopReport>();
    expect(report).toMatchObject({ exit: { signal: 'SIGKILL' }, leftPids: [] });
    expect(report.forceKilledPids).toEqual(expect.arrayContaining([pids.wrapper, pids.server]));
    expect(await goneAfterMs([pids.wrapper, pids.server])).toBeLessThanOrEqual(ORPHAN_LIMIT_MS);
  });
});
