import type { ErrorReport } from '../../shared/error-codes.ts';
import type { ControlPanelApi } from '../../shared/ipc-contract.ts';
import { toReport } from '../control-panel.ts';
import { isSameJson } from '../entry/raw-entry.ts';
import type { WantedMove } from '../store/manage-store.ts';

type MoveApi = Pick<ControlPanelApi, 'moveServers'>;
type Shown = Awaited<ReturnType<ControlPanelApi['moveServers']>>['difference'];

/** What a move changes in the files of one program. */
export interface MovePlan {
  /** The servers that can be moved; none if all are refused. */
  readonly wanted: WantedMove;
  readonly shown: Shown;
  /** Servers that stay where they are, and why. */
  readonly refused: readonly (WantedMove['servers'][number] & { readonly error: ErrorReport })[];
  /** Outcome of the move, once it was tried. */
  readonly outcome?: 'moved' | ErrorReport;
}

/** Previews a move. A server that cannot be moved does not hold up the others. Never rejects. */
export async function previewMove(api: MoveApi, wanted: WantedMove): Promise<MovePlan> {
  const { client, servers } = wanted;
  const show = (some: WantedMove['servers']) =>
    api.moveServers({ client, servers: some }).then(
      ({ difference }) => ({ difference, error: undefined }),
      (reason: unknown) => ({ difference: undefined, error: toReport(reason) }),
    );
  const { difference: all } = await show(servers);
  if (all !== undefined) return { wanted, shown: all, refused: [] };
  let plan: MovePlan = { wanted: { ...wanted, servers: [] }, shown: [], refused: [] };
  for (const server of servers) {
    const some = [...plan.wanted.servers, server];
    const { difference, error } = await show(some);
    plan =
      difference === undefined
        ? { ...plan, refused: [...plan.refused, { ...server, error }] }
        : { ...plan, wanted: { ...wanted, servers: some }, shown: difference };
  }
  return plan;
}

/**
 * Moves what was shown. The precondition is asked for again, because a move of the same servers from another program changes
 * it, and nothing is moved where the difference is not what was shown. Never rejects.
 */
export async function carryOut(api: MoveApi, plan: MovePlan): Promise<MovePlan> {
  const { client, servers, name } = plan.wanted;
  if (servers.length === 0 || plan.outcome === 'moved') return plan;
  try {
    const { difference, precondition } = await api.moveServers({ client, servers });
    if (!isSameJson(difference, plan.shown)) return { ...plan, outcome: changedMeanwhile(name) };
    await api.moveServers({ client, servers, commit: precondition });
    return { ...plan, outcome: 'moved' };
  } catch (reason) {
    return { ...plan, outcome: toReport(reason) };
  }
}

const changedMeanwhile = (name: string): ErrorReport => ({
  code: 'CONFIG_CONFLICT',
  message: `The file of ${name} has changed since this was shown.`,
  remedy: 'Nothing was changed: preview it again.',
});
