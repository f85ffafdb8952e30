import { diffLines } from 'diff';

/** Line of a difference; a gap replaces `count` equal lines. */
export type DifferenceLine =
  | { readonly kind: 'same' | 'added' | 'removed'; readonly text: string }
  | { readonly kind: 'gap'; readonly count: number };

export interface Difference {
  /** Lines from the top; undefined if the texts differ in too many places. */
  readonly lines: readonly DifferenceLine[] | undefined;
  /** Whether only the starts of the texts were compared, because of their length. */
  readonly isCut: boolean;
}

const MOST_CHARACTERS = 400_000;
const MOST_EDITS = 4000;
const MOST_TIME_MS = 500;
/** Equal lines shown around a change. */
const CONTEXT_LINES = 3;

/** Difference of two texts by lines, with equal parts collapsed. */
export function differenceOf(before: string, after: string): Difference {
  const isCut = Math.max(before.length, after.length) > MOST_CHARACTERS;
  const parts = diffLines(before.slice(0, MOST_CHARACTERS), after.slice(0, MOST_CHARACTERS), {
    maxEditLength: MOST_EDITS,
    timeout: MOST_TIME_MS,
  });
  if (parts === undefined) return { lines: undefined, isCut };
  const lines = parts.flatMap(({ value, added, removed }, index) => {
    const texts = value.replace(/\n$/, '').split('\n');
    if (added || removed)
      return texts.map((text): DifferenceLine => ({ kind: added ? 'added' : 'removed', text }));
    return folded(texts, index === 0, index === parts.length - 1);
  });
  return { lines, isCut };
}

/** Equal lines, with a gap instead of those far from a change. */
function folded(texts: readonly string[], isFirst: boolean, isLast: boolean): readonly DifferenceLine[] {
  const head = isFirst ? 0 : CONTEXT_LINES;
  const tail = isLast ? 0 : CONTEXT_LINES;
  const count = texts.length - head - tail;
  const same = (some: readonly string[]) => some.map((text) => ({ kind: 'same', text }) as const);
  if (count < 2) return same(texts);
  return [...same(texts.slice(0, head)), { kind: 'gap', count }, ...same(texts.slice(texts.length - tail))];
}
