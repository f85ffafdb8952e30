import type { OfferItem } from '../offer/offer-items.ts';
import { Description } from './description.tsx';
import styles from './inspector.module.css';

/** Name of an item, the hints its server gives about it, and its description. */
export function ItemHead({ item }: { readonly item: OfferItem }) {
  return (
    <header>
      <h2 className={styles.name}>
        <code>{item.name}</code>
        {item.title !== undefined && <span className={styles.title}>{item.title}</span>}
        {item.hints.map((hint) => (
          <span
            key={hint}
            className={hint === 'destructive' ? styles.warningTag : styles.tag}
            data-tip="The server says so; nothing checks it."
          >
            {hint}
          </span>
        ))}
      </h2>
      {item.description !== undefined && <Description text={item.description} />}
    </header>
  );
}
