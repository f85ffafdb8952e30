import type { Clock } from '../clock.ts';
import { processTableForPlatform } from './process-table-for-platform.ts';
import type { ProcessTable } from './process-table.ts';
import type { Spawner } from './spawner.ts';
import { WindowsProcessTable } from './windows-process-table.ts';
import { jobSpawner } from './job-spawner.ts';
import { KernelProcesses } from './windows/kernel-processes.ts';
import { loadNativeApi, type NativeApi } from './windows/native-api.ts';
import { messageOf } from '../../../shared/message-of.ts';

/** How processes are looked at and held together here. The caller disposes the table. */
export interface ProcessSystem {
  readonly table: ProcessTable;
  /** Has what `spawn` starts held together by the system, where the system can. */
  readonly holding: (spawn: Spawner) => Spawner;
  /** What is worse than it could be here, in one sentence for people. */
  readonly problem?: string;
}

export interface ProcessSystemOptions {
  readonly clock: Clock;
  readonly platform: NodeJS.Platform;
  /** Called on Windows alone. */
  readonly loadNative?: () => Promise<NativeApi>;
}

const WITHOUT_NATIVE =
  'Windows can only be asked through PowerShell, so figures come every 5 s, and servers whose wrapper has ended outlive a panel that is killed, until the next start';

/** The best that there is on `platform`. Without the native library, Windows is served by PowerShell and taskkill. */
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

/**
 * What Windows itself tells and holds together.
 * @throws where the kernel refuses to list its processes
 */
export function kernelProcessSystem(api: NativeApi): ProcessSystem {
  const processes = new KernelProcesses(api);
  processes.listNow();
  return {
    table: new WindowsProcessTable(processes),
    holding: (spawn) => jobSpawner(spawn, api, processes),
  };
}
