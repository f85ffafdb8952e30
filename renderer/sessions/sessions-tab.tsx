import { useEffect } from 'react';
import { useStore } from 'zustand/react';
import type { SharingView } from '../../shared/domain.ts';
import { ErrorNote } from '../ui/error-note.tsx';
import { Segments } from '../ui/segments.tsx';
import { SharingAdvice } from './sharing-advice.tsx';
import { formatPlural } from '../format/figures.ts';
import { useAsk, useServices } from '../services.ts';
import { SessionClients } from './session-clients.tsx';
import { SessionItem } from './session-item.tsx';
import styles from './sessions.module.css';

/** Sessions of a server: who shares it, and the connections open for them. */
export function SessionsTab({ name }: { readonly name: string }) {
  const { clients, sessions } = useServices();
  useEffect(() => sessions.follow(name), [sessions, name]);
  useEffect(() => clients.follow(), [clients]);
  const { view, error } = useStore(sessions.state);
  if (view === undefined) {
    return (
      <div className={styles.view}>
        {error === undefined ? (
          <p className={styles.dim}>Asking for its sessions…</p>
        ) : (
          <ErrorNote error={error} server={name} lead="Its sessions could not be listed" />
        )}
      </div>
    );
  }
  const count = view.sessions.length;
  return (
    <div className={styles.view}>
      <Sharing name={name} sharing={view.sharing} />
      <SharingAdvice name={name} view={view} />
      <SessionClients server={name} />
      <section aria-label="Sessions">
        <h2 className={styles.title}>{count === 0 ? 'Sessions' : formatPlural(count, 'session')}</h2>
        {count === 0 && (
          <p className={styles.dim}>
            Nobody uses this server now. A session opens with the first call, for instance from the Tools tab.
          </p>
        )}
        <ul className={styles.list}>
          {view.sessions.map((session) => (
            <SessionItem key={`${session.instance} ${session.generation}`} server={name} session={session} />
          ))}
        </ul>
      </section>
    </div>
  );
}

const choices = [
  { value: 'auto', label: 'Auto' },
  { value: 'shared', label: 'Shared' },
  { value: 'exclusive', label: 'Exclusive' },
] as const;

const meanings: Readonly<Record<SharingView['mode'], string>> = {
  shared: 'All clients use the same connection.',
  exclusive: 'Each client gets a connection of its own; for a local server, a process of its own.',
};

function Sharing({ name, sharing }: { readonly name: string; readonly sharing: SharingView }) {
  const { asks, api, sessions } = useServices();
  const key = `sharing ${name}`;
  const status = useAsk(key);
  const { mode, setting, words } = sharing;
  return (
    <section className={styles.sharing} aria-label="Sharing">
      <div className={styles.mode}>
        <h2>{mode === 'shared' ? 'Shared' : 'Exclusive'}</h2>
        <p className={styles.dim}>
          {meanings[mode]} {words}
        </p>
      </div>
      <Segments
        name="Sharing"
        value={setting}
        choices={choices}
        onChange={(next) =>
          void asks.run(key, () => api.setSharing(name, next)).then(() => sessions.refresh())
        }
      />
      {status?.phase === 'failed' && <ErrorNote error={status.error} server={name} lead="Not changed" />}
    </section>
  );
}
