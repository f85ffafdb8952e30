/** Shorter secrets are not looked for, because they would black out everyday words. */
const MIN_SECRET_LENGTH = 4;
/** Shorter secrets are looked for as words of their own only: "test" is no part of "latest". */
const MIN_INNER_LENGTH = 6;
/** An encoded form of fewer characters could be anything. */
const MIN_ENCODED_LENGTH = 8;
/** Longer secrets, such as keys in files, are not encoded as a whole, because that costs more than it hides. */
const MAX_ENCODED_LENGTH = 512;

/**
 * A longer form is looked for in pieces, so that one that begins again and again costs no more than its piece at each
 * place. None of them is shorter than half of it.
 */
const MAX_FORM_LENGTH = 64;

/** How a secret may stand in a text. `inner` also within a word. */
export interface WrittenForms {
  readonly words: readonly string[];
  readonly inner: readonly string[];
}

/**
 * Secrets as they are, as JSON and URLs have them, and in base64 and hexadecimal digits. One of several lines is looked
 * for line by line, since logs are cut into lines.
 */
export function writtenForms(secrets: Iterable<string>): WrittenForms {
  const forms = new Set([...secrets].flatMap(formsOf).flatMap(piecesOf));
  const usable = [...forms].filter((form) => form.length >= MIN_SECRET_LENGTH);
  usable.sort((one, other) => other.length - one.length);
  return {
    words: usable.filter((form) => form.length < MIN_INNER_LENGTH),
    inner: usable.filter((form) => form.length >= MIN_INNER_LENGTH),
  };
}

function piecesOf(form: string): readonly string[] {
  const count = Math.ceil(form.length / MAX_FORM_LENGTH);
  const length = Math.ceil(form.length / count);
  return Array.from({ length: count }, (_, index) => form.slice(index * length, (index + 1) * length));
}

function formsOf(secret: string): readonly string[] {
  const pieces = new Set([secret, ...secret.split(/\r?\n/)].map((piece) => piece.trim()));
  const usable = [...pieces].filter((piece) => piece.length >= MIN_SECRET_LENGTH);
  return usable.flatMap((piece) => [
    piece,
    JSON.stringify(piece).slice(1, -1),
    encodeForUrl(piece),
    ...encoded(piece),
  ]);
}

function encoded(piece: string): readonly string[] {
  if (piece.length < MIN_ENCODED_LENGTH || piece.length > MAX_ENCODED_LENGTH) return [];
  const bytes = Buffer.from(piece);
  const hex = bytes.toString('hex');
  const base64 = [bytes.toString('base64'), ...[0, 1, 2].map((offset) => base64Within(bytes, offset))];
  const forUrl = base64.map((form) => form.replaceAll('+', '-').replaceAll('/', '_'));
  return [hex, hex.toUpperCase(), ...base64, ...forUrl].filter((form) => form.length >= MIN_ENCODED_LENGTH);
}

/**
 * What base64 makes of the bytes behind `offset` others, whatever those are, and whatever follows: "user:password" holds
 * a password so. Three bytes become four characters of six bits.
 */
function base64Within(bytes: Buffer, offset: number): string {
  const whole = Buffer.concat([Buffer.alloc(offset), bytes])
    .toString('base64')
    .replace(/={1,2}$/, '');
  const first = Math.ceil((offset * 8) / 6);
  const behind = Math.floor(((offset + bytes.length) * 8) / 6);
  return whole.slice(first, behind);
}

function encodeForUrl(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    return text; // half of a surrogate pair, which no URL can hold
  }
}
