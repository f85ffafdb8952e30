import type { JsonObject } from '../../../../../shared/json-object.ts';
import type { AskHints } from '../entry-asks.ts';

/** One part of a pasted text: the content of a Markdown fence, or all text outside of fences. */
export interface SnippetPart {
  /** Text of the part at its original lines: the lines of other parts are empty, so that line numbers match the pasted text. */
  readonly text: string;
  /** Word after the opening fence, in lower case; empty without one. Undefined outside of fences. */
  readonly language: string | undefined;
}

const FENCE = /^[ \t]*(?:>[ \t]*)?(?:```+|~~~+)/;
/** Maximum parts of a pasted text, more than any README has. */
const MAX_PARTS = 60;

/**
 * Returns the fenced code blocks in order, then the text outside of them. If there is only one fence, all other lines are one
 * part, because the fence could open or close a block.
 */
export function partsOf(text: string): readonly SnippetPart[] {
  const lines = text.split('\n');
  const fences: number[] = [];
  lines.forEach((line, index) => {
    if (line !== '' && FENCE.test(line)) fences.push(index);
  });
  if (fences.length === 0) return [{ text, language: undefined }];
  /** Copies the lines without the fences and without the lines of `ranges`. */
  const around = (ranges: readonly (readonly [number, number])[]): SnippetPart => {
    const left = [...lines];
    for (const fence of fences) left[fence] = '';
    for (const [open, close] of ranges) left.fill('', open, close);
    return { text: left.join('\n'), language: undefined };
  };
  if (fences.length === 1) return [around([])];
  const ranges = fences
    .flatMap((open, index) => (index % 2 === 0 ? [[open, fences[index + 1] ?? lines.length] as const] : []))
    .slice(0, MAX_PARTS);
  return [
    ...ranges.map(([open, close]) => ({
      text: '\n'.repeat(open + 1) + lines.slice(open + 1, close).join('\n'),
      language: languageOf(lines[open] ?? ''),
    })),
    around(ranges),
  ];
}

const languageOf = (fence: string): string =>
  fence
    .replace(FENCE, '')
    .trim()
    .split(/[\s{,]/)[0]
    ?.toLowerCase() ?? '';

/** Replaces special spaces by normal ones. The length does not change, so positions stay valid. */
export const withPlainBlanks = (text: string): string => text.replace(/[\u00a0\u2007\u202f]/g, ' ');

/** Replaces typographic quotation marks by plain ones. The length does not change, so positions stay valid. */
export const withPlainQuotes = (text: string): string =>
  text.replace(/[\u201c\u201d\u201e\u201f\u00ab\u00bb]/g, '"').replace(/[\u2018\u2019\u201a\u201b]/g, "'");

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['quot', '"'],
  ['#34', '"'],
  ['#x22', '"'],
  ['apos', "'"],
  ['#39', "'"],
  ['#x27', "'"],
  ['lt', '<'],
  ['gt', '>'],
  ['amp', '&'],
  ['nbsp', ' '],
]);

/** Replaces HTML entities by their characters. */
export const withoutEntities = (text: string): string =>
  text.replace(/&(#?\w{2,4});/g, (entity, name: string) => ENTITIES.get(name.toLowerCase()) ?? entity);

/** A server found in a pasted text. Its entry may have the keys of any client. */
export interface FoundServer {
  readonly name: string;
  readonly client: JsonObject;
  readonly hints?: AskHints;
  readonly remarks?: readonly string[];
}

/** Reason why a text that was understood is not a server. */
export interface Refusal {
  readonly path: string;
  readonly message: string;
}

export const refusedSnippet = (message: string): Refusal => ({ path: '', message });

export const isRefusal = (found: FoundServer | Refusal): found is Refusal => 'message' in found;
