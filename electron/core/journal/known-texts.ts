import type { Span } from '../../../shared/secrets/known-forms.ts';
import type { WrittenForms } from './written-forms.ts';

/** Length of a part that gives a secret away, where the beginning or the end of a text cuts it off. */
const MIN_CUT_LENGTH = 8;
/** Characters by which a form is found, at its beginning and at its end. No form is shorter. */
const KEY_LENGTH = 4;
/** So many characters are compared at each end of a form: a text that repeats itself may begin a long one at each place. */
const COMPARED_LENGTH = 256;
const SIEVE_BITS = 16;
const WORD = /\w/;

/** Forms by the key of their first, or their last, characters. A sieve tells for most places that there is none. */
interface FormIndex {
  readonly sieve: Uint8Array;
  readonly byKey: ReadonlyMap<number, readonly Form[]>;
}

interface Form {
  readonly text: string;
  /** Its first and its last characters, as far as they are compared. */
  readonly head: string;
  readonly tail: string;
  /** Looked for only as a word of its own. */
  readonly isWord: boolean;
}

/**
 * Finds every place at which one of many texts stands, in one pass over the text that is searched: its last four characters
 * are the key to those that begin so. At the ends of the text a part of 8 characters or more is found, too.
 */
export function createTextFinder({ words, inner }: WrittenForms): (text: string) => readonly Span[] {
  const forms = [...inner.map((text) => formOf(text, false)), ...words.map((text) => formOf(text, true))];
  if (forms.length === 0) return () => [];
  const beginnings = indexOf(forms, (text) => text.slice(0, KEY_LENGTH));
  const endings = indexOf(
    forms.filter(({ text, isWord }) => !isWord && text.length > MIN_CUT_LENGTH),
    (text) => text.slice(-KEY_LENGTH),
  );
  const longest = Math.max(...forms.map(({ text }) => text.length));
  return (text) => [...wholeIn(text, beginnings), ...headOf(text, endings, longest)];
}

const formOf = (text: string, isWord: boolean): Form => ({
  text,
  head: text.slice(0, COMPARED_LENGTH),
  tail: text.slice(-COMPARED_LENGTH),
  isWord,
});

/** Forms that stand in the text, or begin there and are cut off by its end. */
function wholeIn(text: string, { sieve, byKey }: FormIndex): readonly Span[] {
  const spans: Span[] = [];
  let key = 0;
  for (let last = 0; last < text.length; last += 1) {
    key = nextKey(key, text.charCodeAt(last));
    if (sieve[slotOf(key)] !== 1) continue;
    const start = last + 1 - KEY_LENGTH;
    for (const { text: form, head, isWord } of byKey.get(key) ?? []) {
      const end = start + form.length;
      if (end <= text.length) {
        if (text.startsWith(head, start) && !(isWord && isInsideWord(text, start, end)))
          spans.push([start, end]);
      } else if (!isWord && isCutOff(text, start, head)) spans.push([start, text.length]);
    }
  }
  return spans;
}

const isCutOff = (text: string, start: number, head: string): boolean =>
  text.length - start >= MIN_CUT_LENGTH && head.startsWith(text.slice(start, start + head.length));

/** The end of a form with which the text begins. */
function headOf(text: string, { sieve, byKey }: FormIndex, longest: number): readonly Span[] {
  const spans: Span[] = [];
  let key = 0;
  for (let last = 0; last < Math.min(text.length, longest); last += 1) {
    key = nextKey(key, text.charCodeAt(last));
    if (last + 1 < MIN_CUT_LENGTH || sieve[slotOf(key)] !== 1) continue;
    const part = text.slice(Math.max(0, last + 1 - COMPARED_LENGTH), last + 1);
    const isEnd = ({ text: form, tail }: Form) => last < form.length && tail.endsWith(part);
    if (byKey.get(key)?.some(isEnd)) spans.push([0, last + 1]);
  }
  return spans;
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

/** Each character moves the earlier ones on by 8 bits, until they are gone. */
const nextKey = (key: number, unit: number): number => ((key << 8) ^ unit) | 0;

const slotOf = (key: number): number => Math.imul(key, 0x9e3779b1) >>> (32 - SIEVE_BITS);
