export interface Ranked<T> {
  readonly item: T;
  /** Indices of the letters of the item's text that the typed letters match. The palette highlights them. */
  readonly hits: readonly number[];
}

interface Rankable {
  readonly words: string;
  readonly isHarmful?: boolean;
}

/**
 * Items of the command palette whose text contains the typed letters in order, or each of the typed words in any order. Items
 * that match whole words come first, then items that match the beginning of words, then items that match scattered letters.
 * Within each of these groups, harmful items come after all others, and better matches come before worse ones. Equal matches
 * keep their order.
 */
export function rank<T extends Rankable>(items: readonly T[], typed: string): readonly Ranked<T>[] {
  const parts = typed.toLowerCase().split(/\s+/).filter(Boolean);
  if (parts.length === 0) return items.map((item) => ({ item, hits: [] }));
  return items
    .flatMap((item, order) => {
      const words = item.words.toLowerCase();
      const match = bestMatch(words, parts.join('')) ?? matchParts(words, parts);
      if (match === undefined) return [];
      const wholeness = Math.min(...parts.map((part) => wholenessOf(words, part)));
      return [{ item, order, wholeness, harm: Number(item.isHarmful === true), ...match }];
    })
    .toSorted(
      (a, b) => b.wholeness - a.wholeness || a.harm - b.harm || b.score - a.score || a.order - b.order,
    )
    .map(({ item, hits }) => ({ item, hits }));
}

/** How completely a typed part matches a word of the text: 2 as a whole word, 1 as the beginning of a word, 0 otherwise. */
function wholenessOf(words: string, part: string): 0 | 1 | 2 {
  let best: 0 | 1 = 0;
  for (let at = words.indexOf(part); at >= 0; at = words.indexOf(part, at + 1)) {
    if (!startsWord(words, at)) continue;
    const end = at + part.length;
    if (end === words.length || startsWord(words, end + 1)) return 2;
    best = 1;
  }
  return best;
}

/** Matches each word separately: "github restart" finds "Restart github". The score is below that of matches in order. */
function matchParts(words: string, parts: readonly string[]): Match | undefined {
  const matches = parts.map((part) => bestMatch(words, part));
  if (parts.length < 2 || matches.some((match) => match === undefined)) return undefined;
  const found = matches.filter((match) => match !== undefined);
  return {
    score: found.reduce((sum, { score }) => sum + score, 0) - OUT_OF_ORDER,
    hits: [...new Set(found.flatMap(({ hits }) => hits))],
  };
}

interface Match {
  readonly score: number;
  readonly hits: readonly number[];
}

const STARTS_WORD = 8;
const FOLLOWS = 5;
const GAP = 0.2;
const OUT_OF_ORDER = 10;

/** Returns the match with the highest score over all start positions, because a later start may match the beginnings of words. */
function bestMatch(words: string, letters: string): Match | undefined {
  const first = letters.charAt(0);
  let best: Match | undefined;
  for (let at = words.indexOf(first); at >= 0; at = words.indexOf(first, at + 1)) {
    const match = matchFrom(words, letters, at);
    if (match !== undefined && (best === undefined || match.score > best.score)) best = match;
  }
  return best;
}

function matchFrom(words: string, letters: string, start: number): Match | undefined {
  const hits: number[] = [];
  let score = -start * GAP;
  for (const letter of letters) {
    const before = hits.at(-1);
    const from = before === undefined ? start : before + 1;
    const next = words.indexOf(letter, from);
    if (next < 0) return undefined;
    const atWord = nextWordStart(words, letter, from);
    // The next start of a word with this letter is preferred to an earlier occurrence within a word, unless the earlier one
    // directly follows the previous hit.
    const hit = next === from || atWord === undefined ? next : atWord;
    // A gap lowers the score except before the start of a word, because the length of the word that was skipped is irrelevant.
    const gap = startsWord(words, hit) ? 0 : (hit - from) * GAP;
    const place = before !== undefined && hit === before + 1 ? FOLLOWS : 0;
    score += (startsWord(words, hit) ? STARTS_WORD : 0) + place - gap;
    hits.push(hit);
  }
  return { score, hits };
}

const startsWord = (words: string, at: number) => at === 0 || /[\s._-]/.test(words.charAt(at - 1));

function nextWordStart(words: string, letter: string, from: number): number | undefined {
  for (let at = words.indexOf(letter, from); at >= 0; at = words.indexOf(letter, at + 1))
    if (startsWord(words, at)) return at;
  return undefined;
}
