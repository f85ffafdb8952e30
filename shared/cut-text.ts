export interface TextCut {
  /** No longer than asked for, the words about the loss included. */
  readonly text: string;
  /** How many UTF-16 code units of the original are missing. */
  readonly lostLength: number;
}

/** Room for the words about the loss; a text that may be no longer than this is cut to `…`. */
const MARK_LENGTH = 48;
/** So far a cut moves to stand between two words: half of a word, or of a secret, tells something else than the whole. */
const LONGEST_WORD = 4096;

/**
 * The text, at most `maxLength` UTF-16 code units long, with a statement of the loss where it is cut. `middle` keeps the
 * end, too: the last lines of what a program wrote say why it ended.
 * @param fullLength of a text of which `text` is only the beginning, more than `maxLength` long; for cuts at the end
 */
export function cutText(
  text: string,
  maxLength: number,
  where: 'end' | 'middle',
  fullLength = text.length,
): TextCut {
  if (fullLength <= maxLength) return { text, lostLength: 0 };
  if (maxLength < MARK_LENGTH) return { text: maxLength > 0 ? '…' : '', lostLength: fullLength };
  const room = maxLength - MARK_LENGTH;
  const tail = where === 'end' ? '' : endOf(text, Math.floor(room / 4));
  const head = beginningOf(text, room - tail.length);
  const lostLength = fullLength - head.length - tail.length;
  const mark = `… [${lostLength} characters left out]`;
  return { text: tail === '' ? head + mark : `${head}${mark} …${tail}`, lostLength };
}

function beginningOf(text: string, length: number): string {
  const lowest = Math.max(length - LONGEST_WORD, Math.floor(length / 2));
  for (let end = length; end > lowest; end -= 1) if (isSpace(text, end)) return text.slice(0, end);
  return text.slice(0, isSecondHalf(text, length) ? length - 1 : length);
}

function endOf(text: string, length: number): string {
  const first = text.length - length;
  const highest = Math.min(first + LONGEST_WORD, text.length - Math.floor(length / 2));
  for (let start = first; start < highest; start += 1) {
    if (isSpace(text, start - 1)) return text.slice(start);
  }
  return text.slice(isSecondHalf(text, first) ? first + 1 : first);
}

function isSpace(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  return code === 32 || (code >= 9 && code <= 13);
}

/** Of a character that takes two code units. */
function isSecondHalf(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  return code >= 0xdc_00 && code <= 0xdf_ff;
}
