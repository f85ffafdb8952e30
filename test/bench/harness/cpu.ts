import { descendantsOf } from '../../e2e/support/processes.ts';
import { cpuOf } from '../../support/proc.ts';

/** CPU by user. That of servers counts those that have ended and were waited for. */
const PARTS = ['main', 'page', 'gpu', 'app', 'endedServers'] as const;
type UsedCpu = Readonly<Record<(typeof PARTS)[number], number>>;

/** CPU that the app takes while `act` runs, in percent of a core. Linux only. */
export async function cpuDuring(mainPid: number, act: () => Promise<unknown>): Promise<UsedCpu> {
  const beganMs = performance.now();
  const before = usedCpu(mainPid);
  await act();
  const after = usedCpu(mainPid);
  const elapsedMs = performance.now() - beganMs;
  const percents = PARTS.map((part) => [part, ((after[part] - before[part]) / elapsedMs) * 100]);
  return Object.fromEntries(percents) as UsedCpu;
}

/** CPU time that this process has taken since `process.cpuUsage()` was `before`, in milliseconds. */
export function cpuMsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** CPU time so far, in milliseconds; `app` is that of all its processes, the main one included. */
function usedCpu(mainPid: number): UsedCpu {
  const main = cpuOf(mainPid);
  // Chromium's helpers are found by their type because they hide their environment.
  const own = descendantsOf(mainPid).filter(({ command }) => command.includes('--type='));
  const sumOf = (flag: string) =>
    own.reduce((sum, { pid, command }) => sum + (command.includes(flag) ? cpuOf(pid).ownMs : 0), 0);
  return {
    main: main.ownMs,
    page: sumOf('--type=renderer'),
    gpu: sumOf('--type=gpu-process'),
    app: main.ownMs + sumOf('--type='),
    endedServers: main.endedMs,
  };
}
