import { escapeRegExp } from '../../../shared/escape-reg-exp.ts';
import { PLACEHOLDER, SECRET_PATTERNS } from './secret-patterns.ts';
import type { Span } from './secret-spans.ts';
import { writtenForms, type WrittenForms } from './written-forms.ts';

/** Gives any JSON value back with every secret in its texts replaced; other values as they are. */
export type Redact = <T>(value: T) => T;

/** Length of a part that gives a secret away, where the beginning or the end of a text cuts it off. */
const MIN_CUT_LENGTH = 8;
const MAX_DEPTH = 64;
/** Fields whose text is a secret as a whole. */
const SECRET_FIELD =
  /passw|pwd$|secret|token$|api[_-]?key|private[_-]?key|credential|^authorization$|^(set-)?cookie$/i;

/**
 * A redactor that knows `secrets`, wherever they stand (as they are, or written as JSON, in a URL, in base64 or
 * hexadecimal digits, whole or cut off by an end of the text), and besides whatever looks like a secret. Pure and idempotent; takes time in proportion to the text.
 */
export function createRedactor(secrets: Iterable<string>): Redact {
  const findKnown = createFinder(writtenForms(secrets));
  const placeholder = new RegExp(escapeRegExp(PLACEHOLDER), 'g');
  const redactText = (text: string) => {
    const placeholders = spansOf(text, placeholder);
    const found = [
      ...outside(findKnown(text), placeholders),
      ...SECRET_PATTERNS.flatMap((pattern) => spansOf(text, pattern)),
    ];
    return found.length === 0 ? text : replaceSpans(text, [...placeholders, ...found]);
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
  return <T>(value: T) => redact(value, 0) as T;
}

function createFinder({ words, inner }: WrittenForms): (text: string) => readonly Span[] {
  if (words.length + inner.length === 0) return () => [];
  const parts = [
    ...(inner.length > 0 ? [alternatives(inner)] : []),
    ...(words.length > 0 ? [`(?<!\\w)(?:${alternatives(words)})(?!\\w)`] : []),
  ];
  // The forms stand within a lookahead, because secrets that overlap are all to be found.
  const whole = new RegExp(`(?=(${parts.join('|')}))`, 'g');
  const long = inner.filter((secret) => secret.length > MIN_CUT_LENGTH);
  const cuts = long.length === 0 ? () => [] : createCutFinder(long);
  return (text) => [...spansOf(text, whole), ...cuts(text)];
}

/** Secrets of which the end of a text holds only the beginning, and its beginning only the end. */
function createCutFinder(secrets: readonly string[]): (text: string) => readonly Span[] {
  const longest = Math.max(...secrets.map((secret) => secret.length));
  const beginnings = new RegExp(
    `(?=(${alternatives(secrets.map((secret) => secret.slice(0, MIN_CUT_LENGTH)))}))`,
    'g',
  );
  const endings = new RegExp(
    `(?=(${alternatives(secrets.map((secret) => secret.slice(-MIN_CUT_LENGTH)))}))`,
    'g',
  );
  return (text) => {
    const tailAt = Math.max(0, text.length - longest);
    const tails = spansOf(text.slice(tailAt), beginnings)
      .map(([start]) => tailAt + start)
      .filter((start) => secrets.some((secret) => secret.startsWith(text.slice(start))));
    const heads = spansOf(text.slice(0, longest), endings)
      .map(([, end]) => end)
      .filter((end) => secrets.some((secret) => secret.endsWith(text.slice(0, end))));
    return [...tails.map((start): Span => [start, text.length]), ...heads.map((end): Span => [0, end])];
  };
}

/** The first group of each match, or the match, which ends where the group does. */
function spansOf(text: string, pattern: RegExp): Span[] {
  // The cheap test comes first, because nearly no line holds a secret, and `matchAll` copies the pattern before it looks.
  if (text.search(pattern) === -1) return [];
  return Array.from(text.matchAll(pattern), (match): Span => {
    const secret = match.slice(1).find((group) => group !== undefined) ?? match[0];
    // A lookahead matches nothing and captures behind it.
    const end = match[0] === '' ? match.index + secret.length : match.index + match[0].length;
    return [end - secret.length, end];
  });
}

/** The spans that hold nothing of a placeholder, because what a placeholder seems to complete is no secret. */
function outside(spans: readonly Span[], placeholders: readonly Span[]): readonly Span[] {
  if (placeholders.length === 0) return spans;
  const starts = new Set(placeholders.map(([start]) => start));
  return spans.filter(([start, end]) => {
    for (let at = start - PLACEHOLDER.length + 1; at < end; at += 1) if (starts.has(at)) return false;
    return true;
  });
}

/** Spans that overlap or touch become one placeholder. */
function replaceSpans(text: string, spans: readonly Span[]): string {
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

function alternatives(texts: readonly string[]): string {
  return [...new Set(texts)].map(escapeRegExp).join('|');
}
