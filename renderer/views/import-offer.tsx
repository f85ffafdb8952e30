import { useEffect } from 'react';
import { formatPlural } from '../format/figures.ts';
import { listWords } from '../format/word-lists.ts';
import { useFound } from '../import/use-found.ts';
import { useServices, useView } from '../services.ts';
import { OfferLine } from './offer-line.tsx';

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
    <OfferLine
      name="Found on this machine"
      words={`Found ${formatPlural(count, 'server')} in ${listWords(labels)}`}
      accept={count === 1 ? 'Look at it and import…' : 'Look at them and import…'}
      onAccept={() => manage.open({ kind: 'import' })}
      dismiss="Dismiss the offer"
      tip="Dismiss; Import stays above"
      onDismiss={() => view.setState({ offersImports: false })}
    />
  );
}
