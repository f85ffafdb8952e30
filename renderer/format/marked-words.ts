import type { ErrorReport } from '../../shared/error-codes.ts';

export interface TextPart {
  readonly text: string;
  readonly isMarked: boolean;
}

/** Text as it stands, in parts, with the words marked wherever they stand as whole words. */
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

/** A word ends where no letter follows: "node" is no part of "node_modules", yet of "--with=node". */
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

/** Command line or address of a server, with what an error says is wrong in it marked. */
export function markTarget(error: ErrorReport, target: string): readonly TextPart[] {
  const wrong = error.data?.wrong;
  if (wrong === undefined || wrong === '') return markText(target, wrongWords(error, target));
  // The same word may stand further behind, where it is right.
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

/** Words of the target that begin with a package's name; a version may follow it, here or there. */
function packageWords(name: string, target: string): readonly string[] {
  const bare = withoutVersion(name, '@');
  return target.split(' ').filter((word) => withoutVersion(withoutVersion(word, '=='), '@') === bare);
}

/** A sign at the start is the scope's, one before a slash belongs to an address. */
function withoutVersion(word: string, sign: string): string {
  const at = word.indexOf(sign, Math.max(1, word.lastIndexOf('/') + 1));
  return at === -1 ? word : word.slice(0, at);
}
