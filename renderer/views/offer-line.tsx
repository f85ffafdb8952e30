import { IconButton } from '../ui/icon-button.tsx';
import { TextButton } from '../ui/text-button.tsx';
import styles from './offer-line.module.css';

interface OfferLineProps {
  /** Accessible name of the line. */
  readonly name: string;
  readonly words: string;
  readonly accept: string;
  readonly onAccept: () => void;
  /** Accessible name of the button that dismisses the offer. */
  readonly dismiss: string;
  /** Where the offer is found after that. */
  readonly tip: string;
  readonly onDismiss: () => void;
}

/** Line above the list that offers something, and can be dismissed. */
export const OfferLine = ({ name, words, accept, onAccept, dismiss, tip, onDismiss }: OfferLineProps) => (
  <section className={styles.offer} aria-label={name}>
    <p className={styles.words}>{words}</p>
    <TextButton onClick={onAccept}>{accept}</TextButton>
    <IconButton icon="close" name={dismiss} tip={tip} onClick={onDismiss} />
  </section>
);
