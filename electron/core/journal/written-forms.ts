/** Minimum characters of a secret that is searched for; a shorter secret would redact everyday words. */
const MIN_SECRET_LENGTH = 4;
const LINES = /[^\n]+/g;
/**
 * Minimum characters of a secret that is found within words. A shorter secret must be a separate word, so that "test" is not
 * found in "latest".
 */
export const MIN_INNER_LENGTH = 6;
/** Minimum characters of an encoded form that is searched for, because a shorter form could be anything. */
const MIN_ENCODED_LENGTH = 8;
/**
 * Maximum characters of a secret that is encoded as a whole. Longer secrets, such as keys in files, would cost more than their
 * redaction is worth.
 */
const MAX_ENCODED_LENGTH = 512;

/**
 * Length of the pieces of a longer form, so that a form that begins at many positions costs only its piece at each position. No
 * piece is shorter than half of this.
 */
const MAX_FORM_LENGTH = 64;

/** Forms in which a secret may occur in a text. `inner` forms count within words, too. */
export interface WrittenForms {
  readonly words: readonly string[];
  readonly inner: readonly string[];
}

/**
 * Returns the forms of secrets: plain, in JSON and URLs, in base64 and hexadecimal digits, backwards and spaced out. Secrets of
 * several lines are searched for line by line, because logs are cut into lines.
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
  // Lines are found by a pattern, because a long secret may consist of line breaks, each of which would produce an empty line.
  const lines = secret.match(LINES) ?? [];
  const pieces = new Set([secret, ...lines].map((piece) => piece.trim()));
  const usable = [...pieces].filter((piece) => piece.length >= MIN_SECRET_LENGTH);
  return usable.flatMap((piece) => [
    piece,
    inJson(piece),
    // The result of a tool is often JSON in JSON.
    inJson(inJson(piece)),
    encodeForUrl(piece),
    ...encoded(piece),
  ]);
}

function encoded(piece: string): readonly string[] {
  if (piece.length < MIN_ENCODED_LENGTH || piece.length > MAX_ENCODED_LENGTH) return [];
  const bytes = Buffer.from(piece);
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0'));
  const base64 = [bytes.toString('base64'), ...[0, 1, 2].map((offset) => base64Within(bytes, offset))];
  const forUrl = base64.map((form) => form.replaceAll('+', '-').replaceAll('/', '_'));
  const forms = [...hexForms(hex), ...hexForms(hex.map((byte) => byte.toUpperCase())), ...base64, ...forUrl];
  return [...forms, ...rearranged(piece)].filter((form) => form.length >= MIN_ENCODED_LENGTH);
}

/** Returns the hexadecimal digits byte by byte, with several separators, and as escapes of a URL. */
function hexForms(bytes: readonly string[]): readonly string[] {
  return [...['', ' ', ':'].map((between) => bytes.join(between)), `%${bytes.join('%')}`];
}

/** Returns the piece backwards and spaced out. */
function rearranged(piece: string): readonly string[] {
  const characters = Array.from(piece);
  return [
    characters.toReversed().join(''),
    ...[' ', '-', '.', '_', ','].map((between) => characters.join(between)),
  ];
}

/**
 * Returns the base64 characters of bytes that follow `offset` unknown bytes and precede further ones, because "user:password"
 * contains a password in this way. Three bytes become four characters of six bits.
 */
function base64Within(bytes: Buffer, offset: number): string {
  const whole = Buffer.concat([Buffer.alloc(offset), bytes])
    .toString('base64')
    .replace(/={1,2}$/, '');
  const first = Math.ceil((offset * 8) / 6);
  const behind = Math.floor(((offset + bytes.length) * 8) / 6);
  return whole.slice(first, behind);
}

const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);

function encodeForUrl(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    return text; // Half of a surrogate pair, which a URL cannot contain.
  }
}
