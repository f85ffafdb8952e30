import type { ErrorReport } from '../../shared/error-codes.ts';

interface TextPart {
  readonly text: string;
  readonly isMarked: boolean;
}

/** Splits a text into parts and marks every occurrence of the given words, but only if it is a whole word. */
export function markText(text: string, words: readonly string[]): readonly TextPart[] {
  const parts: TextPart[] = [];
  let copiedTo = 0;
  for (const [start, end] of spansOf(text, words)) {
    if (start < copiedTo) continue;
    if (start > copiedTo) parts.push({ text: text.slice(copiedTo, start), isMarked: false });
    parts.push({ text: text.slice(start, end), isMarked: true });
    copiedTo = end;
  }
  if (copiedTo < text.length) parts.push({ text: text.slice(copiedTo), isMarked: false });
  return parts;
}

/** True if a character continues a word: "node" is not a whole word in "node_modules", but it is one in "--with=node". */
const isLetter = (sign: string | undefined): boolean => sign !== undefined && /[\w-]/.test(sign);

function spansOf(text: string, words: readonly string[]): readonly (readonly [number, number])[] {
  const spans: [number, number][] = [];
  for (const word of words) {
    if (word === '') continue;
    for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) {
      const end = at + word.length;
      if (!isLetter(text[at - 1]) && !isLetter(text[end])) spans.push([at, end]);
    }
  }
  return spans.sort((one, other) => one[0] - other[0] || other[1] - one[1]);
}

/** Splits a server's command line or address and marks the part that an error says is wrong. */
export function markTarget(error: ErrorReport, target: string): readonly TextPart[] {
  const wrong = error.data?.wrong;
  if (wrong === undefined || wrong === '') return markText(target, wrongWords(error, target));
  // Only the occurrence at the start is marked, because the same word may be correct later in the text.
  if (!target.startsWith(wrong)) return markText(target, []);
  return [{ text: wrong, isMarked: true }, ...markText(target.slice(wrong.length), [])];
}

function wrongWords({ code, data, fix, causeLines = [] }: ErrorReport, target: string): readonly string[] {
  switch (fix?.kind) {
    case 'check-package':
      return fix.package === undefined ? [] : packageWords(fix.package, target);
    case 'replace-placeholder':
      return [fix.placeholder];
    case 'check-path':
      return [fix.path];
    case 'install-command':
      return fix.command === undefined ? [] : [fix.command];
    case 'check-network':
      return fix.host === undefined ? [] : [fix.host];
    case 'check-service':
      return fix.address === undefined ? [] : [fix.address];
    case 'free-port':
      return fix.port === undefined ? [] : [fix.port];
    case 'check-arguments':
      return [data?.brief ?? '', ...causeLines].flatMap(
        (line) => line.match(/(?<![\w-])--?[a-z][\w-]*/gi) ?? [],
      );
    case undefined:
      return code === 'UNREACHABLE' ? [target] : [];
    default:
      return [];
  }
}

/** Returns the words of the target that name the package. Both `name` and the word may end with a version. */
function packageWords(name: string, target: string): readonly string[] {
  const bare = withoutVersion(name, '@');
  return target.split(' ').filter((word) => withoutVersion(withoutVersion(word, '=='), '@') === bare);
}

/** Removes the version from `sign` on. A sign at the start of the word belongs to the scope, one before a slash to an address. */
function withoutVersion(word: string, sign: string): string {
  const at = word.indexOf(sign, Math.max(1, word.lastIndexOf('/') + 1));
  return at === -1 ? word : word.slice(0, at);
}
