import type { TextLevel } from '../../shared/log-level.ts';
import type { LogLine as KeptLine } from '../../shared/log-lines.ts';
import { styledText, type TextMark } from './terminal-text.ts';

/** Line of a log as it is shown. */
export interface ShownLine extends Omit<KeptLine, 'level'> {
  /** Place in what the page holds of the log; ascends with the order of the lines. */
  readonly id: number;
  /** Text without escape sequences; this is what is searched, selected and copied. */
  readonly text: string;
  /** Colours of its parts; absent where it has none. */
  readonly marks?: readonly TextMark[];
  /** Severity as far as it is told apart; undefined where the line tells none. */
  readonly level: TextLevel | undefined;
  /** Mark of the first line after some that were gone before they could be asked for. */
  readonly isAfterLoss?: true;
}

/** Severities of the protocol, as far as the page tells them apart. */
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

/** The line as it is shown, at its place. */
export function toLogLine(line: KeptLine, id: number): ShownLine {
  return {
    ...line,
    ...styledText(line.text),
    id,
    level: line.level === undefined ? undefined : shownLevels[line.level],
  };
}
