import { type CSSProperties, memo, type RefCallback } from 'react';
import { formatCount } from '../format/figures.ts';
import { formatClockTime, formatMoment } from '../format/moments.ts';
import type { ShownLine } from '../format/log-lines.ts';
import { Icon } from '../ui/icon.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { TrafficContent } from './traffic-content.tsx';
import { isDivider, type LogRow } from './log-rows.ts';
import styles from './log-row.module.css';
import type { TextMark } from '../format/terminal-text.ts';

/** Action of a clicked part of a row; the list reads it from the part's attribute `data-does`. */
export type RowAction = 'select' | 'open' | 'context' | 'pair';

interface LogRowProps {
  readonly row: LogRow;
  /** Height of the rows right above this one that are not in the page, in pixels. */
  readonly gapPx: number;
  readonly isSelected: boolean;
  readonly isCurrent: boolean;
  /** Whether a long line, or the content of a message, is expanded. */
  readonly isOpen: boolean;
  /** Whether the line can be shown among the lines that the filter hides. */
  readonly hasContext: boolean;
  /** Colour of the server as a CSS value; undefined if all lines belong to one server, which is then not named. */
  readonly colour: string | undefined;
  /** Observes the height of the row. */
  readonly measure: RefCallback<HTMLElement>;
}

/** Characters of a long line that are shown until it is expanded, because a page slows down with every character. */
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
  return (
    <li
      ref={measure}
      className={styles.line}
      data-line={row.id}
      data-moment={row.at}
      data-moment-server={row.server ?? undefined}
      data-level={row.level}
      data-source={row.source}
      data-selected={rest.isSelected || undefined}
      data-current={rest.isCurrent || undefined}
      {...style}
    >
      <time className={styles.time} {...does('select')} data-tip={`${formatMoment(row.at)}  Select the line`}>
        {formatClockTime(row.at)}
      </time>
      {rest.colour !== undefined && <ServerName line={row} colour={rest.colour} />}
      <span className={styles.source}>{sourceWords(row)}</span>
      <LineContent line={row} isOpen={rest.isOpen} />
      {rest.hasContext && (
        <span className={styles.context}>
          <IconButton
            icon="context"
            name={`Show ${row.text.slice(0, 40)} among its neighbours`}
            {...does('context')}
          />
        </span>
      )}
    </li>
  );
});

/** Text of a line with a button that expands a long text or the content of a message. */
function LineContent({ line, isOpen }: { readonly line: ShownLine; readonly isOpen: boolean }) {
  const { traffic } = line;
  const isCut = !isOpen && line.text.length > SHOWN_CHARACTERS;
  return (
    <span className={styles.content}>
      {traffic?.hasContent === true && (
        <button
          type="button"
          className={styles.fold}
          aria-expanded={isOpen}
          aria-label="What the message said"
          {...does('open')}
        >
          <Icon name="more" size={12} />
        </button>
      )}
      <span className={styles.text} data-text>
        <MarkedText text={isCut ? line.text.slice(0, SHOWN_CHARACTERS) : line.text} marks={line.marks} />
      </span>
      {isCut && traffic === undefined && (
        <button type="button" className={styles.open} {...does('open')}>
          … show all {formatCount(line.text.length)} characters
        </button>
      )}
      {traffic !== undefined && isOpen && <TrafficContent line={line} />}
    </span>
  );
}

function ServerName({ line, colour }: { readonly line: ShownLine; readonly colour: string }) {
  const name = line.instance ?? line.server ?? 'panel';
  return (
    <span className={styles.server} style={{ '--colour': colour } as CSSProperties} data-tip={name}>
      {name}
    </span>
  );
}

/** Source of a line in one word, or its level if the text does not contain the level. */
function sourceWords({ source, level }: ShownLine): string {
  if (source === 'protocol') return 'not MCP';
  return level !== undefined && source !== 'stderr' && source !== 'traffic' ? level : source;
}

const does = (action: RowAction) => ({ 'data-does': action });

/** Text with the colours that its server set. */
function MarkedText({
  text,
  marks,
}: {
  readonly text: string;
  readonly marks: readonly TextMark[] | undefined;
}) {
  if (marks === undefined) return text;
  let end = 0;
  const parts = marks.flatMap((mark) => {
    const before = text.slice(end, mark.start);
    end = mark.end;
    const marked = (
      <span
        key={mark.start}
        className={mark.colour === undefined ? undefined : styles[mark.colour]}
        data-badge={mark.isBadge}
        data-bold={mark.isBold}
      >
        {text.slice(mark.start, mark.end)}
      </span>
    );
    return before === '' ? [marked] : [before, marked];
  });
  return [...parts, text.slice(end)];
}
