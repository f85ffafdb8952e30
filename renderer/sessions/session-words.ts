import type { SessionView } from '../../shared/domain.ts';
import { formatDuration, formatUntil } from '../format/durations.ts';
import { formatPlural } from '../format/figures.ts';

/** Text on the use of a session: "2 calls in flight", "in use", "idle for 20 s, closes in 6 m". */
export function describeUse(session: SessionView, now: number): string {
  const calls = callsInFlightText(session);
  if (calls > 0) return `${formatPlural(calls, 'call')} in flight`;
  const { idleSince, evictsAt } = session;
  if (idleSince === undefined) return session.leases.length === 0 ? 'not in use' : 'in use';
  const idle = `idle for ${formatDuration(now - idleSince)}`;
  return evictsAt === undefined ? idle : `${idle}, closes in ${formatUntil(evictsAt - now)}`;
}

export const callsInFlightText = ({ leases }: SessionView): number =>
  leases.reduce((sum, lease) => sum + lease.callsInFlight, 0);
