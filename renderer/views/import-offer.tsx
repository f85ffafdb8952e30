import { useEffect } from 'react';
import { formatPlural } from '../format/figures.ts';
import { listWords } from '../format/word-lists.ts';
import { useFound } from '../import/use-found.ts';
import { useServices, useView } from '../services.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { TextButton } from '../ui/text-button.tsx';
import styles from './import-offer.module.css';

/** Line above the list while other clients have servers that are not imported yet. Can be dismissed. */
export function ImportOffer() {
  const isOffered = useView((state) => state.offersImports);
  return isOffered ? <Offer /> : null;
}

function Offer() {
  const { found, manage, view } = useServices();
  useEffect(() => void found.look(), [found]);
  const { count, labels } = useFound();
  if (count === 0) return null;
  return (
    <section className={styles.offer} aria-label="Found on this machine">
      <p className={styles.words}>
        Found {formatPlural(count, 'server')} in {listWords(labels)}
      </p>
      <TextButton onClick={() => manage.open({ kind: 'import' })}>
        {count === 1 ? 'Look at it and import…' : 'Look at them and import…'}
      </TextButton>
      <IconButton
        icon="close"
        name="Dismiss the offer"
        tip="Dismiss; Import stays above"
        onClick={() => view.setState({ offersImports: false })}
      />
    </section>
  );
}
