import { useMemo, useState } from 'react';
import type { CallOutcome } from '../../shared/domain.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { Icon } from '../ui/icon.tsx';
import { Segments } from '../ui/segments.tsx';
import { TextButton } from '../ui/text-button.tsx';
import { formatSpan } from '../format/durations.ts';
import { formatCount } from '../format/figures.ts';
import { LongText } from './long-text.tsx';
import { leftOutWords, toBlocks, toJson, type ResultBlock } from './result-blocks.ts';
import styles from './result.module.css';

/** Blocks shown at once, because a result may have thousands, each with a frame and buttons. */
const BLOCKS_AT_ONCE = 100;

const modes = [
  { value: 'content', label: 'Content' },
  { value: 'json', label: 'JSON' },
] as const;
type Mode = (typeof modes)[number]['value'];

/** Result of a call as it is meant, or all of it as JSON. */
export function ResultView({ outcome }: { readonly outcome: CallOutcome }) {
  const [mode, setMode] = useState<Mode>('content');
  const { result, durationMs, leftOut } = outcome;
  const [blockCount, setBlockCount] = useState(BLOCKS_AT_ONCE);
  const json = useMemo(() => toJson(result), [result]);
  const blocks = useMemo(() => toBlocks(result), [result]);
  const isError = result['isError'] === true;
  return (
    <>
      <div className={styles.head}>
        <p role="status" className={isError ? styles.error : styles.fine}>
          <Icon name={isError ? 'warning' : 'done'} size={14} />
          {isError ? 'The tool reports an error' : 'Answered'}
          <span className={styles.faint}>in {formatSpan(durationMs)}</span>
        </p>
        <Segments name="Result as" value={mode} choices={modes} onChange={setMode} />
        <CopyButton
          name={leftOut === undefined ? 'Copy the whole result' : 'Copy this part of the result'}
          text={json}
        />
      </div>
      {leftOut !== undefined && (
        <p role="note" className={styles.faint}>
          {leftOutWords(leftOut)}
        </p>
      )}
      {mode === 'json' ? (
        <LongText text={json} isCode name="Result as JSON" />
      ) : (
        <>
          {blocks.length === 0 && <p className={styles.faint}>The result is empty.</p>}
          {blocks.slice(0, blockCount).map((block, index) => (
            <Block key={index} block={block} />
          ))}
          {blocks.length > blockCount && (
            <p className={styles.cut}>
              {formatCount(blockCount)} of {formatCount(blocks.length)} parts are shown.{' '}
              <TextButton look="link" onClick={() => setBlockCount(blockCount + BLOCKS_AT_ONCE)}>
                Show more
              </TextButton>
            </p>
          )}
        </>
      )}
    </>
  );
}

function Block({ block }: { readonly block: ResultBlock }) {
  return (
    <div className={styles.block}>
      {block.label !== undefined && block.label !== '' && <h3 className={styles.label}>{block.label}</h3>}
      {block.kind === 'note' && <p className={styles.faint}>{block.words}</p>}
      {block.kind === 'image' && (
        <img className={styles.image} src={block.source} alt={`Picture from the server, ${block.mimeType}`} />
      )}
      {(block.kind === 'text' || block.kind === 'json') && (
        <LongText text={block.text} isCode={block.kind === 'json'} name={block.label ?? 'Text'} />
      )}
    </div>
  );
}
