import type { AskPlace } from '../../../shared/manage.ts';
import { placeholderSpans } from '../config/import/find-placeholders.ts';

/** Part of a definition in which a reference occurs. `script`: an argument that a shell or interpreter reads as a program. */
export type ReferencePlace = 'command' | 'args' | 'script' | 'env' | 'cwd' | 'url' | 'headers';

/** A part of a text that is to be replaced by a value. */
export interface Reference {
  readonly from: number;
  readonly to: number;
  readonly text: string;
  /**
   * `known`: a built-in name whose value depends on this machine, such as `userHome`. `literal`: `$${`, which is the escaped
   * form of `${`. `placeholder`: text that only the user can replace.
   */
  readonly kind: 'secret' | 'variable' | 'input' | 'placeholder' | 'known' | 'literal';
  /** Name of the secret or variable, or id of the input; otherwise the text itself, such as `userHome` or a placeholder. */
  readonly name: string;
  /** `default` of `${NAME:-default}`. */
  readonly fallback?: string | undefined;
}

/** Maximum length of the text in `${…}`. The limit keeps parsing linear for a text with many `${` that are never closed. */
const MAX_INNER = 256;
const KNOWN = new Set(['userHome', 'pathSeparator', '/']);
/**
 * Matches placeholders that are recognizable by their first character. Other placeholders are only asked about when an entry is
 * imported.
 */
const SIGNED = /^[$%<{[]/;

/** Finds all references in one pass. The values that later replace them are not searched for further references. */
export function referencesIn(text: string, place: ReferencePlace): readonly Reference[] {
  if (place === 'script') return bracedIn(text).filter(({ kind }) => kind === 'secret' || kind === 'input');
  const braced = bracedIn(text);
  const isFree = (from: number, to: number) => braced.every((one) => to <= one.from || from >= one.to);
  const where: AskPlace = place === 'headers' ? 'header' : place;
  const asked = placeholderSpans(text, where).filter(
    ({ from, to, placeholder }) =>
      SIGNED.test(placeholder.text) &&
      !placeholder.text.startsWith('${') &&
      // `Array<string>` is not a placeholder.
      !(placeholder.text.startsWith('<') && /\w/.test(text.charAt(from - 1))) &&
      isFree(from, to),
  );
  const placeholders = asked.map(({ from, to, placeholder: { text: name } }): Reference => {
    return { from, to, text: name, name, kind: 'placeholder' };
  });
  return [...braced, ...placeholders].sort((one, other) => one.from - other.from);
}

/** Finds only the references to secrets. */
export const secretReferencesIn = (text: string): readonly Reference[] =>
  bracedIn(text).filter(({ kind }) => kind === 'secret');

function bracedIn(text: string): readonly Reference[] {
  const found: Reference[] = [];
  for (let from = text.indexOf('$'); from !== -1;) {
    const reference = bracedAt(text, from);
    if (reference) found.push(reference);
    from = text.indexOf('$', reference?.to ?? from + 1);
  }
  return found;
}

function bracedAt(text: string, from: number): Reference | undefined {
  if (text.startsWith('$${', from)) return { from, to: from + 3, text: '$${', kind: 'literal', name: '${' };
  if (text.charAt(from + 1) !== '{') return undefined;
  const rest = text.slice(from + 2, from + 3 + MAX_INNER);
  const inner = rest.slice(0, Math.max(0, rest.indexOf('}')));
  if (inner === '' || /[${\n]/.test(inner)) return undefined;
  const to = from + inner.length + 3;
  const read = readInner(inner, text.slice(from, to));
  return read && { from, to, text: text.slice(from, to), ...read };
}

function readInner(inner: string, whole: string): Pick<Reference, 'kind' | 'name' | 'fallback'> | undefined {
  if (inner.startsWith('secret:')) return { kind: 'secret', name: inner.slice('secret:'.length) };
  if (inner.startsWith('input:')) return { kind: 'input', name: inner.slice('input:'.length) };
  if (KNOWN.has(inner)) return { kind: 'known', name: inner };
  const [, name, fallback] = /^(?:env:)?([A-Za-z_]\w*)(?::-(.*))?$/.exec(inner) ?? [];
  if (name !== undefined && !name.startsWith('workspaceFolder')) return { kind: 'variable', name, fallback };
  // Placeholders of other clients: `${workspaceFolder}`, `${command:login}`, `${user_config.key}`.
  return /^[A-Za-z_][\w.]*(?::[^:]*)?$/.test(inner) ? { kind: 'placeholder', name: whole } : undefined;
}

/**
 * Returns the text with each reference replaced by its value, in one pass. A reference for which `valueOf` returns undefined
 * stays unchanged.
 */
export function replaceReferences(
  text: string,
  references: readonly Reference[],
  valueOf: (reference: Reference) => string | undefined,
): string {
  let replaced = '';
  let copiedTo = 0;
  for (const reference of references) {
    replaced += text.slice(copiedTo, reference.from) + (valueOf(reference) ?? reference.text);
    copiedTo = reference.to;
  }
  return replaced + text.slice(copiedTo);
}

const SHELL = /^(?:(?:ba|da|z|k|fi|a)?sh|cmd|powershell|pwsh)(?:\.exe)?$/i;
const SHELL_OPTION = /^(?:-[a-z]*c|-command|\/[ck])$/i;
const INTERPRETER = /^(?:node|bun|deno|python[\d.]*|ruby|perl|php)(?:\.exe)?$/i;
const EVAL_OPTION = /^(?:-[a-z]*e|-c|-pe?|--eval|--print|-r)$/;

/** Index of the first argument that a shell or interpreter reads as a program; Infinity if there is none. */
export function scriptStart(command: string, args: readonly string[]): number {
  const words = [command, ...args].map((word) =>
    word.slice(Math.max(...['/', '\\'].map((slash) => word.lastIndexOf(slash) + 1))),
  );
  const isShell = words.findIndex((word) => SHELL.test(word));
  const isOther = words.findIndex((word) => INTERPRETER.test(word));
  const behind = (program: number, option: RegExp) => {
    const at = program === -1 ? -1 : args.findIndex((arg, index) => index >= program && option.test(arg));
    return at === -1 ? Infinity : at + 1;
  };
  return Math.min(behind(isShell, SHELL_OPTION), behind(isOther, EVAL_OPTION));
}
