import type { NamedProgram, StartedServer } from '../config/moving/copies/running-copies.ts';
import { readEnvironment } from '../platform/proc/find-by-environment.ts';
import { createProcFiles } from '../platform/proc/proc-files.ts';
import type { ProcessTable } from '../platform/process-table.ts';
import type { RunCommand } from '../platform/run-command.ts';
import { createLinuxLook } from './linux-look.ts';
import type { LookForLeft } from './look.ts';
import { createParentLook } from './parent-look.ts';

/** What is known of clients, and of the servers that they start. */
export interface KnownServers {
  readonly clients: readonly NamedProgram[];
  readonly servers: () => Promise<readonly StartedServer[]>;
}

/** Creates what looks for processes that were left behind on a system. */
export type CreateLook = (known: KnownServers) => LookForLeft;

export interface LookOptions {
  readonly platform: NodeJS.Platform;
  readonly table: Pick<ProcessTable, 'describe' | 'readAll'>;
  readonly ownPid: number;
  readonly run: RunCommand;
}

export function lookForPlatform({ platform, table, ownPid, run }: LookOptions): CreateLook {
  if (platform !== 'linux') return (known) => createParentLook({ table, ownPid, ...known });
  const uid = process.getuid?.() ?? 0;
  return (known) =>
    createLinuxLook({ files: createProcFiles(), readEnvironment, uid, ownPid, run, ...known });
}
