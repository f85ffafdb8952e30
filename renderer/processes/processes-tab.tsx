import { useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand/react';
import type { ServerView } from '../../shared/domain.ts';
import { formatPlural } from '../format/figures.ts';
import { arrangeProcesses, type ProcessOrder } from '../format/process-tree.ts';
import { useServices } from '../services.ts';
import { ErrorNote } from '../ui/error-note.tsx';
import { ProcessTreeTable } from './process-table.tsx';
import styles from './processes.module.css';

const SHARED_PAGES = 'Processes share pages, so the server needs less memory than their sum.';

/** Process tree of a server with the resource use of each process, and a button to end it. */
export function ProcessesTab({ server }: { readonly server: ServerView }) {
  const { name, transport } = server;
  const { processes } = useServices();
  useEffect(() => processes.follow(name), [processes, name]);
  const { view, error } = useStore(processes.state);
  const [order, setOrder] = useState<ProcessOrder>('started');
  const rows = useMemo(() => arrangeProcesses(view?.processes ?? [], order), [view, order]);
  if (error !== undefined)
    return (
      <div className={styles.view}>
        <ErrorNote error={error} server={name} lead="Its processes could not be listed" />
      </div>
    );
  if (rows.length === 0)
    return (
      <div className={styles.view}>
        <p className={styles.dim}>
          {transport === 'stdio' ? emptyWords(server, view !== undefined) : REMOTE}
        </p>
      </div>
    );
  return (
    <div className={styles.view}>
      <ProcessTreeTable server={server} rows={rows} order={order} onOrder={setOrder} />
      <p className={styles.dim}>
        {formatPlural(rows.length, 'process', 'processes')}. {rows.length > 1 && SHARED_PAGES}
      </p>
    </div>
  );
}

const REMOTE = 'A remote server: its processes run elsewhere, and are not seen from here.';

function emptyWords({ pid }: ServerView, isKnown: boolean): string {
  if (pid !== undefined || !isKnown) return 'Looking at its processes…';
  return 'It has no process now. Start it to see what it consists of.';
}
