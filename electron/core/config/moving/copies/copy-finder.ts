import type { ProcessTable } from '../../../platform/process-table.ts';
import { foreignPrograms } from '../../programs/programs.ts';
import { copiesIn, type ServerCopy, type StartedServer } from './running-copies.ts';

export interface CopyFinderOptions {
  readonly processTable: Pick<ProcessTable, 'describe' | 'readAll'>;
  /** Pids of the panel, and of servers whose parent is not the panel any more. */
  readonly ownPids: () => readonly number[];
}

export type FindCopies = (
  servers: readonly StartedServer[],
) => Promise<ReadonlyMap<string, readonly ServerCopy[]>>;

/** Finds the servers that programs run by themselves now, in one reading of the process table. Ends and changes nothing. */
export function createCopyFinder({ processTable, ownPids }: CopyFinderOptions): FindCopies {
  return async (servers) => {
    if (servers.length === 0) return new Map();
    const all = (await processTable.readAll?.()) ?? [];
    const details = await processTable.describe?.(all);
    const processes = all.map((reading) => ({ ...reading, ...details?.get(reading.pid) }));
    return copiesIn(processes, { programs: foreignPrograms, servers, ownPids: ownPids() });
  };
}
