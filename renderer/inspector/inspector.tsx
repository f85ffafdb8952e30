import { useEffect } from 'react';
import { useStore } from 'zustand/react';
import type { ServerView } from '../../shared/domain.ts';
import { ErrorNote } from '../components/error-note.tsx';
import { useServices } from '../store/services.ts';
import { ItemPanel } from './item-panel.tsx';
import { OfferList } from './offer-list.tsx';
import styles from './inspector.module.css';

/** What a server offers, each thing with a form to try it. */
export function Inspector({ server }: { readonly server: ServerView }) {
  const { name, generation } = server;
  const inspector = useServices().inspectors.of(name);
  const { items, offerError, isListing, selected, search } = useStore(inspector.state);
  const isRunning = server.state.kind === 'running';

  useEffect(() => {
    if (isRunning) void inspector.list();
  }, [inspector, isRunning, generation]);

  if (items === undefined || items.length === 0) {
    return (
      <div className={styles.empty}>
        {offerError !== undefined && isRunning ? (
          <ErrorNote error={offerError} server={name} lead="Its offer could not be listed" />
        ) : (
          <p>{emptyWords(isRunning, isListing, items !== undefined)}</p>
        )}
      </div>
    );
  }
  const item = items.find(({ key }) => key === selected) ?? items[0];
  return (
    <div className={styles.inspector}>
      <OfferList
        inspector={inspector}
        items={items}
        current={item?.key}
        search={search}
        isListing={isListing}
      />
      {item !== undefined && (
        <ItemPanel key={item.key} item={item} server={name} inspector={inspector} isRunning={isRunning} />
      )}
    </div>
  );
}

function emptyWords(isRunning: boolean, isListing: boolean, isKnown: boolean): string {
  if (!isRunning) return 'Tools, prompts and resources are listed once the server runs.';
  if (isListing || !isKnown) return 'Asking the server what it offers…';
  return 'This server offers no tools, prompts or resources.';
}
