/** Maximum number of steps that matching a pattern against one text may take, because the match blocks the page. */
const MOST_STEPS = 5_000_000;

/**
 * Complexity of a part of a regular expression, from which its longest matching time is computed: the number of loops, and the
 * number of combinations of alternatives.
 */
interface Shape {
  readonly loops: number;
  readonly choices: number;
  /** Single characters, classes and escapes that the part matches in sequence; undefined if it contains groups or choices. */
  readonly signs: readonly Sign[] | undefined;
}

interface Sign {
  readonly source: string;
  readonly isOnce: boolean;
}

/**
 * True if matching a server's pattern finishes soon on any text of this length. A regex engine tries every way through the
 * pattern, and each loop can end at each character of the text. Nested loops have too many ways and are rejected, except if a
 * separator marks where each round begins: `(?:-[a-z]+)*`.
 */
export function isQuickPattern(pattern: string, textLength: number): boolean {
  try {
    const { loops, choices } = readAlternatives({ text: pattern, at: 0 }, false);
    const isAnchored = pattern.startsWith('^') && !pattern.includes('|');
    return choices * (textLength + 1) ** (loops + (isAnchored ? 0 : 1)) <= MOST_STEPS;
  } catch {
    return false;
  }
}

interface Place {
  readonly text: string;
  at: number;
}

const intricate = (): never => {
  throw new Error('Not known to be fast.');
};

function readAlternatives(place: Place, isInGroup: boolean): Shape {
  const found = [readSequence(place)];
  while (place.text[place.at] === '|') {
    place.at += 1;
    found.push(readSequence(place));
  }
  if (isInGroup ? place.text[place.at] !== ')' : place.at < place.text.length) intricate();
  return {
    loops: Math.max(...found.map(({ loops }) => loops)),
    choices: found.reduce((sum, { choices }) => sum + choices, 0),
    signs: found.length === 1 ? found[0]?.signs : undefined,
  };
}

function readSequence(place: Place): Shape {
  let whole: Shape = { loops: 0, choices: 1, signs: [] };
  while (place.at < place.text.length && !'|)'.includes(place.text[place.at] ?? '')) {
    const part = readPart(place);
    const signs = whole.signs && part.signs && [...whole.signs, ...part.signs];
    whole = { loops: whole.loops + part.loops, choices: whole.choices * part.choices, signs };
  }
  return whole;
}

function readPart(place: Place): Shape {
  const isGroup = place.text[place.at] === '(';
  const source = isGroup ? '' : readSign(place);
  const inner = isGroup ? readGroup(place) : undefined;
  const { least, most } = readTimes(place);
  if (source === '^' || source === '$') return { loops: 0, choices: 1, signs: [] };
  const isFixed = least === most;
  if (inner === undefined) {
    const isLoop = !isFixed && most > 1;
    const isOnce = least === 1 && most === 1;
    return { loops: isLoop ? 1 : 0, choices: isFixed || isLoop ? 1 : 2, signs: [{ source, isOnce }] };
  }
  if (most <= 1) return { ...inner, choices: inner.choices * (isFixed ? 1 : 2), signs: undefined };
  if (isFixed && most <= 10)
    return { loops: inner.loops * most, choices: inner.choices ** most, signs: undefined };
  if (!isSeparated(inner)) intricate();
  return { loops: inner.loops + 1, choices: inner.choices, signs: undefined };
}

/** True if each round of a loop begins with a character that nothing else in the loop matches. */
function isSeparated({ signs }: Shape): boolean {
  const [first, ...others] = signs ?? [];
  const separator = first === undefined ? undefined : /^\\?([^\w\s[\]])$|^(\w)$/.exec(first.source);
  const sign = separator?.[1] ?? separator?.[2];
  if (first?.isOnce !== true || sign === undefined || first.source === '.') return false;
  // eslint-disable-next-line patterns/constant-pattern -- one sign, class or escape, against one character
  return others.every(({ source }) => !new RegExp(`^(?:${source})$`, 'u').test(sign));
}

/** Reads one character, class or escape of a pattern. */
function readSign(place: Place): string {
  const rest = place.text.slice(place.at);
  const [source] =
    /^(?:\[\^?\]?(?:\\.|[^\]\\])*\]|\\[pP]\{[\w=]+\}|\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|\\[^1-9kux]|[^\\[\](){}*+?|])/u.exec(
      rest,
    ) ?? intricate();
  place.at += source.length;
  return /^\\[bB]$/.test(source) ? '^' : source;
}

function readGroup(place: Place): Shape {
  const [opening] = /^\((?:\?:|\?<[A-Za-z]\w*>|(?!\?))/.exec(place.text.slice(place.at)) ?? intricate();
  place.at += opening.length;
  const inner = readAlternatives(place, true);
  place.at += 1;
  return inner;
}

function readTimes(place: Place): { readonly least: number; readonly most: number } {
  const found = /^(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})\??/.exec(place.text.slice(place.at));
  if (found === null) return { least: 1, most: 1 };
  place.at += found[0].length;
  const [, sign, from, comma, to] = found;
  if (sign !== undefined) return { least: sign === '+' ? 1 : 0, most: sign === '?' ? 1 : Infinity };
  const least = Number(from);
  return { least, most: comma === undefined ? least : to === '' ? Infinity : Number(to) };
}
