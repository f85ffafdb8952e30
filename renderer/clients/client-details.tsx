import type { ReactNode } from 'react';
import type { ClientUse, ClientView } from '../../shared/gateway.ts';
import { readsMetricsOnly } from '../../shared/gateway-use.ts';
import { failedWords, sessionWords } from '../format/client-words.ts';
import { formatAgo } from '../format/durations.ts';
import { formatMoment } from '../format/moments.ts';
import { useNow, useServices } from '../services.ts';
import { hrefOf } from '../store/route-store.ts';
import { TextButton } from '../ui/text-button.tsx';
import { askOfClient } from './client-commands.ts';
import styles from './clients.module.css';

/** Row below a client's own: its figures, its sessions with each server, and the way to its snippet. */
export function ClientDetails({ id, client }: { readonly id: string; readonly client: ClientView }) {
  const services = useServices();
  const { name, calls, errors, perMinute, hourErrors, createdAt, lastSeenAt, sessions } = client;
  const usesServers = !readsMetricsOnly(client);
  const lastHour = perMinute.reduce((sum, count) => sum + count, 0);
  return (
    <tr id={id} aria-label={`Details of ${name}`}>
      <td colSpan={7}>
        <dl className={styles.facts}>
          {usesServers && (
            <>
              <Fact term="Since the panel started">{failedWords(calls, errors)}</Fact>
              <Fact term="In the last hour">{failedWords(lastHour, hourErrors)}</Fact>
            </>
          )}
          <Fact term="Created">{createdAt === 0 ? 'not known' : formatMoment(createdAt)}</Fact>
          <Fact term="Last seen">{lastSeenAt === undefined ? 'never' : formatMoment(lastSeenAt)}</Fact>
        </dl>
        {sessions.length > 0 && (
          <ul className={styles.sessions} aria-label={`Sessions of ${name}`}>
            {sessions.map((use) => (
              <Use key={use.server} use={use} />
            ))}
          </ul>
        )}
        <TextButton onClick={() => askOfClient(services, 'renew-client', client.id)}>
          {usesServers
            ? 'Its snippet again, with a new token…'
            : 'Its configuration again, with a new token…'}
        </TextButton>
      </td>
    </tr>
  );
}

function Fact({ term, children }: { readonly term: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Use({ use }: { readonly use: ClientUse }) {
  const ago = useNow((now) => formatAgo(now - use.lastSeenAt));
  return (
    <li>
      <a className={styles.use} href={hrefOf({ view: 'server', name: use.server, tab: 'sessions' })}>
        {use.server}
      </a>
      {`: ${sessionWords(use)}, last seen ${ago}`}
    </li>
  );
}
