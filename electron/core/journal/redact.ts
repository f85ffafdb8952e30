import { knownSpans, PLACEHOLDER, type SecretSpan } from '../../../shared/secrets/known-forms.ts';
import { writtenForms, type WrittenForms } from './written-forms.ts';

/** Returns a JSON value with every secret in its texts replaced, and other values unchanged. */
export type Redact = <T>(value: T) => T;

const MAX_DEPTH = 64;
/** Names of fields whose text is a secret as a whole. */
const SECRET_FIELD =
  /passw|pwd$|secret|token$|api[_-]?key|private[_-]?key|credential|^authorization$|^(set-)?cookie$/i;

/** Finds and replaces secrets in texts. */
interface Redactor {
  readonly redact: Redact;
  /** Returns the positions of the secrets in a text. If there are any, positions of placeholders are included. */
  readonly spansIn: (text: string) => readonly SecretSpan[];
}

/**
 * Creates a redactor for `secrets` and for text that looks like a secret. Secrets are found as they are, as they are written in
 * JSON, URLs, base64 or hexadecimal, and also if the beginning or end of the text cuts them off. Pure and idempotent; its time
 * is linear in the length of the text.
 */
export const createRedactor = (secrets: Iterable<string>): Redact => openRedactor(secrets).redact;

/**
 * Like `createRedactor`, but also returns the function that finds the positions of secrets. A reader that divides a stream into
 * lines needs it, so as not to cut a secret in two.
 */
export function openRedactor(secrets: Iterable<string>): Redactor {
  const findKnown = createTextFinder(writtenForms(secrets));
  const spansIn = (text: string) => {
    // No secret is this short. This saves time in a flood of empty lines.
    if (text.length < 4) return [];
    const placeholders = placeholdersIn(text);
    const found = [...findKnown(text, outside(placeholders)), ...knownSpans(text)];
    return found.length === 0 ? [] : [...placeholders, ...found];
  };
  const redactText = (text: string) => {
    const spans = spansIn(text);
    return spans.length === 0 ? text : replaceSpans(text, spans);
  };
  const redact = (value: unknown, depth: number): unknown => {
    if (typeof value === 'string') return redactText(value);
    if (typeof value !== 'object' || value === null) return value;
    if (depth >= MAX_DEPTH) return PLACEHOLDER;
    if (Array.isArray(value)) return value.map((item) => redact(item, depth + 1));
    const entries = Object.entries(value).map(([name, item]) => [
      redactText(name),
      typeof item === 'string' && item !== '' && SECRET_FIELD.test(name)
        ? PLACEHOLDER
        : redact(item, depth + 1),
    ]);
    return Object.fromEntries(entries) as unknown;
  };
  return { redact: <T>(value: T) => redact(value, 0) as T, spansIn };
}

function placeholdersIn(text: string): readonly SecretSpan[] {
  const spans: SecretSpan[] = [];
  for (let at = text.indexOf(PLACEHOLDER); at !== -1; at = text.indexOf(PLACEHOLDER, at + 1))
    spans.push([at, at + PLACEHOLDER.length]);
  return spans;
}

/** Returns a test that rejects positions that overlap an earlier placeholder, because a text with part of one is no secret. */
function outside(placeholders: readonly SecretSpan[]): (start: number, end: number) => boolean {
  if (placeholders.length === 0) return () => true;
  const starts = new Set(placeholders.map(([start]) => start));
  return (start, end) => {
    for (let at = start - PLACEHOLDER.length + 1; at < end; at += 1) if (starts.has(at)) return false;
    return true;
  };
}

/** Replaces spans with placeholders; spans that overlap or touch become one. */
function replaceSpans(text: string, spans: readonly SecretSpan[]): string {
  const pieces: string[] = [];
  let copiedTo = 0;
  let isOpen = false;
  for (const [start, end] of [...spans].sort((a, b) => a[0] - b[0])) {
    if (!isOpen || start > copiedTo) pieces.push(text.slice(copiedTo, start), PLACEHOLDER);
    isOpen = true;
    copiedTo = Math.max(copiedTo, end);
  }
  return [...pieces, text.slice(copiedTo)].join('');
}

/** Minimum visible characters of a secret that the beginning or end of the text cuts off; shorter parts are not redacted. */
const MIN_CUT_LENGTH = 8;

/** Number of characters at the beginning or end of a form that serve as its lookup key. No form of a secret is shorter. */
const KEY_LENGTH = 4;

const SIEVE_BITS = 16;

const WORD = /\w/;

/**
 * The written forms of secrets, grouped by the key of their first or last characters, the longest form first. The sieve, a
 * small table of the existing keys, quickly rules out most positions of a text.
 */
interface FormIndex {
  readonly sieve: Uint8Array;
  readonly byKey: ReadonlyMap<number, readonly Form[]>;
}

interface Form {
  readonly text: string;
  /** True if the form is redacted only where it is a separate word. */
  readonly isWord: boolean;
}

/**
 * Creates a function that finds all forms of secrets in one pass over a text. At each position, the last four characters are
 * the key that finds the forms beginning with them. A form that the beginning or end of the text cuts off is found if at least
 * 8 of its characters are visible.
 */
function createTextFinder({ words, inner }: WrittenForms): TextFinder {
  const forms: Form[] = [
    ...inner.map((text) => ({ text, isWord: false })),
    ...words.map((text) => ({ text, isWord: true })),
  ];
  if (forms.length === 0) return () => [];
  const beginnings = indexOf(forms, (text) => text.slice(0, KEY_LENGTH));
  const endings = indexOf(
    forms.filter(({ text, isWord }) => !isWord && text.length > MIN_CUT_LENGTH),
    (text) => text.slice(-KEY_LENGTH),
  );
  const longest = Math.max(...forms.map(({ text }) => text.length));
  return (text, counts) => {
    const spans = new SpanList(counts);
    wholeIn(text, beginnings, spans);
    headOf(text, endings, longest, spans);
    return spans.all;
  };
}

/** Finds the spans of known forms in a text that `counts` accepts. Overlapping spans may be merged. */
type TextFinder = (text: string, counts: (start: number, end: number) => boolean) => readonly SecretSpan[];

/** List of positions. Overlapping neighbors are merged, because in a repetitive text a form may begin at every position. */
class SpanList {
  readonly all: [start: number, end: number][] = [];
  readonly #counts: (start: number, end: number) => boolean;

  constructor(counts: (start: number, end: number) => boolean) {
    this.#counts = counts;
  }

  /** Adds the position if it counts. Returns whether it does. */
  add(start: number, end: number): boolean {
    if (!this.#counts(start, end)) return false;
    const last = this.all.at(-1);
    if (last && last[0] <= start && start < last[1]) last[1] = Math.max(last[1], end);
    else this.all.push([start, end]);
    return true;
  }
}

/** Adds the positions of forms that occur in the text, or begin there and are cut off by its end. */
function wholeIn(text: string, { sieve, byKey }: FormIndex, spans: SpanList): void {
  let key = 0;
  for (let last = 0; last < text.length; last += 1) {
    key = nextKey(key, text.charCodeAt(last));
    if (sieve[slotOf(key)] !== 1) continue;
    const start = last + 1 - KEY_LENGTH;
    for (const { text: form, isWord } of byKey.get(key) ?? []) {
      const end = start + form.length;
      // Compared as one slice, because `startsWith` reads character by character.
      const isHere =
        end <= text.length
          ? text.slice(start, end) === form && !(isWord && isInsideWord(text, start, end))
          : !isWord && isCutOff(text, start, form);
      // Forms are ordered by length, longest first, so any others at this position are part of this one.
      if (isHere && spans.add(start, Math.min(end, text.length))) break;
    }
  }
}

const isCutOff = (text: string, start: number, form: string): boolean =>
  text.length - start >= MIN_CUT_LENGTH && form.startsWith(text.slice(start));

/** Adds the position of a form whose beginning is cut off, so that the text starts with the form's end. */
function headOf(text: string, { sieve, byKey }: FormIndex, longest: number, spans: SpanList): void {
  let key = 0;
  for (let last = 0; last < Math.min(text.length, longest); last += 1) {
    key = nextKey(key, text.charCodeAt(last));
    if (last + 1 < MIN_CUT_LENGTH || sieve[slotOf(key)] !== 1) continue;
    const part = text.slice(0, last + 1);
    const isEnd = ({ text: form }: Form) => last < form.length && form.endsWith(part);
    if (byKey.get(key)?.some(isEnd)) spans.add(0, last + 1);
  }
}

const isInsideWord = (text: string, start: number, end: number): boolean =>
  WORD.test(text.charAt(start - 1)) || WORD.test(text.charAt(end));

function indexOf(forms: readonly Form[], part: (text: string) => string): FormIndex {
  const sieve = new Uint8Array(1 << SIEVE_BITS);
  const byKey = new Map<number, Form[]>();
  for (const form of forms) {
    let key = 0;
    for (const unit of part(form.text).split('')) key = nextKey(key, unit.charCodeAt(0));
    sieve[slotOf(key)] = 1;
    const others = byKey.get(key);
    if (others) others.push(form);
    else byKey.set(key, [form]);
  }
  return { sieve, byKey };
}

/** Returns the key after one more character: earlier characters shift by 8 bits until they are gone. */
const nextKey = (key: number, unit: number): number => ((key << 8) ^ unit) | 0;

const slotOf = (key: number): number => Math.imul(key, 0x9e3779b1) >>> (32 - SIEVE_BITS);
