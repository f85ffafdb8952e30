import type { LogLine } from '../format/log-lines.ts';
import { formatPlural } from '../format/figures.ts';
import { formatDay } from '../format/moments.ts';

/** Heading between lines. Its id lies right before that of the line below it. */
export interface LogDivider {
  readonly id: number;
  readonly words: string;
}

export type LogRow = LogLine | LogDivider;

export const isDivider = (row: LogRow): row is LogDivider => 'words' in row;

/**
 * Rows of a log: its lines, with a heading before the first line of a run.
 * @param isWhole whether no line is left out, so that a step in the ids is a loss and is told
 */
export function toRows(lines: readonly LogLine[], isWhole: boolean): readonly LogRow[] {
  const rows: LogRow[] = [];
  let before: LogLine | undefined;
  for (const line of lines) {
    const words = dividerBefore(line, before) ?? (isWhole ? lossBefore(line, before) : undefined);
    if (words !== undefined) rows.push({ id: line.id - 0.5, words });
    rows.push(line);
    before = line;
  }
  return rows;
}

/** Run and launch of the panel; undefined within a run. */
function dividerBefore(line: LogLine, before: LogLine | undefined): string | undefined {
  const isEarlier = line.id <= 0;
  const isEdge = before === undefined ? isEarlier : isEarlier !== before.id <= 0;
  if (!isEdge && line.generation === before?.generation) return undefined;
  const day = formatDay(line.at);
  const isOtherDay = isEarlier && (before === undefined || formatDay(before.at) !== day);
  const words = [
    ...(isEdge ? [isEarlier ? 'Earlier launches' : 'This launch'] : []),
    ...(isOtherDay ? [day] : []),
    `Generation ${line.generation}`,
  ];
  return words.join(' · ');
}

/** Lines that were gone from the main process before the window asked for them. */
function lossBefore(line: LogLine, before: LogLine | undefined): string | undefined {
  const lost = before === undefined || before.id <= 0 ? 0 : line.id - before.id - 1;
  return lost > 0 ? `${formatPlural(lost, 'line')} came too fast to be kept here` : undefined;
}

/**
 * Number of a line, which stays with it whatever is filtered or cut: lines of earlier launches count backwards
 * from this one.
 */
export const lineNumber = (id: number): string => (id > 0 ? String(id) : `−${1 - id}`);
