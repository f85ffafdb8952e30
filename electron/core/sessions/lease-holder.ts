import { PanelError } from '../../../shared/error-codes.ts';

/** What the holder of a lease does with it now. */
export interface LeaseUse {
  /** As people know it. */
  readonly holder: string;
  /** It waits for the answer to a call, or is asked something. */
  readonly isCalling: boolean;
  /** It listens to what the server says to nobody's call, as most clients do for as long as they live. */
  readonly isListening: boolean;
  /** How long it has made no call. */
  readonly quietMs: number;
}

/** Who holds a lease for long, mostly without a call, and may lose its session to another one that waits. */
export interface LeaseHolder {
  /** Who calls over the lease; other contexts may call for the same one. */
  readonly caller: string;
  use(): LeaseUse;
  /** Its session is being ended for another one; it is not to come back before its next call. */
  givenUp(): void;
}

/**
 * What becomes of an open session when another context waits for room: it may be ended, as nobody has used it for `idleMs`;
 * it is kept for one who listens and may have a state there; or it is in use, by a listener who keeps it after the call or by
 * another one.
 */
export type Claim =
  | { readonly kind: 'free'; readonly idleMs: number }
  | { readonly kind: 'kept'; readonly idleMs: number; readonly holder: string }
  | { readonly kind: 'in-use'; readonly isListening: boolean };

/** @param patienceMs how long one who only listens keeps its session */
export function claimOf(uses: readonly (LeaseUse | undefined)[], patienceMs: number): Claim {
  const isListening = uses.some((use) => use?.isListening);
  if (uses.some((use) => !use || use.isCalling)) return { kind: 'in-use', isListening };
  const known = uses.filter((use) => use !== undefined);
  const latest = known.reduce((one, other) => (other.quietMs < one.quietMs ? other : one));
  const { quietMs: idleMs, holder } = latest;
  return isListening && idleMs < patienceMs ? { kind: 'kept', idleMs, holder } : { kind: 'free', idleMs };
}

/** The first of those that were idle for longest. */
export function longest<T extends { readonly idleMs: number }>(ones: readonly T[]): T | undefined {
  return ones.reduce<T | undefined>(
    (one, other) => (one && one.idleMs >= other.idleMs ? one : other),
    undefined,
  );
}

type Kept = Extract<Claim, { kind: 'kept' }>;

/** Of the sessions that are kept the one that is idle for longest; undefined where a wait may be worth it, as one may become free by the end of a call. */
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
