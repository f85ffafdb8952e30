import type { ErrorReport } from '../../shared/error-codes.ts';
import type { ControlPanelApi } from '../../shared/ipc-contract.ts';
import type { LeftServer, MoveResult } from '../../shared/ipc/topics/programs.ts';
import { toReport } from '../control-panel.ts';
import { isSameJson } from '../entry/raw-entry.ts';
import { withShownDirection } from '../format/text-direction.ts';
import type { WantedMove } from '../store/manage-store.ts';

type MoveApi = Pick<ControlPanelApi, 'moveServers'>;
type WantedServer = WantedMove['servers'][number];

/** What a move changes in the files of one program. */
export interface MovePlan {
  /** The servers that can be moved; none if all are refused. */
  readonly wanted: WantedMove;
  readonly shown: MoveResult['difference'];
  /** Servers that stay where they are: why, and what the user can decide about them. */
  readonly left: readonly (WantedServer & Pick<LeftServer, 'asks' | 'error' | 'twin'>)[];
  /** Outcome of the move, once it was tried. */
  readonly outcome?: 'moved' | ErrorReport;
}

/** What the user has decided about a server that is left. */
export interface Decision extends Partial<Pick<WantedServer, 'answers' | 'as' | 'use'>> {
  readonly server: WantedServer;
}

/** Previews a move. A server that cannot be moved does not hold up the others. Never rejects. */
export async function previewMove(api: MoveApi, wanted: WantedMove): Promise<MovePlan> {
  const { client, servers } = wanted;
  try {
    const { difference, left = [] } = await api.moveServers({ client, servers, partly: true });
    const isLeft = (server: WantedServer) => left.some((one) => isSameServer(one, server));
    return {
      wanted: { ...wanted, servers: servers.filter((server) => !isLeft(server)) },
      shown: difference,
      left: left.map((one) => ({
        ...servers.find((server) => isSameServer(one, server)),
        ...one,
        error: withShownDirection(one.error),
      })),
    };
  } catch (reason) {
    const error = toReport(reason);
    return { wanted: { ...wanted, servers: [] }, shown: [], left: servers.map((one) => ({ ...one, error })) };
  }
}

const isSameServer = (one: WantedServer, other: WantedServer): boolean =>
  one.name === other.name && one.scope === other.scope;

/** All servers of a plan that are not moved yet. */
export function wantedOf({ wanted, left, outcome }: MovePlan): WantedMove {
  const open = left.map(({ name, scope, answers, as, use }) => ({ name, scope, answers, as, use }));
  return { ...wanted, servers: [...(outcome === 'moved' ? [] : wanted.servers), ...open] };
}

/** The same servers, one of them with what the user has decided. */
export function decided(plan: MovePlan, { server, ...decision }: Decision): WantedMove {
  const wanted = wantedOf(plan);
  const servers = wanted.servers.map((one) => (isSameServer(one, server) ? { ...one, ...decision } : one));
  return { ...wanted, servers };
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
