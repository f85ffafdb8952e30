import { PLACEHOLDER } from '../../../shared/secrets/known-forms.ts';
import type { Redact } from '../journal/redact.ts';

/** Strings of a JSON text, with the colon after field names, of which the last may be cut off; and numbers. */
const PARTS = /"([^"\\]*(?:\\.[^"\\]*)*)("(?:\s*:)?|\\?$)|-?\d[\d.eE+-]{3,}/gs;

/**
 * Redacts the secrets in a JSON text and keeps everything else as written: numbers, whitespace, field order. Also works on a
 * text that was cut off anywhere.
 * @param redact gets one string at a time, as the only field of an object with its name, because some secrets are recognised by
 * the name of their field alone
 */
export function redactJson(text: string, redact: Redact): string {
  let name = '';
  return text.replace(PARTS, (whole: string, written: string | undefined, end: string) => {
    if (written === undefined) return redact(whole) === whole ? whole : JSON.stringify(PLACEHOLDER);
    const said = unescaped(written);
    if (end.endsWith(':')) {
      name = said;
      const shown = redact(said);
      return shown === said ? whole : `${JSON.stringify(shown)}${end.slice(1)}`;
    }
    const shown = shownValue(name, said, redact);
    if (shown === said) return whole;
    return end === '"' ? JSON.stringify(shown) : JSON.stringify(shown).slice(0, -1);
  });
}

/** Redacted value: it is a secret by its field's name, its text, or both together. */
function shownValue(name: string, said: string, redact: Redact): string {
  const shown = Object.values(redact({ [name]: said })).join('');
  if (shown !== said || name === '') return shown;
  const pair = `"${name}": "${said}"`;
  return redact(pair) === pair ? said : PLACEHOLDER;
}

/** Decoded string; one that was cut off within an escape is taken as written. */
function unescaped(written: string): string {
  if (!written.includes('\\')) return written;
  try {
    return JSON.parse(`"${written}"`) as string;
  } catch {
    return written;
  }
}
