import { useMemo, useState } from 'react';
import { errorAsText } from '../format/error-words.ts';
import { formatPlural } from '../format/figures.ts';
import { formatClockTime } from '../format/moments.ts';
import type { PastCall } from '../store/past-calls.ts';
import { Dialog } from '../ui/dialog.tsx';
import { TextButton } from '../ui/text-button.tsx';
import { differenceOf, type DifferenceLine } from './difference.ts';
import { toJson } from './result-blocks.ts';
import styles from './history.module.css';

interface DifferenceDialogProps {
  readonly server: string;
  readonly before: PastCall;
  readonly after: PastCall;
  readonly onClose: () => void;
}

const LINES_AT_ONCE = 1000;

/** Difference between the answers of two calls, by lines of their JSON. */
export function DifferenceDialog({ server, before, after, onClose }: DifferenceDialogProps) {
  const [most, setMost] = useState(LINES_AT_ONCE);
  const { lines, isCut } = useMemo(
    () => differenceOf(answerText(before, server), answerText(after, server)),
    [before, after, server],
  );
  const isSame = lines?.every(({ kind }) => kind === 'same' || kind === 'gap') === true;
  return (
    <Dialog
      title={`${formatClockTime(before.at)} and ${formatClockTime(after.at)} compared`}
      onClose={onClose}
      foot={
        <TextButton data-autofocus onClick={onClose}>
          Close
        </TextButton>
      }
    >
      <div className={styles.difference}>
        {isCut && (
          <p role="note">Only the beginnings of the answers are compared, because they are too long.</p>
        )}
        {lines === undefined && <p>The answers differ in too many places to be compared.</p>}
        {isSame && <p>Both answers are the same.</p>}
        {lines !== undefined && !isSame && (
          <div className={styles.lines} role="group" aria-label="Difference" tabIndex={0}>
            {lines.slice(0, most).map((line, index) => (
              <Line key={index} line={line} />
            ))}
          </div>
        )}
        {lines !== undefined && lines.length > most && (
          <TextButton look="link" onClick={() => setMost(most + LINES_AT_ONCE)}>
            Show more lines
          </TextButton>
        )}
      </div>
    </Dialog>
  );
}

const signs = { same: ' ', added: '+', removed: '−' } as const;

function Line({ line }: { readonly line: DifferenceLine }) {
  if (line.kind === 'gap')
    return <div className={styles.gap}>{formatPlural(line.count, 'line')} the same</div>;
  return (
    <div className={styles[line.kind]}>
      <span className={styles.mark}>{signs[line.kind]}</span>
      {line.text}
    </div>
  );
}

/** Text of a call's answer, for the comparison. */
function answerText({ record }: PastCall, server: string): string {
  if (record?.phase === 'done') return toJson(record.outcome.result);
  return record?.phase === 'failed' ? errorAsText(record.error, server) : '';
}
