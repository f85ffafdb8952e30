import type { Span } from './long-message.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LETTER_U = 0x75;
/** `\u00e4` */
const LONGEST_ESCAPE = 6;

/** What a part of a text in JSON says. `start` and `end` must not stand within a character or an escape. */
export function decodeText(bytes: Buffer, { start, end }: Span): string {
  const text = bytes.toString('utf8', start, end);
  return text.includes('\\') ? String(JSON.parse(`"${text}"`)) : text;
}

/** The last position up to `at` that stands within no character and no escape of the text that begins at `start`. */
export function safeCut(bytes: Buffer, at: number, start: number): number {
  let cut = at;
  while (cut > start && isContinuation(bytes[cut])) cut -= 1;
  const lowest = Math.max(start, cut - LONGEST_ESCAPE + 1);
  let escape = cut - 1;
  while (escape >= lowest && bytes[escape] !== BACKSLASH) escape -= 1;
  if (escape < lowest || !isEscaping(bytes, escape, start)) return cut;
  const length = bytes[escape + 1] === LETTER_U ? LONGEST_ESCAPE : 2;
  return escape + length > cut ? escape : cut;
}

/** Beginning and end of a long text in JSON, its quotes included in `span`, with a statement of what is left out between. */
export function textAroundMiddle(bytes: Buffer, span: Span, headBytes: number, tailBytes: number): string {
  const start = span.start + 1;
  const end = bytes.lastIndexOf(QUOTE, span.end - 1);
  if (end - start <= headBytes + tailBytes) return decodeText(bytes, { start, end });
  const headEnd = safeCut(bytes, start + headBytes, start);
  const tailStart = safeCut(bytes, end - tailBytes, start);
  const [head, tail] = [
    decodeText(bytes, { start, end: headEnd }),
    decodeText(bytes, { start: tailStart, end }),
  ];
  return `${head}… [${tailStart - headEnd} bytes left out] …${tail}`;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

/** Of backslashes in a row each second one is escaped itself. */
function isEscaping(bytes: Buffer, at: number, start: number): boolean {
  let first = at;
  while (first > start && bytes[first - 1] === BACKSLASH) first -= 1;
  return (at - first) % 2 === 0;
}
