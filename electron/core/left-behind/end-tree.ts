import type { Clock } from '../clock.ts';
import { ProcessForest } from '../platform/process-forest.ts';
import type { ProcessIdentity, ProcessReading, ProcessTable } from '../platform/process-table.ts';
import type { Signaller, StopSignal } from '../platform/signals.ts';
import { holdsWithin } from '../wait.ts';
import { processKey, type FoundTree } from './found-tree.ts';

export interface EndTreeDeps {
  readonly table: Pick<ProcessTable, 'identifySync' | 'readAll'>;
  readonly signaller: Pick<Signaller, 'signalProcess'>;
  readonly clock: Clock;
}

/** Milliseconds from SIGTERM to SIGKILL, and then until what stays is reported. */
const GRACE_MS = 2000;
const POLL_MS = 50;

/**
 * Ends the processes of a tree one by one, never by their group, which a client that lives may share. Daemons in it, and what
 * is below them, are spared. @returns what did not end
 */
export async function endTree(
  deps: EndTreeDeps,
  { tree, daemons }: Pick<FoundTree, 'tree' | 'daemons'>,
): Promise<readonly ProcessIdentity[]> {
  const { clock, table } = deps;
  const spared = new Set(daemons);
  // Parents first, so that none starts a child anew.
  let all = below(tree, tree, spared);
  const living = () => all.filter((one) => isSame(table, one));
  const areGone = () => Promise.resolve(living().length === 0);
  await signalAll(deps, all, 'SIGTERM');
  if (await holdsWithin(clock, areGone, { limitMs: GRACE_MS, intervalMs: POLL_MS })) return [];
  // Processes may have started others while they ended.
  const now = (await table.readAll?.()) ?? [];
  const found = [...living(), ...below(now, living(), spared)];
  all = [...new Map(found.map((one) => [processKey(one), one])).values()];
  await signalAll(deps, all, 'SIGKILL');
  await holdsWithin(clock, areGone, { limitMs: GRACE_MS, intervalMs: POLL_MS });
  return living();
}

/** `roots` and all below them, without the spared and what is below these. */
function below(
  processes: readonly ProcessReading[],
  roots: readonly ProcessIdentity[],
  spared: ReadonlySet<number>,
): readonly ProcessIdentity[] {
  const wanted = new Set(roots.map(processKey));
  const forest = new ProcessForest(processes);
  return processes.filter((one) => {
    const line = [one, ...forest.above(one.pid)];
    return line.some((other) => wanted.has(processKey(other))) && !line.some(({ pid }) => spared.has(pid));
  });
}

async function signalAll(
  { signaller, table }: EndTreeDeps,
  processes: readonly ProcessIdentity[],
  signal: StopSignal,
): Promise<void> {
  for (const one of processes) if (isSame(table, one)) await signaller.signalProcess(one.pid, signal);
}

/** Whether the pid still belongs to the same process, right now; false where this system needs longer to say. */
const isSame = (table: EndTreeDeps['table'], { pid, startTime }: ProcessIdentity): boolean =>
  table.identifySync?.(pid)?.startTime === startTime;
