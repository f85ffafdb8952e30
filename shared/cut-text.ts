interface TextCut {
  /** Text of at most the requested length, including the note about the omission. */
  readonly text: string;
  /** Number of UTF-16 code units of the original that were removed. */
  readonly lostLength: number;
}

/** Maximum characters of the note about the omission; if the requested length is shorter, the text is cut to `…`. */
const MARK_LENGTH = 48;
/**
 * Maximum number of characters by which a cut is moved so that it falls between two words. Half a word or secret would have a
 * different meaning from the whole.
 */
const LONGEST_WORD = 4096;

/**
 * Cuts the text to at most `maxLength` UTF-16 code units, with a note about the omission. `middle` also keeps the end, because
 * the last lines of a program's output say why it ended.
 * @param fullLength length of the original, if `text` is only its beginning and longer than `maxLength`; for cuts at the end
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

/** True if the code unit is the second of a surrogate pair. */
function isSecondHalf(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  return code >= 0xdc_00 && code <= 0xdf_ff;
}
