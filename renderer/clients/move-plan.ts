import type { ErrorReport } from '../../shared/error-codes.ts';
import type { ControlPanelApi } from '../../shared/ipc-contract.ts';
import type { LeftServer, MoveResult } from '../../shared/ipc/topics/programs.ts';
import { toReport } from '../control-panel.ts';
import { isSameJson } from '../entry/raw-entry.ts';
import { withShownDirection } from '../format/text-direction.ts';
import type { WantedMove } from '../store/manage-store.ts';

type MoveApi = Pick<ControlPanelApi, 'moveServers'>;
type WantedServer = WantedMove['servers'][number];

/** Changes that a move makes in the files of one program. */
export interface MovePlan {
  /** The servers that can be moved; an empty list if all are refused. */
  readonly wanted: WantedMove;
  readonly shown: MoveResult['difference'];
  /** Servers that stay where they are, each with the reason and with what the user can decide. */
  readonly left: readonly (WantedServer & Pick<LeftServer, 'asks' | 'error' | 'twin'>)[];
  /** Outcome of the move; undefined until the move has been tried. */
  readonly outcome?: 'moved' | ErrorReport;
}

/** Decision of the user about a server that could not be moved without it. */
export interface Decision extends Partial<Pick<WantedServer, 'answers' | 'as' | 'use'>> {
  readonly server: WantedServer;
}

/** Previews a move. A server that cannot be moved does not block the others. Never rejects. */
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

/** Returns the plan's servers that are not moved yet, one of them with the user's decision. */
export function decided(plan: MovePlan, { server, ...decision }: Decision): WantedMove {
  const wanted = wantedOf(plan);
  const servers = wanted.servers.map((one) => (isSameServer(one, server) ? { ...one, ...decision } : one));
  return { ...wanted, servers };
}

/**
 * Carries out the move that was shown. The precondition (a hash of the plan and the files) is requested again, because a move
 * of the same servers from another program changes it. Nothing is moved if the difference is no longer the one that was shown.
 * Never rejects.
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
