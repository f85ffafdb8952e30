import type { OutputLine } from '../../shared/domain.ts';
import { isContinuation, levelOf, type LogLevel } from '../../shared/log-level.ts';
import { toPlainText } from './plain-text.ts';

/** Line of a log as it is shown: `text` is plain, `level` undefined where it tells none. */
export interface LogLine extends OutputLine {
  readonly level: LogLevel | undefined;
}

/**
 * Lines as they are shown, each worked out once.
 * @param before the line above the first one, whose severity a stack below it shares
 */
export function toLogLines(lines: readonly OutputLine[], before?: LogLine): readonly LogLine[] {
  let above = before;
  return lines.map((line) => {
    const text = toPlainText(line.text);
    const goesOn = above?.generation === line.generation && isContinuation(text);
    const level = levelOf(text) ?? (goesOn ? above?.level : undefined);
    return (above = { ...line, text, level });
  });
}
