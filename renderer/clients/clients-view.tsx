import { useEffect } from 'react';
import { formatPlural } from '../format/figures.ts';
import { useClients, useServices } from '../services.ts';
import { ErrorNote } from '../ui/error-note.tsx';
import { TextButton } from '../ui/text-button.tsx';
import { ClientTable } from './client-table.tsx';
import { isConnected } from '../format/client-words.ts';
import { Endpoint } from './endpoint.tsx';
import styles from './clients.module.css';

/** View of the clients that use the servers through the panel, and the address of its endpoint. */
export function ClientsView() {
  const { clients: store, manage } = useServices();
  useEffect(() => store.follow(), [store]);
  const clients = useClients((state) => state.clients);
  const error = useClients((state) => state.error);
  const add = () => manage.open({ kind: 'add-client' });
  return (
    <div className={styles.view}>
      <header className={styles.header}>
        <h1 className={styles.title}>Clients</h1>
        <span className={styles.count}>
          {clients !== undefined &&
            clients.length > 0 &&
            `${formatPlural(clients.length, 'client')}, ${clients.filter(isConnected).length} connected`}
        </span>
        {clients !== undefined && clients.length > 0 && <TextButton onClick={add}>Add a client…</TextButton>}
      </header>
      <div className={styles.body}>
        {error !== undefined && (
          <div className={styles.trouble}>
            <ErrorNote error={error} server="clients" lead="The clients could not be listed" />
          </div>
        )}
        <Endpoint />
        {clients === undefined ? null : clients.length === 0 ? (
          <NoClients onAdd={add} />
        ) : (
          <ClientTable clients={clients} />
        )}
      </div>
    </div>
  );
}

function NoClients({ onAdd }: { readonly onAdd: () => void }) {
  return (
    <section className={styles.empty} aria-label="No client yet">
      <p className={styles.what}>
        Claude Code, VS Code, Cursor and others can share these servers instead of each starting its own
        copies.
      </p>
      <p className={styles.how}>
        Make a client for each program: it gets a token of its own, which you can limit to some servers and
        revoke at any time.
      </p>
      <TextButton look="main" onClick={onAdd}>
        Add a client…
      </TextButton>
    </section>
  );
}
