import type { TextLevel } from '../../shared/log-level.ts';
import type { LogLine as KeptLine } from '../../shared/log-lines.ts';
import { styledText, type TextMark } from './terminal-text.ts';

/** Line of a log as the page shows it. */
export interface ShownLine extends Omit<KeptLine, 'level'> {
  /** Position among the log lines in the page. Positions ascend in the order of the lines. */
  readonly id: number;
  /** Text without escape sequences; it is searched, selected and copied. */
  readonly text: string;
  /** Colours of parts of the text; undefined if there are none. */
  readonly marks?: readonly TextMark[];
  /** Severity, reduced to the levels that the page distinguishes; undefined if the line has none. */
  readonly level: TextLevel | undefined;
  /** Set for the first line after a gap: the lines before it were deleted before the page could read them. */
  readonly isAfterLoss?: true;
}

/** Severities of the protocol, each mapped to a level that the page distinguishes. */
const shownLevels: Readonly<Record<NonNullable<KeptLine['level']>, TextLevel>> = {
  debug: 'debug',
  info: 'info',
  notice: 'info',
  warning: 'warning',
  error: 'error',
  critical: 'error',
  alert: 'error',
  emergency: 'error',
};

/** Converts a stored line to a line for the page at position `id`. */
export function toLogLine(line: KeptLine, id: number): ShownLine {
  return {
    ...line,
    ...styledText(line.text),
    id,
    level: line.level === undefined ? undefined : shownLevels[line.level],
  };
}
