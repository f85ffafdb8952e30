import { readFileSync } from 'node:fs';
import { descendantsOf, processesOfTest } from '../../e2e/support/processes.ts';
import { FAILING_MARK } from './servers.ts';

const MS_PER_TICK = 10;

/** CPU time used so far, by user. That of servers counts those that have ended and were waited for. */
export interface UsedCpu {
  readonly atMs: number;
  readonly mainMs: number;
  readonly pageMs: number;
  readonly gpuMs: number;
  /** All processes of the app together, the two above included. */
  readonly appMs: number;
  readonly endedServersMs: number;
}

export function usedCpu(mainPid: number): UsedCpu {
  // Chromium's helpers are found by their type because they hide their environment.
  const own = descendantsOf(mainPid).filter(({ command }) => command.includes('--type='));
  const sumOf = (pids: readonly number[]) => pids.reduce((sum, pid) => sum + cpuTimes(pid).ownMs, 0);
  const ofType = (type: string) =>
    sumOf(own.flatMap(({ pid, command }) => (command.includes(`--type=${type}`) ? [pid] : [])));
  return {
    atMs: performance.now(),
    mainMs: cpuTimes(mainPid).ownMs,
    pageMs: ofType('renderer'),
    gpuMs: ofType('gpu-process'),
    appMs: sumOf([mainPid, ...own.map(({ pid }) => pid)]),
    endedServersMs: cpuTimes(mainPid).reapedMs,
  };
}

/** Living processes of servers that never come up: each is one start. */
export const failingStarts = (runId: string): number =>
  processesOfTest(runId).filter(({ command, isServer }) => isServer && command.includes(FAILING_MARK)).length;

function cpuTimes(pid: number): { readonly ownMs: number; readonly reapedMs: number } {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [user = 0, system = 0, reapedUser = 0, reapedSystem = 0] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 15)
      .map(Number);
    return { ownMs: (user + system) * MS_PER_TICK, reapedMs: (reapedUser + reapedSystem) * MS_PER_TICK };
  } catch {
    return { ownMs: 0, reapedMs: 0 }; // The process has ended.
  }
}
