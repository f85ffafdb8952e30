import { useState } from 'react';
import type { SessionView } from '../../shared/sessions-view.ts';
import { ErrorNote } from '../ui/error-note.tsx';
import { TextButton } from '../ui/text-button.tsx';
import { formatAgo, formatDuration, formatUntil } from '../format/durations.ts';
import { formatCount, formatPlural, MISSING } from '../format/figures.ts';
import { formatMoment } from '../format/moments.ts';
import { useAsk, useNow, usePanel, useServices } from '../services.ts';
import { useLeaseHolder } from './session-clients.tsx';
import styles from './sessions.module.css';

interface SessionItemProps {
  readonly server: string;
  readonly session: SessionView;
}

/** Session with its process, its users, and the time of its closing. */
export function SessionItem({ server, session }: SessionItemProps) {
  const { instance, mode, pid, generation, openedAt, leases } = session;
  const use = useNow((now) => describeUse(session, now));
  return (
    <li className={styles.session} aria-label={instance}>
      <div className={styles.head}>
        <h3>{instance}</h3>
        <span className={styles.badge}>{mode}</span>
        <span className={styles.use}>{use}</span>
        <Evict server={server} session={session} />
      </div>
      <p className={styles.facts}>
        {pid !== undefined && <span>pid {pid}</span>}
        <span>generation {generation}</span>
        <span data-tip={`since ${formatMoment(openedAt)}`}>
          open for <Elapsed since={openedAt} />
        </span>
        <span>{formatPlural(leases.length, 'user')}</span>
      </p>
      {leases.length > 0 && <Leases session={session} />}
    </li>
  );
}

function Leases({ session }: { readonly session: SessionView }) {
  return (
    <table className={styles.leases}>
      <thead>
        <tr>
          <th scope="col">User</th>
          <th scope="col">Calls in flight</th>
          <th scope="col">Last use</th>
          <th scope="col">Since</th>
        </tr>
      </thead>
      <tbody>
        {session.leases.map((lease) => (
          <LeaseRow key={lease.contextId} lease={lease} />
        ))}
      </tbody>
    </table>
  );
}

function LeaseRow({ lease }: { readonly lease: SessionView['leases'][number] }) {
  const { contextId, callsInFlight: calls, lastUseAt, since } = lease;
  const holder = useLeaseHolder(contextId);
  return (
    <tr>
      <td data-tip={holder} data-tip-if-cut>
        {holder}
      </td>
      <td>{formatCount(calls)}</td>
      <td>{lastUseAt === undefined ? MISSING : <Ago at={lastUseAt} />}</td>
      <td>
        <Ago at={since} />
      </td>
    </tr>
  );
}

/** Button that evicts a session. It asks only if calls would be lost, and states their number. */
function Evict({ server, session }: SessionItemProps) {
  const { asks, api, sessions } = useServices();
  const { instance, generation } = session;
  const key = `evict ${server} ${generation}`;
  const status = useAsk(key);
  const asksQuestions = usePanel((state) => state.asksQuestions);
  const [isAsked, setAsked] = useState(false);
  const calls = callsInFlightText(session);
  const isQuestion = isAsked && calls > 0;
  const evict = () =>
    void asks.run(key, () => api.evictSession(server, generation)).then(() => sessions.refresh());
  const click = () => {
    if (asksQuestions && calls > 0 && !isAsked) return setAsked(true);
    setAsked(false);
    evict();
  };
  return (
    <span className={styles.evict}>
      {isQuestion && <span role="status">{formatPlural(calls, 'call')} would be lost.</span>}
      <TextButton isBusy={status?.phase === 'pending'} onClick={click}>
        {isQuestion ? `End session of ${instance} anyway` : `End session of ${instance}`}
      </TextButton>
      {isQuestion && <TextButton onClick={() => setAsked(false)}>Keep</TextButton>}
      {status?.phase === 'failed' && <ErrorNote error={status.error} server={server} lead="Not ended" />}
    </span>
  );
}

const Elapsed = ({ since }: { readonly since: number }) => useNow((now) => formatDuration(now - since));

function Ago({ at }: { readonly at: number }) {
  return <span data-tip={formatMoment(at)}>{useNow((now) => formatAgo(now - at))}</span>;
}

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
