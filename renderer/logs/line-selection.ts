import type { ShownLine } from '../format/log-lines.ts';
import { formatMoment } from '../format/moments.ts';
import { indexUpTo } from './line-scan.ts';

/** Selection of whole log lines, from the line clicked first (`anchor`) to the last (`head`), both by id and both included. */
export interface LineSelection {
  readonly anchor: number;
  readonly head: number;
}

/** Position within a log line. `id` is the line's id, and `offset` counts UTF-16 code units of its text. */
export interface TextPlace {
  readonly id: number;
  readonly offset: number;
}

export const isSelected = (selection: LineSelection | undefined, id: number): boolean =>
  selection !== undefined &&
  id >= Math.min(selection.anchor, selection.head) &&
  id <= Math.max(selection.anchor, selection.head);

/**
 * Returns the selection after a click on a line. A click that extends the selection keeps its anchor, the line clicked first. A
 * click on the only selected line clears the selection.
 */
export function pressed(
  before: LineSelection | undefined,
  id: number,
  extends_: boolean,
): LineSelection | undefined {
  if (extends_ && before !== undefined) return { ...before, head: id };
  return before?.anchor === id && before.head === id ? undefined : { anchor: id, head: id };
}

/**
 * Returns the selection moved up or down by `by` lines. Without a selection, selects the line `start`.
 * @param extends_ true to keep the anchor, so that the selection grows or shrinks; false to move all of it
 */
export function moved(
  before: LineSelection | undefined,
  lines: readonly ShownLine[],
  by: number,
  { start, extends_ }: { readonly start: number | undefined; readonly extends_: boolean },
): LineSelection | undefined {
  if (before === undefined) return start === undefined ? undefined : { anchor: start, head: start };
  const at = indexUpTo(lines, before.head) + by;
  const next = lines[Math.max(0, Math.min(lines.length - 1, at))];
  if (next === undefined) return before;
  return { anchor: extends_ ? before.anchor : next.id, head: next.id };
}

export const everyLine = (lines: readonly ShownLine[]): LineSelection | undefined => {
  const [first, last] = [lines[0], lines.at(-1)];
  return first === undefined || last === undefined ? undefined : { anchor: first.id, head: last.id };
};

export function selectedLines(
  lines: readonly ShownLine[],
  selection: LineSelection | undefined,
): readonly ShownLine[] {
  if (selection === undefined) return [];
  const first = Math.min(selection.anchor, selection.head);
  const last = Math.max(selection.anchor, selection.head);
  return lines.slice(indexUpTo(lines, first - 0.5) + 1, indexUpTo(lines, last) + 1);
}

/**
 * Returns whole lines as text for the clipboard or a file, each with its time.
 * @param isOfOne true if all lines belong to one server; the server's name is then left out
 */
export const asText = (lines: readonly ShownLine[], isOfOne: boolean): string =>
  lines
    .map((line) => {
      const whose = isOfOne ? [] : [line.instance ?? line.server ?? 'panel'];
      return [formatMoment(line.at), ...whose, line.text].join(' ');
    })
    .join('\n');

/** Returns the text between two positions, including lines that are scrolled out of view and therefore not in the DOM. */
export function textBetween(lines: readonly ShownLine[], one: TextPlace, other: TextPlace): string {
  const isForward = one.id < other.id || (one.id === other.id && one.offset <= other.offset);
  const [start, end] = isForward ? [one, other] : [other, one];
  // The ids may not be those of existing lines, because a selection may end in a heading, or in a line that has since been
  // removed.
  const between = selectedLines(lines, { anchor: start.id, head: end.id });
  return between
    .map(({ id, text }) =>
      text.slice(id === start.id ? start.offset : 0, id === end.id ? end.offset : undefined),
    )
    .join('\n');
}
