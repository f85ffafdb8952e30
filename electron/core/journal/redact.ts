import { knownSpans, PLACEHOLDER, type SecretSpan } from '../../../shared/secrets/known-forms.ts';
import { createTextFinder } from './known-texts.ts';
import { writtenForms } from './written-forms.ts';

/** Returns a JSON value with every secret in its texts replaced; other values unchanged. */
export type Redact = <T>(value: T) => T;

const MAX_DEPTH = 64;
/** Names of fields whose text is a secret as a whole. */
const SECRET_FIELD =
  /passw|pwd$|secret|token$|api[_-]?key|private[_-]?key|credential|^authorization$|^(set-)?cookie$/i;

/** Finds and replaces secrets in texts. */
export interface Redactor {
  readonly redact: Redact;
  /** Finds the secrets in a text. */
  readonly spansIn: (text: string) => readonly SecretSpan[];
}

/**
 * Creates a redactor for `secrets`, wherever they stand (as they are, or written as JSON, in a URL, in base64 or hexadecimal
 * digits, whole or cut off by an end of the text), and for text that looks like a secret. Pure and idempotent; linear in the
 * length of the text.
 */
export const createRedactor = (secrets: Iterable<string>): Redact => openRedactor(secrets).redact;

/** Creates a redactor with its span finder, for the reader of a stream, which must not cut a secret in two. */
export function openRedactor(secrets: Iterable<string>): Redactor {
  const findKnown = createTextFinder(writtenForms(secrets));
  const spansIn = (text: string) => {
    // Nothing that counts is as short, and a flood may consist of empty lines.
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

/** Accepts spans that do not touch a placeholder, because text completed by a placeholder is no secret. */
function outside(placeholders: readonly SecretSpan[]): (start: number, end: number) => boolean {
  if (placeholders.length === 0) return () => true;
  const starts = new Set(placeholders.map(([start]) => start));
  return (start, end) => {
    for (let at = start - PLACEHOLDER.length + 1; at < end; at += 1) if (starts.has(at)) return false;
    return true;
  };
}

/** Replaces spans by placeholders; spans that overlap or touch become one. */
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
