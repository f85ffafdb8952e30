import type { ServerView } from '../../../../shared/domain.ts';
import { needsAttention, shownState, stateKinds, type StateKind } from '../../../../shared/server-states.ts';

/** What is told of the panel's health: numbers alone, because whoever asks need not know which servers there are. */
export interface Healthz {
  /** `degraded` while a server needs attention. The panel itself is well, or it would not answer. */
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
