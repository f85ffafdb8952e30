import type { TextMark } from '../format/terminal-text.ts';
import styles from './marked-text.module.css';

/** Text with the colours that its server set. */
export function MarkedText({
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
