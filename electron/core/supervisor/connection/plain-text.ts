/** Four bytes are looked at in one step. */
const WORD_BYTES = 4;
const WORD_SHIFT = 2;
/** The same byte in each place of a word. */
const [ONES, TOPS] = [0x01010101, 0x80808080];
const [SPACES, QUOTES, BACKSLASHES] = [0x20202020, 0x22222222, 0x5c5c5c5c];

/** The whole aligned words of some bytes; the bytes before and behind them are left out. */
export function wordsOf({ buffer, byteOffset, length }: Uint8Array): Int32Array {
  const start = Math.ceil(byteOffset / WORD_BYTES) * WORD_BYTES;
  const count = Math.floor((byteOffset + length - start) / WORD_BYTES);
  return new Int32Array(buffer, start, Math.max(0, count));
}

/**
 * How far the text of a JSON string goes on, in whole words, without a quote, a backslash or a control character
 * (RFC 8259 §7). Never behind the last byte of the last word, which may be the last byte of all.
 * @param words those of some bytes that begin at `offset` of their memory
 * @param index a place in these bytes where a word begins
 */
export function plainTextEnd(words: Int32Array, offset: number, index: number): number {
  const first = words.byteOffset - offset;
  const start = (index - first) >> WORD_SHIFT;
  const last = words.length - 1;
  let at = start;
  while (at < last && isPlain(words[at] ?? 0)) at += 1;
  return at === start ? index : first + (at << WORD_SHIFT);
}

/**
 * Whether each byte is 0x20 or more and neither `"` nor `\\`. `x - n & ~x & 0x80` marks the bytes of a word that are below
 * `n` (Hacker's Delight §6-1); a borrow can mark others only where one is marked already.
 */
function isPlain(word: number): boolean {
  const quotes = word ^ QUOTES;
  const backslashes = word ^ BACKSLASHES;
  const found =
    ((word - SPACES) & ~word) | ((quotes - ONES) & ~quotes) | ((backslashes - ONES) & ~backslashes);
  return (found & TOPS) === 0;
}
