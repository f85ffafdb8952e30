import { join } from 'node:path';
import type { Clock } from '../../clock.ts';
import { startDeathPipe, type DeathPipeWatcher } from '../../platform/death-pipe.ts';
import type { ProcessTable } from '../../platform/process-table.ts';
import { ProcessCustody } from './process-custody.ts';
import { ProcessLedger } from './process-ledger.ts';

export interface CustodyOptions {
  readonly home: string;
  readonly clock: Clock;
  readonly table: ProcessTable;
  readonly ownPid: number;
  /** Undefined where the system does not tell; then no ledger is kept. */
  readonly bootId: string | undefined;
  readonly createToken: () => string;
  readonly spawnDeathPipeWatcher: (() => DeathPipeWatcher) | undefined;
}

const FILE_ID_LENGTH = 8;

/** The folder where panels note which processes are theirs. */
export const ledgerFolder = (home: string) => join(home, 'ledger');

/** Who ends the servers if this process dies, as far as this system can have it. @param onProblem one sentence for people */
export async function openCustody(
  options: CustodyOptions,
  onProblem: (message: string) => void,
): Promise<ProcessCustody> {
  const { home, clock, table, ownPid, bootId, createToken, spawnDeathPipeWatcher: spawnWatcher } = options;
  const owner = await table.identify(ownPid).catch((error: unknown) => {
    onProblem(
      `The list of processes could not be read, so what a dead panel leaves is not ended: ${String(error)}`,
    );
    return undefined;
  });
  const folder = ledgerFolder(home);
  const ledger =
    bootId !== undefined &&
    owner &&
    new ProcessLedger({
      folder,
      fileId: createToken().slice(0, FILE_ID_LENGTH),
      bootId,
      owner,
      clock,
      onProblem,
    });
  return new ProcessCustody(
    ledger || undefined,
    spawnWatcher && (() => startDeathPipe({ spawnWatcher, onProblem })),
  );
}
