/**
 * What a session is doing.
 *
 *   connecting ──connected──→ open ──end──→ closing ──ended──→ closed
 *       │  └──end (nobody waits any more)──────↑                  ↑
 *       └──failed─────────────────────────────────────────────────┘
 *
 * A connection that ends by itself ends its session like everything else, so that what it still holds is released.
 */
export type SessionState<C> =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'open'; readonly connection: C }
  | { readonly kind: 'closing'; readonly cause: Error }
  | { readonly kind: 'closed' };

export type SessionEvent<C> =
  | { readonly kind: 'connected'; readonly connection: C }
  | { readonly kind: 'failed' }
  | { readonly kind: 'end'; readonly cause: Error }
  | { readonly kind: 'ended' };

/** Next state, or the same object when `event` means nothing in `state`: a late answer to an abandoned connect. */
export function nextSessionState<C>(state: SessionState<C>, event: SessionEvent<C>): SessionState<C> {
  switch (state.kind) {
    case 'connecting':
      if (event.kind === 'connected') return { kind: 'open', connection: event.connection };
      if (event.kind === 'failed') return { kind: 'closed' };
      return event.kind === 'end' ? { kind: 'closing', cause: event.cause } : state;
    case 'open':
      return event.kind === 'end' ? { kind: 'closing', cause: event.cause } : state;
    case 'closing':
      return event.kind === 'ended' ? { kind: 'closed' } : state;
    case 'closed':
      return state;
  }
}
