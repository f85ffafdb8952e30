import { join } from 'node:path';
import type { Clock } from '../../clock.ts';
import { startDeathPipe, type DeathPipeWatcher } from '../../platform/death-pipe.ts';
import type { ProcessTable } from '../../platform/process-table.ts';
import { ProcessCustody } from './process-custody.ts';
import { ProcessLedger } from './process-ledger.ts';
import { messageOf } from '../../../../shared/message-of.ts';

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

/** Home of the ledgers of bridges, whose servers must not look like those of a second panel. */
export const bridgeLedgerHome = (home: string) => join(home, 'bridge');

/** The folder where panels note which processes are theirs. */
export const ledgerFolder = (home: string) => join(home, 'ledger');

/**
 * Who ends the servers if this process dies, as far as this system can have it. Made without waiting, because the first
 * look at the processes takes seconds on Windows and the window must not wait for it; `ready` tells when the look is over.
 * @param onProblem one sentence for people
 */
export function openCustody(options: CustodyOptions, onProblem: (message: string) => void): ProcessCustody {
  const { home, clock, table, ownPid, bootId, createToken, spawnDeathPipeWatcher: spawnWatcher } = options;
  const owner = table.identify(ownPid).catch((error: unknown) => {
    onProblem(
      `The list of processes could not be read, so what a dead panel leaves is not ended: ${messageOf(error)}`,
    );
    return undefined;
  });
  const folder = ledgerFolder(home);
  const fileId = createToken().slice(0, FILE_ID_LENGTH);
  const ledger =
    bootId === undefined
      ? undefined
      : new ProcessLedger({ folder, fileId, bootId, ownPid, owner, clock, onProblem });
  return new ProcessCustody(
    ledger,
    spawnWatcher && (() => startDeathPipe({ spawnWatcher, onProblem })),
    owner,
  );
}
