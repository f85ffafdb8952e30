/** What the overview has to show beside the list of servers, and the room for all of it, in CSS pixels. */
interface RoomNeeds {
  readonly widthPx: number;
  readonly heightPx: number;
  /** Height of the notes, such as changes that were not applied. */
  readonly notesPx: number;
  /** Servers that need attention. */
  readonly problems: number;
  readonly servers: number;
  /** Whether rows have their second line, as far as there is room. */
  readonly isComfortable: boolean;
}

/** Form of the parts of the overview. */
export interface Folds {
  readonly events: 'list' | 'line';
  readonly head: 'tiles' | 'line';
  readonly problems: 'cards' | 'chips';
  readonly isOneLine: boolean;
  /** Nothing is left to fold: the view scrolls as a whole. */
  readonly isWhole: boolean;
}

/** Most servers with a card of their own; more are chips in one line. */
const MOST_CARDS = 2;

const HEADER_PX = 30;
const WRAPPED_BELOW_PX = 660;
/** Width from which two cards stand side by side. */
const CARDS_BESIDE_PX = 720;

const heights = {
  events: { list: 108, line: 30 },
  head: { tiles: 112, line: 42 },
  cards: 132,
  chips: 40,
  bar: { one: 46, wrapped: 82 },
  row: { two: 43, one: 35 },
} as const;

/** Rows that are wanted in view, if there are as many servers, by the height of the window. */
const wantedRows = (heightPx: number): number =>
  heightPx < 500 ? 4 : heightPx < 700 ? 9 : heightPx < 1000 ? 9 : 16;

/** The forms from the roomiest on, each with one more part folded. */
const steps: readonly ((form: Folds) => Folds)[] = [
  (form) => ({ ...form, events: 'line' }),
  (form) => ({ ...form, head: 'line' }),
  (form) => ({ ...form, problems: 'chips' }),
  (form) => ({ ...form, isOneLine: true }),
  (form) => ({ ...form, isWhole: true }),
];

/** Folds one part after the other until the rows that are wanted fit. */
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

/** Rows that are in view as a whole. */
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

/** Chips that fit in a line, beside the button that counts the others. */
export const chipsIn = (widthPx: number): number => Math.max(1, Math.floor((widthPx - 120) / 240));
