import type { RunningProcess } from '../../../../../electron/core/config/moving/copies/running-copies.ts';

export const MIB = 1024 * 1024;

/** A process of a table: its short name is that of the first word, unless another is told. */
export function row(
  pid: number,
  ppid: number,
  commandLine: string,
  { command = commandLine.split(' ')[0]!.split(/[\\/]/).at(-1)!, mib = 10 } = {},
): RunningProcess {
  return {
    pid,
    ppid,
    command,
    commandLine,
    startTime: String(pid),
    isStopped: false,
    isHeld: false,
    cpuTimeMs: 0,
    reapedCpuTimeMs: 0,
    rssBytes: mib * MIB,
    privateBytes: mib * MIB,
    sharedBytes: 0,
  };
}
