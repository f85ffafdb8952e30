import { PanelError } from '../../../shared/error-codes.ts';
import type { Claim } from './lease-holder.ts';

/** The first of those that were idle for longest. */
export function longest<T extends { readonly idleMs: number }>(ones: readonly T[]): T | undefined {
  return ones.reduce<T | undefined>(
    (one, other) => (one && one.idleMs >= other.idleMs ? one : other),
    undefined,
  );
}

type Kept = Extract<Claim, { kind: 'kept' }>;

/** Of the sessions that are kept the one that is idle for longest; undefined where a wait may be worth it, as one may become free by the end of a call. */
export function refusalOf(claims: readonly Claim[]): Kept | undefined {
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
