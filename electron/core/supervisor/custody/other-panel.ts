import type { ProcessTable } from '../../platform/process-table.ts';
import { StartProblem } from '../../start-problem.ts';
import { findLedgers } from './ledger-file.ts';
import { ledgerFolder } from './open-custody.ts';
import { livesStill } from './orphan-reaper.ts';

export interface OtherPanelDeps {
  readonly table: Pick<ProcessTable, 'identify'>;
  /** Id of the current boot of the system. Undefined if the system does not report it; then no panel keeps a ledger. */
  readonly bootId: string | undefined;
  readonly ownPid: number;
  /**
   * Whether some process has this pid. The system is queried directly, because the first scan of the process table may take
   * seconds.
   */
  readonly isPidTaken: (pid: number) => boolean;
}

/**
 * Ensures that no other panel uses this home folder, because two panels would start every server twice. Electron's lock
 * excludes a second app. This check also covers an app beside a headless panel, once the other panel has started a server.
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
    // A process table that cannot be read does not prove that another panel runs.
    if (!(await livesStill(table, owner).catch(() => false))) continue;
    const message = `Another panel, process ${owner.pid}, has servers of ${home} running. Quit it first, or give this one another home folder.`;
    throw new StartProblem(message);
  }
}
