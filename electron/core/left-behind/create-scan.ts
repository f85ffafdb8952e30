import type { NamedProgram, StartedServer } from '../config/moving/copies/running-copies.ts';
import { readEnvironment } from '../platform/proc/find-by-environment.ts';
import { createProcFiles } from '../platform/proc/proc-files.ts';
import type { ProcessTable } from '../platform/process-table.ts';
import type { RunCommand } from '../platform/run-command.ts';
import type { Signaller } from '../platform/signals.ts';
import { createLinuxScan } from './linux-scan.ts';
import type { ScanForLeft } from './found-tree.ts';
import { createParentScan } from './parent-scan.ts';

/** What is known of clients, and of the servers that they start. */
export interface KnownServers {
  readonly clients: readonly NamedProgram[];
  readonly servers: () => Promise<readonly StartedServer[]>;
}

/** Creates the scan of a system. */
export type CreateScan = (known: KnownServers) => ScanForLeft;

export interface ScanOptions {
  readonly platform: NodeJS.Platform;
  readonly table: Pick<ProcessTable, 'describe' | 'readAll'>;
  readonly ownPid: number;
  readonly run: RunCommand;
  readonly signaller: Pick<Signaller, 'signalProcess'>;
}

export function scanForPlatform({ platform, table, ownPid, run, signaller }: ScanOptions): CreateScan {
  if (platform !== 'linux') return (known) => createParentScan({ table, ownPid, ...known });
  const uid = process.getuid?.() ?? 0;
  return (known) =>
    createLinuxScan({ files: createProcFiles(), readEnvironment, uid, ownPid, run, signaller, ...known });
}
