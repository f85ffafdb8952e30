import { useState } from 'react';
import { CopyButton } from '../ui/copy-button.tsx';
import { TextButton } from '../ui/text-button.tsx';
import { showDirectionControls } from '../format/text-direction.ts';
import { pathWords, shownValue, type JsonRow } from './json-rows.ts';
import { LongText } from './long-text.tsx';
import { toJson } from './result-blocks.ts';
import styles from './json-tree.module.css';

/** Details of the selected row of a tree: its path and value to copy, and the full text if it is long. */
export function JsonPlace({ row }: { readonly row: JsonRow }) {
  const [isWhole, setWhole] = useState(false);
  const { path, value } = row;
  const isLong = typeof value === 'string' && (shownValue(row).isCut || value.includes('\n'));
  const words = showDirectionControls(pathWords(path));
  const [copyValue] = useState(() => () => (typeof value === 'string' ? value : toJson(value)));
  return (
    <>
      <div className={styles.place}>
        <code className={styles.path} data-tip={words} data-tip-if-cut>
          {words}
        </code>
        {isLong && (
          <TextButton look="link" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
            {isWhole ? 'Show less' : 'Show all'}
          </TextButton>
        )}
        <CopyButton name="Copy the path" label="Path" text={pathWords(path)} />
        <CopyButton name="Copy the value" label="Value" text={copyValue} />
      </div>
      {isWhole && typeof value === 'string' && (
        <LongText text={showDirectionControls(value)} isCode={false} name={`Value of ${words}`} />
      )}
    </>
  );
}
