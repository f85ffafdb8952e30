import type { ServerView } from '../../../../shared/domain.ts';
import { needsAttention, shownState, stateKinds, type StateKind } from '../../../../shared/server-states.ts';

/** Health of the panel in numbers alone, because the endpoint is public and must not name the servers. */
export interface Healthz {
  /** `degraded` while a server needs attention. The panel itself is healthy if it answers. */
  readonly status: 'ok' | 'degraded';
  readonly version: string;
  readonly servers: { readonly total: number; readonly states: Readonly<Record<StateKind, number>> };
}

export function healthz(version: string, servers: readonly ServerView[]): Healthz {
  const shown = servers.map(shownState);
  const states = Object.fromEntries(
    stateKinds.map((kind) => [kind, shown.filter((state) => state === kind).length]),
  ) as Record<StateKind, number>;
  return {
    status: shown.some(needsAttention) ? 'degraded' : 'ok',
    version,
    servers: { total: servers.length, states },
  };
}
