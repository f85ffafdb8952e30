import { useState } from 'react';
import { CopyButton } from '../components/copy-button.tsx';
import { TextButton } from '../components/text-button.tsx';
import { formatCount } from '../format/figures.ts';
import styles from './result.module.css';

/** More than anybody reads at once; laying out megabytes would hold up the window. */
const SHOWN_CHARACTERS = 20_000;

interface LongTextProps {
  readonly text: string;
  readonly name: string;
  readonly isCode: boolean;
}

/** Text as text, never as markup, cut where it is endless. */
export function LongText({ text, name, isCode }: LongTextProps) {
  const [isWhole, setWhole] = useState(false);
  const isCut = !isWhole && text.length > SHOWN_CHARACTERS;
  return (
    <div className={styles.text}>
      <pre className={isCode ? styles.code : styles.prose} tabIndex={0} role="group" aria-label={name}>
        {isCut ? text.slice(0, SHOWN_CHARACTERS) : text}
      </pre>
      <span className={styles.copy}>
        <CopyButton name="Copy this text" text={text} />
      </span>
      {isCut && (
        <p className={styles.cut}>
          {formatCount(SHOWN_CHARACTERS)} of {formatCount(text.length)} characters are shown.{' '}
          <TextButton look="link" onClick={() => setWhole(true)}>
            Show all
          </TextButton>
        </p>
      )}
    </div>
  );
}
