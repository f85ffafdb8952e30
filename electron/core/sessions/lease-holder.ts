import { PanelError } from '../../../shared/error-codes.ts';

/** How a holder currently uses its lease, which is one context's right to call a server over one session. */
export interface LeaseUse {
  /** Name of the holder, as shown to the user. */
  readonly holder: string;
  /** True while the holder waits for the answer to a call, or has an unanswered server request. */
  readonly isCalling: boolean;
  /** True while the holder listens to messages outside calls, as most clients do for their whole lifetime. */
  readonly isListening: boolean;
  /** Milliseconds since the holder's last call. */
  readonly quietMs: number;
}

/**
 * Holder of a lease that it keeps for a long time, usually without a call in flight. Its session may be ended in favour of
 * another context that waits for a session.
 */
export interface LeaseHolder {
  /** Caller (such as a client) on whose behalf the holder makes calls. Several holders may make calls for the same caller. */
  readonly caller: string;
  use(): LeaseUse;
  /**
   * Called when the holder's session is ended for another context; the holder should not acquire a lease again before its next
   * call.
   */
  givenUp(): void;
}

/**
 * State of an open session when another context waits for a session of the same server. `free`: the session was unused for
 * `idleMs`, so it may be ended. `kept`: its holder only listens, but the server may hold state for it. `in-use`: a call is
 * running over the session, or a lease without a holder exists.
 */
export type Claim =
  | { readonly kind: 'free'; readonly idleMs: number }
  | { readonly kind: 'kept'; readonly idleMs: number; readonly holder: string }
  | { readonly kind: 'in-use'; readonly isListening: boolean };

/**
 * Returns the state of a session from the uses of its leases. @param patienceMs milliseconds for which a holder that only
 * listens keeps its session
 */
export function claimOf(uses: readonly (LeaseUse | undefined)[], patienceMs: number): Claim {
  const isListening = uses.some((use) => use?.isListening);
  if (uses.some((use) => !use || use.isCalling)) return { kind: 'in-use', isListening };
  const known = uses.filter((use) => use !== undefined);
  const latest = known.reduce((one, other) => (other.quietMs < one.quietMs ? other : one));
  const { quietMs: idleMs, holder } = latest;
  return isListening && idleMs < patienceMs ? { kind: 'kept', idleMs, holder } : { kind: 'free', idleMs };
}

/** Returns the entry with the longest idle time; the first one if several are equal. */
export function longest<T extends { readonly idleMs: number }>(ones: readonly T[]): T | undefined {
  return ones.reduce<T | undefined>(
    (one, other) => (one && one.idleMs >= other.idleMs ? one : other),
    undefined,
  );
}

type Kept = Extract<Claim, { kind: 'kept' }>;

/**
 * Returns the session to name when a waiting context is refused: the `kept` session that has been idle longest. Undefined if
 * refusing would be premature, because a session is free or may become free when a call ends.
 */
export function leaseRefusal(claims: readonly Claim[]): Kept | undefined {
  const staysTaken = (claim: Claim) =>
    claim.kind === 'kept' || (claim.kind === 'in-use' && claim.isListening);
  return claims.every(staysTaken) ? longest(claims.filter((claim) => claim.kind === 'kept')) : undefined;
}

export function noRoom(server: string, { holder, idleMs }: Kept, maxSessions: number): PanelError {
  const idleSeconds = Math.floor(idleMs / 1000);
  const idle = `${holder}, ${idleSeconds < 60 ? `${idleSeconds} s` : `${Math.floor(idleSeconds / 60)} min`}`;
  const message = `${maxSessions} of ${maxSessions} processes of "${server}" in use, idle longest: ${idle}: raise maxSessions or end it.`;
  const remedy = `Set "maxSessions" of "${server}" higher, or end the session of ${holder} on its Sessions page.`;
  return new PanelError('POOL_EXHAUSTED', message, { data: { server, maxSessions, holder, idleMs }, remedy });
}
