/** Contents that the overview has to show besides the list of servers, and the space for everything together, in CSS pixels. */
interface RoomNeeds {
  readonly widthPx: number;
  readonly heightPx: number;
  /** Height of the notes, for example about changes that were not applied. */
  readonly notesPx: number;
  /** Number of servers that need attention. */
  readonly problems: number;
  readonly servers: number;
  /** Whether rows have a second line, if there is room for it. */
  readonly isComfortable: boolean;
}

/** Form of each part of the overview. A part is folded (shown in a smaller form) if the window is too small. */
export interface Folds {
  readonly events: 'list' | 'line';
  readonly head: 'tiles' | 'line';
  readonly problems: 'cards' | 'chips';
  readonly isOneLine: boolean;
  /** Whether everything else is already folded, so that the view scrolls as a whole. */
  readonly isWhole: boolean;
}

/** Maximum number of servers that are shown as cards. If there are more, they are chips in one line. */
const MOST_CARDS = 2;

const HEADER_PX = 30;
const WRAPPED_BELOW_PX = 660;
/** Minimum width at which two cards are side by side. */
const CARDS_BESIDE_PX = 720;

const heights = {
  events: { list: 108, line: 30 },
  head: { tiles: 112, line: 42 },
  cards: 132,
  chips: 40,
  bar: { one: 46, wrapped: 82 },
  row: { two: 43, one: 35 },
} as const;

/** Number of rows that should be visible, if there are as many servers, by the height of the window. */
const wantedRows = (heightPx: number): number =>
  heightPx < 500 ? 4 : heightPx < 700 ? 9 : heightPx < 1000 ? 9 : 16;

/** Steps that make the overview smaller, in the order in which they are applied. Each step folds one more part. */
const steps: readonly ((form: Folds) => Folds)[] = [
  (form) => ({ ...form, events: 'line' }),
  (form) => ({ ...form, head: 'line' }),
  (form) => ({ ...form, problems: 'chips' }),
  (form) => ({ ...form, isOneLine: true }),
  (form) => ({ ...form, isWhole: true }),
];

/** Folds one part after another until the wanted number of rows fits. */
export function foldsFor(needs: RoomNeeds): Folds {
  let form: Folds = {
    events: 'list',
    head: 'tiles',
    problems: needs.problems > MOST_CARDS ? 'chips' : 'cards',
    isOneLine: !needs.isComfortable,
    isWhole: false,
  };
  for (const fold of steps) {
    if (rowsIn(form, needs) >= Math.min(needs.servers, wantedRows(needs.heightPx))) return form;
    form = fold(form);
  }
  return form;
}

/** Number of rows that are completely visible. */
function rowsIn(form: Folds, { widthPx, heightPx, notesPx, problems }: RoomNeeds): number {
  const cardRows = Math.ceil(problems / (widthPx < CARDS_BESIDE_PX ? 1 : 2));
  const problemsPx =
    problems === 0 ? 0 : form.problems === 'cards' ? cardRows * heights.cards : heights.chips;
  const others =
    heights.events[form.events] +
    heights.head[form.head] +
    notesPx +
    problemsPx +
    heights.bar[widthPx < WRAPPED_BELOW_PX ? 'wrapped' : 'one'] +
    HEADER_PX;
  return Math.floor((heightPx - others) / heights.row[form.isOneLine ? 'one' : 'two']);
}

/** Number of chips that fit in a line, beside the button that counts the others. */
export const chipsIn = (widthPx: number): number => Math.max(1, Math.floor((widthPx - 120) / 240));
