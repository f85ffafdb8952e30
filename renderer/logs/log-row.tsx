import { memo, type RefCallback } from 'react';
import { formatClockTime, formatMoment } from '../format/moments.ts';
import { formatCount } from '../format/figures.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { isDivider, lineNumber, type LogRow } from './log-rows.ts';
import styles from './log-row.module.css';

/** What a press inside a row asks for; the list acts on it by `data-does` of the pressed part. */
export type RowAction = 'select' | 'open' | 'context';

interface LogRowProps {
  readonly row: LogRow;
  /** Room above the row for rows that are not in the page. */
  readonly gapPx: number;
  readonly isSelected: boolean;
  readonly isCurrent: boolean;
  /** Whether a long line is shown in full. */
  readonly isOpen: boolean;
  /** Whether the line can be shown among those that are filtered out. */
  readonly hasContext: boolean;
  /** Watches the height of the row. */
  readonly measure: RefCallback<HTMLElement>;
}

/** Part of a long line that is put into the page unasked, because a page slows down with every character. */
const SHOWN_CHARACTERS = 2000;

export const LogRowView = memo(function LogRowView({ row, gapPx, measure, ...rest }: LogRowProps) {
  const style = gapPx === 0 ? {} : { style: { marginTop: gapPx } };
  if (isDivider(row)) {
    return (
      <li className={styles.divider} data-line={row.id} {...style}>
        {row.words}
      </li>
    );
  }
  const isCut = !rest.isOpen && row.text.length > SHOWN_CHARACTERS;
  return (
    <li
      ref={measure}
      className={styles.line}
      data-line={row.id}
      data-level={row.level}
      data-selected={rest.isSelected || undefined}
      data-current={rest.isCurrent || undefined}
      {...style}
    >
      <span className={styles.number} {...does('select')} data-tip="Select the line; with Shift, up to here">
        {lineNumber(row.id)}
      </span>
      <time className={styles.time} data-tip={formatMoment(row.at)}>
        {formatClockTime(row.at)}
      </time>
      <span className={styles.content}>
        <span className={styles.text} data-text>
          {isCut ? row.text.slice(0, SHOWN_CHARACTERS) : row.text}
        </span>
        {isCut && (
          <button type="button" className={styles.open} {...does('open')}>
            … show all {formatCount(row.text.length)} characters
          </button>
        )}
      </span>
      {rest.hasContext && (
        <span className={styles.context}>
          <IconButton
            icon="context"
            name={`Show line ${lineNumber(row.id)} among its neighbours`}
            {...does('context')}
          />
        </span>
      )}
    </li>
  );
});

const does = (action: RowAction) => ({ 'data-does': action });
