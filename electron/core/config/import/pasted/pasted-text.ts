/** One part of a pasted text: what stands in a Markdown fence, or what stands around all of them. */
export interface TextPart {
  /** As long as the whole text in lines: lines of other parts are empty, so that places stay what they are. */
  readonly text: string;
  /** Word behind the opening fence, in lower case; empty where there is none. Undefined for what is not fenced. */
  readonly language: string | undefined;
}

const FENCE = /^[ \t]*(?:>[ \t]*)?(?:```+|~~~+)/;
/** More than any README has. */
const MAX_PARTS = 60;

/** The fenced parts in their order, and then the rest of the text. One fence alone may open or close a part. */
export function partsOf(text: string): readonly TextPart[] {
  const lines = text.split('\n');
  const fences: number[] = [];
  lines.forEach((line, index) => {
    if (line !== '' && FENCE.test(line)) fences.push(index);
  });
  if (fences.length === 0) return [{ text, language: undefined }];
  /** Copy of the lines without the fences and without the lines of `ranges`. */
  const around = (ranges: readonly (readonly [number, number])[]): TextPart => {
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

/** Blanks that no key on a keyboard makes, as plain ones; the length stays. */
export const withPlainBlanks = (text: string): string => text.replace(/[\u00a0\u2007\u202f]/g, ' ');

/** Quotes that a word processor or a web page put in place of the typed ones; the length stays. */
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

/** The characters of HTML in the place of their names. */
export const withoutEntities = (text: string): string =>
  text.replace(/&(#?\w{2,4});/g, (entity, name: string) => ENTITIES.get(name.toLowerCase()) ?? entity);
