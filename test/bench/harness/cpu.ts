import { readFileSync } from 'node:fs';
import { descendantsOf } from '../../e2e/support/processes.ts';

const MS_PER_TICK = 10;

/** CPU by user. That of servers counts those that have ended and were waited for. */
interface UsedCpu {
  readonly main: number;
  readonly page: number;
  readonly gpu: number;
  /** All processes of the app together, the three above included. */
  readonly app: number;
  readonly endedServers: number;
}

/** CPU that the app takes while `act` runs, in percent of a core. Linux only. */
export async function cpuDuring(mainPid: number, act: () => Promise<unknown>): Promise<UsedCpu> {
  const beganMs = performance.now();
  const before = usedCpu(mainPid);
  await act();
  const after = usedCpu(mainPid);
  const elapsedMs = performance.now() - beganMs;
  const percent = (key: keyof UsedCpu) => ((after[key] - before[key]) / elapsedMs) * 100;
  return {
    main: percent('main'),
    page: percent('page'),
    gpu: percent('gpu'),
    app: percent('app'),
    endedServers: percent('endedServers'),
  };
}

/** CPU time so far, in milliseconds. */
function usedCpu(mainPid: number): UsedCpu {
  // Chromium's helpers are found by their type because they hide their environment.
  const own = descendantsOf(mainPid).filter(({ command }) => command.includes('--type='));
  const sumOf = (pids: readonly number[]) => pids.reduce((sum, pid) => sum + cpuTimes(pid).ownMs, 0);
  const ofType = (type: string) =>
    sumOf(own.flatMap(({ pid, command }) => (command.includes(`--type=${type}`) ? [pid] : [])));
  return {
    main: cpuTimes(mainPid).ownMs,
    page: ofType('renderer'),
    gpu: ofType('gpu-process'),
    app: sumOf([mainPid, ...own.map(({ pid }) => pid)]),
    endedServers: cpuTimes(mainPid).reapedMs,
  };
}

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
