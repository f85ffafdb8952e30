import { nameParts } from '../format/name-parts.ts';
import styles from './middle-cut.module.css';

/** Name of a server that is cut in the middle if it has too little room. */
export function MiddleCut({ name }: { readonly name: string }) {
  const { head, tail } = nameParts(name);
  return (
    <span className={styles.name}>
      <span className={styles.head}>{head}</span>
      {tail !== '' && <span className={styles.tail}>{tail}</span>}
    </span>
  );
}
