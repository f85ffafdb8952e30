/** Minimum characters of a secret that is searched for; a shorter secret would redact everyday words. */
const MIN_SECRET_LENGTH = 4;
const LINES = /[^\n]+/g;
/** Minimum characters of a secret found within words; a shorter one must be a word, or "test" would be found in "latest". */
export const MIN_INNER_LENGTH = 6;
/** Minimum length of a secret searched for in encoded form, and of that form, because shorter ones would match by accident. */
const MIN_ENCODED_LENGTH = 8;
/** Maximum characters of a secret encoded as a whole. Longer ones, such as keys in files, cost more than redaction is worth. */
const MAX_ENCODED_LENGTH = 512;

/**
 * Maximum length of a form that is searched for; a longer form is divided into pieces of about equal length. So a text in which
 * a form begins at many positions costs only the comparison with a piece at each. No piece is shorter than half of this.
 */
const MAX_FORM_LENGTH = 64;

/** Forms in which a secret may occur in a text. `inner` forms count within words, too. */
export interface WrittenForms {
  readonly words: readonly string[];
  readonly inner: readonly string[];
}

/**
 * Returns the forms in which secrets may be written: unchanged, in JSON, in URLs, in base64, in hexadecimal, backwards, and
 * with a separator between characters. Secrets of several lines are also searched for line by line, because logs are divided
 * into lines.
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
  // A regular expression finds only lines with content. Splitting would produce an empty line for every line break, of which a
  // long secret may have many.
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

/** Returns the bytes in hexadecimal, with several separators between them, and as percent escapes of a URL. */
function hexForms(bytes: readonly string[]): readonly string[] {
  return [...['', ' ', ':'].map((between) => bytes.join(between)), `%${bytes.join('%')}`];
}

/** Returns the text backwards, and with several separators between its characters. */
function rearranged(piece: string): readonly string[] {
  const characters = Array.from(piece);
  return [
    characters.toReversed().join(''),
    ...[' ', '-', '.', '_', ','].map((between) => characters.join(between)),
  ];
}

/**
 * Returns the base64 characters that depend only on these bytes when `offset` unknown bytes come before them and others may
 * follow. This finds, for example, a password in the base64 form of "user:password". Base64 turns three bytes into four
 * characters of six bits each.
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
    return text; // The text contains half of a surrogate pair, which cannot be encoded for a URL.
  }
}
