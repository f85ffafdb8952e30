import type { Clock } from '../clock.ts';
import { ProcessLineHelper } from './line-helper.ts';
import { LinuxProcessTable } from './linux-process-table.ts';
import type { ProcessTable } from './process-table.ts';
import { PsProcessTable } from './ps-process-table.ts';
import { FootprintTable } from './ps/footprint-table.ts';
import { readUsage } from './ps/pidusage-reader.ts';
import { runCommand } from './run-command.ts';
import { systemClock } from './system-clock.ts';
import { WindowsProcessTable } from './windows-process-table.ts';
import { HELPER_ARGS } from './windows/helper-script.ts';
import { PowerShellProcesses } from './windows/powershell-processes.ts';
import { systemProgram } from './windows/system-program.ts';

/** Limit for one answer; PowerShell alone needs seconds to start on a cold disk. */
const WINDOWS_ANSWER_TIMEOUT_MS = 20_000;

/** Returns the best process table on `platform` without native code. Starts programs on demand. The caller disposes it. */
export function processTableForPlatform(
  clock: Clock = systemClock,
  platform: NodeJS.Platform = process.platform,
): ProcessTable {
  if (platform === 'linux') return new LinuxProcessTable();
  if (platform === 'win32') {
    const options = {
      command: systemProgram('WindowsPowerShell\\v1.0\\powershell.exe'),
      args: HELPER_ARGS,
      clock,
      timeoutMs: WINDOWS_ANSWER_TIMEOUT_MS,
    };
    return new WindowsProcessTable(new PowerShellProcesses(new ProcessLineHelper(options)));
  }
  if (platform !== 'darwin') return new PsProcessTable({ run: runCommand, clock, readUsage });
  return new FootprintTable({
    table: new PsProcessTable({ run: runCommand, clock }),
    run: runCommand,
    clock,
  });
}
