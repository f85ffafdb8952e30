import { useState } from 'react';
import type { RawEntry } from '../entry/raw-entry.ts';
import { TextButton } from '../ui/text-button.tsx';
import { hidesValues, previewOf } from './preview-rows.ts';
import styles from './entry-preview.module.css';

interface EntryPreviewProps {
  readonly name: string;
  readonly entry: RawEntry;
}

/** Preview of everything that an imported entry would run and set, in full. */
export function EntryPreview({ name, entry }: EntryPreviewProps) {
  const [isRevealed, setIsRevealed] = useState(false);
  return (
    <>
      <dl className={styles.rows} aria-label={`What ${name} runs`}>
        {previewOf(entry, isRevealed).map(({ label, lines }) => (
          <div key={label} className={styles.row}>
            <dt className={styles.label}>{label}</dt>
            <dd className={styles.lines}>
              {lines.map((line, index) => (
                <code key={index} className={styles.value}>
                  {line}
                </code>
              ))}
            </dd>
          </div>
        ))}
      </dl>
      {hidesValues(entry) && (
        <TextButton
          look="link"
          aria-label={`${isRevealed ? 'Hide' : 'Show'} the values that ${name} gets`}
          onClick={() => setIsRevealed(!isRevealed)}
        >
          {isRevealed ? 'Hide values' : 'Show values'}
        </TextButton>
      )}
    </>
  );
}
