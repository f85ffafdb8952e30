import { applyEdits, modify, type JSONPath } from 'jsonc-parser';
import { withoutEnd } from '../../../shared/text-edges.ts';

/** An edit of a text: the characters from `from` to `to` are replaced by `text`. */
export interface Edit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

export const applyEdit = (text: string, { from, to, text: replacement }: Edit): string =>
  text.slice(0, from) + replacement + text.slice(to);

/** Layout of a JSONC text. */
interface TextLayout {
  /** Indentation of one level, tabs or spaces. */
  readonly indent: string;
  readonly eol: '\r\n' | '\n';
}

/** Detects the layout by the first indented name; without one the indentation is two spaces. */
export function detectLayout(text: string): TextLayout {
  return { indent: /^([ \t]+)"/m.exec(text)?.[1] ?? '  ', eol: text.includes('\r\n') ? '\r\n' : '\n' };
}

/** Returns the JSONC text with one value set, missing objects created, and the rest unchanged; undefined removes the value. */
export function setValue(text: string, path: JSONPath, value: unknown): string {
  const { indent, eol } = detectLayout(text);
  const formattingOptions = { insertSpaces: !indent.includes('\t'), tabSize: indent.length, eol };
  return applyEdits(text, modify(text, path, value, { formattingOptions }));
}

/** Returns the leading white space of the line of `offset`. */
export function indentOf(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(lineStart(text, offset), offset))?.[0] ?? '';
}

/** Returns the white space before `offset` if there is nothing else before it on its line; otherwise undefined. */
export function ownLineIndent(text: string, offset: number): string | undefined {
  const before = text.slice(lineStart(text, offset), offset);
  return /^[ \t]*$/.test(before) ? before : undefined;
}

/** Prints `value` as JSON. All lines but the first are indented by `indent` in addition. */
export function printValue(value: unknown, indent: string, layout: TextLayout): string {
  return JSON.stringify(value, null, layout.indent).replaceAll('\n', `${layout.eol}${indent}`);
}

/** Widens `from`..`to` so that cutting it leaves neither an empty line nor doubled spaces. */
export function widenCut(
  text: string,
  from: number,
  to: number,
): { readonly from: number; readonly to: number } {
  const left = withoutEnd(text.slice(0, from), ' \t').length;
  const right = to + (/^[ \t]*/.exec(text.slice(to))?.[0].length ?? 0);
  const startsLine = left === 0 || /[\r\n]/.test(text.charAt(left - 1));
  const lineEnd = /^(\r\n|\n|\r|$)/.exec(text.slice(right))?.[0];
  if (startsLine && lineEnd !== undefined) return { from: left, to: right + lineEnd.length };
  if (startsLine) return { from, to: right };
  return lineEnd !== undefined || text.charAt(right) === '}' ? { from: left, to } : { from, to: right };
}

function lineStart(text: string, offset: number): number {
  return Math.max(text.lastIndexOf('\n', offset - 1), text.lastIndexOf('\r', offset - 1)) + 1;
}
