import { useEffect } from 'react';
import { emptyFilterWords } from '../format/server-list.ts';
import { usePanel, useView } from '../services.ts';
import { ListBar } from './list-bar.tsx';
import { ServerList } from './server-list.tsx';
import styles from './server-list-pane.module.css';
import { useServerList } from './use-server-list.ts';

/** Server list beside the page of a server, if the app window is wide enough for both. */
export function ServerListPane({ open }: { readonly open: string }) {
  const { arrangement, handlers } = useServerList();
  const { groups } = arrangement;
  const filter = useView((state) => state.filter);
  const hasServers = usePanel((state) => state.names.length > 0);
  const shown = groups.reduce((sum, { names }) => sum + names.length, 0);
  useEffect(() => {
    const row = document.querySelector(`[role="row"][data-server="${CSS.escape(open)}"]`);
    row?.scrollIntoView({ block: 'nearest' });
  }, [open]);
  if (!hasServers) return null;
  return (
    <section className={`${styles.pane} flex flex-col min-w-0 h-full`} aria-label="Server list" {...handlers}>
      <div className={styles.bar}>
        <ListBar shown={shown} />
      </div>
      <div className={`${styles.list} min-h-0 flex-1 overflow-auto`}>
        {groups.length > 0 ? (
          <ServerList groups={groups} />
        ) : (
          <p className={styles.nothing}>{emptyFilterWords[filter]}</p>
        )}
      </div>
    </section>
  );
}
