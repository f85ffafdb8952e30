import type { ProcessTable } from '../../platform/process-table.ts';
import { StartProblem } from '../../start-problem.ts';
import { findLedgers } from './ledger-file.ts';
import { ledgerFolder } from './open-custody.ts';
import { livesStill } from './orphan-reaper.ts';

export interface OtherPanelDeps {
  readonly table: Pick<ProcessTable, 'identify'>;
  /** Undefined where the system does not tell; then no panel keeps a ledger. */
  readonly bootId: string | undefined;
  readonly ownPid: number;
  /** Whether some process has this pid. It asks the system at once, where the table may take seconds for its first look. */
  readonly isPidTaken: (pid: number) => boolean;
}

/**
 * Two panels of one home folder would start every server twice. The app has Electron's lock against a second app; this
 * one holds between an app and a panel without a window, as soon as the other has started a server.
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
    // A table that cannot be read tells nothing against us.
    if (!(await livesStill(table, owner).catch(() => false))) continue;
    const message = `Another panel, process ${owner.pid}, has servers of ${home} running. Quit it first, or give this one another home folder.`;
    throw new StartProblem(message);
  }
}
