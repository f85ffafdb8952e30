import type { Clock } from '../clock.ts';
import { processTableForPlatform } from './process-table-for-platform.ts';
import type { ProcessTable } from './process-table.ts';
import type { Spawner } from './spawner.ts';
import { WindowsProcessTable } from './windows-process-table.ts';
import { jobSpawner } from './job-spawner.ts';
import { KernelProcesses } from './windows/kernel-processes.ts';
import { loadNativeApi, type NativeApi } from './windows/native-api.ts';
import { messageOf } from '../../../shared/message-of.ts';

/** Access to processes on this system: a table, and jobs. The caller disposes the table. */
export interface ProcessSystem {
  readonly table: ProcessTable;
  /** Wraps `spawn` so that the system holds its processes together, where it can. */
  readonly holding: (spawn: Spawner) => Spawner;
  /** Limitation of this system's access, in one sentence for users; absent without one. */
  readonly problem?: string;
}

export interface ProcessSystemOptions {
  readonly clock: Clock;
  readonly platform: NodeJS.Platform;
  /** Loads the native library. Called on Windows only. */
  readonly loadNative?: () => Promise<NativeApi>;
}

const WITHOUT_NATIVE =
  'Windows can only be asked through PowerShell, so figures come every 5 s, and servers whose wrapper has ended outlive a panel that is killed, until the next start';

/** Opens the best access on `platform`. Without the native library, Windows uses PowerShell and taskkill. */
export async function openProcessSystem({
  clock,
  platform,
  loadNative = loadNativeApi,
}: ProcessSystemOptions): Promise<ProcessSystem> {
  const plain = { table: processTableForPlatform(clock, platform), holding: (spawn: Spawner) => spawn };
  if (platform !== 'win32') return plain;
  try {
    return kernelProcessSystem(await loadNative());
  } catch (error) {
    const why = messageOf(error);
    return { ...plain, problem: `${WITHOUT_NATIVE} (${why})` };
  }
}

/** Creates access to Windows processes through the kernel. @throws where the kernel refuses to list its processes */
export function kernelProcessSystem(api: NativeApi): ProcessSystem {
  const processes = new KernelProcesses(api);
  processes.listNow();
  return {
    table: new WindowsProcessTable(processes),
    holding: (spawn) => jobSpawner(spawn, api, processes),
  };
}
