import type { ClientUse, ClientView } from '../../shared/gateway.ts';
import { declaredWords, inFlightWords } from '../format/client-words.ts';
import { formatAgo } from '../format/durations.ts';
import { formatCount, formatPlural, listWords } from '../format/figures.ts';
import { formatMoment } from '../format/moments.ts';
import { useClients, useNow } from '../services.ts';
import styles from './sessions.module.css';

/**
 * MCP clients that use this server through the gateway's endpoint, with their capabilities and what each client is waiting for.
 */
export function SessionClients({ server }: { readonly server: string }) {
  const clients = useClients((state) => state.clients) ?? [];
  const uses = clients.flatMap((client) => {
    const use = client.sessions.find((one) => one.server === server);
    return use === undefined ? [] : [{ client, use }];
  });
  if (uses.length === 0) return null;
  return (
    <section aria-label="Clients">
      <h2 className="label pt-12 pb-6">{formatPlural(uses.length, 'client')}</h2>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">Client</th>
            <th scope="col">Program</th>
            <th scope="col" data-tip="What the server may ask of it">
              Supports
            </th>
            <th scope="col" className="w-[26%]">
              Active calls
            </th>
            <th scope="col">Sessions</th>
            <th scope="col">Last seen</th>
          </tr>
        </thead>
        <tbody>
          {uses.map(({ client, use }) => (
            <ClientUseRow key={client.id} client={client} use={use} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function ClientUseRow({ client, use }: { readonly client: ClientView; readonly use: ClientUse }) {
  const programs = listWords(use.programs);
  const waiting = inFlightWords(use);
  const ago = useNow((now) => formatAgo(now - use.lastSeenAt));
  return (
    <tr aria-label={client.name}>
      <td data-tip={client.name} data-tip-if-cut>
        {client.name}
      </td>
      <td data-tip={programs} data-tip-if-cut>
        {programs === '' ? 'not reported' : programs}
      </td>
      <td>{declaredWords(use)}</td>
      <td data-tip={waiting} data-tip-if-cut>
        {waiting}
      </td>
      <td>{formatCount(use.count)}</td>
      <td data-tip={formatMoment(use.lastSeenAt)}>{ago}</td>
    </tr>
  );
}

/** Name of the client that uses a session (holds a lease on it); the id of the lease's context if no client is known for it. */
export function useLeaseHolder(contextId: string): string {
  return useClients(({ clients = [] }) => {
    const client = clients.find(({ sessions }) =>
      sessions.some(({ contextIds }) => contextIds.includes(contextId)),
    );
    return client?.name ?? contextId;
  });
}
