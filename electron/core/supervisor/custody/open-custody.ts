import { join } from 'node:path';
import type { Clock } from '../../clock.ts';
import { startDeathPipe, type DeathPipeWatcher } from '../../platform/death-pipe.ts';
import type { ProcessTable } from '../../platform/process-table.ts';
import { ProcessCustody } from './process-custody.ts';
import { ProcessLedger } from './process-ledger.ts';
import { messageOf } from '../../../../shared/message-of.ts';
import { StartProblem } from '../../start-problem.ts';
import { findLedgers } from './ledger-file.ts';
import { livesStill } from './orphan-reaper.ts';

interface CustodyOptions {
  readonly home: string;
  readonly clock: Clock;
  readonly table: ProcessTable;
  readonly ownPid: number;
  /** Id of the current boot; undefined if the system reports none. Then no ledger (list of running processes on disk) is kept. */
  readonly bootId: string | undefined;
  readonly createToken: () => string;
  readonly spawnDeathPipeWatcher: (() => DeathPipeWatcher) | undefined;
}

const FILE_ID_LENGTH = 8;

/**
 * Returns the folder in which bridges keep their lists of processes (ledgers). It is separate, because otherwise the servers of
 * a bridge would look like those of a second panel.
 */
export const bridgeLedgerHome = (home: string) => join(home, 'bridge');

/** Returns the folder in which panels record their processes. */
export const ledgerFolder = (home: string) => join(home, 'ledger');

/**
 * Creates the object that ensures that the servers end if this panel process dies, as far as the system allows. The function
 * does not wait for the first scan of the processes, which takes seconds on Windows and must not delay the app window; `ready`
 * resolves after that scan.
 * @param onProblem called with one sentence for the user
 */
export function openCustody(options: CustodyOptions, onProblem: (message: string) => void): ProcessCustody {
  const { home, clock, table, ownPid, bootId, createToken, spawnDeathPipeWatcher: spawnWatcher } = options;
  const owner = table.identify(ownPid).catch((error: unknown) => {
    onProblem(
      `The list of processes could not be read, so processes that a dead panel left are not ended: ${messageOf(error)}`,
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

interface OtherPanelDeps extends Pick<CustodyOptions, 'bootId' | 'ownPid'> {
  readonly table: Pick<ProcessTable, 'identify'>;
  /** Asks the system directly whether a pid is in use, because the first scan of the process table may take seconds. */
  readonly isPidTaken: (pid: number) => boolean;
}

/**
 * Ensures that no other panel uses this data folder, because two panels would start every server twice. Electron's lock
 * prevents a second app. This check also covers an app that runs in parallel with a headless panel, once the other panel has
 * started a server.
 * @throws StartProblem
 */
export async function requireNoOtherPanel(
  home: string,
  { table, bootId, ownPid, isPidTaken }: OtherPanelDeps,
): Promise<void> {
  for (const found of await findLedgers(ledgerFolder(home))) {
    if (
      'damage' in found ||
      found.ledger.runs.length === 0 ||
      found.ledger.bootId !== bootId ||
      found.ledger.owner.pid === ownPid ||
      !isPidTaken(found.ledger.owner.pid)
    )
      continue;
    const { owner } = found.ledger;
    // An unreadable process table does not prove that another panel is running.
    if (!(await livesStill(table, owner).catch(() => false))) continue;
    const message = `Another panel, process ${owner.pid}, has servers of ${home} running. Quit it first, or give this one another home folder.`;
    throw new StartProblem(message);
  }
}
