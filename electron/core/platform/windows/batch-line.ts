import { withoutEnd } from '../../../../shared/text-edges.ts';

/** What cmd.exe reads of a command line; the rest would be lost without a word. */
export const MAX_LINE_CHARACTERS = 8191;

/** Words of these characters mean themselves to cmd.exe and to the program that gets them. */
const PLAIN = /^[\w#$*+./:?@\\-]+$/;

/**
 * The line that has cmd.exe run a batch file with these arguments; it goes behind `/s /c` as it stands. cmd.exe reads them
 * twice, on this line and where the file says `%*`, and the program that gets them a third time. So
 *
 * - everything stands in quotes, in which `& | < > ^ ( )` mean themselves both times;
 * - a quote is written twice, because then the first two readings are still in quotes behind it, as after `\"` they would
 *   not be, and the third takes both for one;
 * - behind `%` comes a variable that is nothing, so that no name of a variable stands between two of them.
 *
 * Line breaks have no such form: see `unquotable`.
 */
export function batchLine(file: string, args: readonly string[]): string {
  return `"${[`"${withoutVariables(file)}"`, ...args.map(quoted)].join(' ')}"`;
}

/** The index of the first argument that no form of a command line brings to a batch file; undefined where there is none. */
export function unquotable(args: readonly string[]): number | undefined {
  const index = args.findIndex((arg) => /[\r\n]/.test(arg) || arg.includes('\0'));
  return index === -1 ? undefined : index;
}

function quoted(arg: string): string {
  if (PLAIN.test(arg) && !arg.endsWith('\\')) return arg;
  // Backslashes mean themselves unless a quote follows.
  const doubled = arg.split('"').map(withEndDoubled).join('""');
  return `"${withoutVariables(doubled)}"`;
}

const withEndDoubled = (part: string): string => part + part.slice(withoutEnd(part, '\\').length);

const withoutVariables = (text: string): string => text.replaceAll('%', '%%cd:~,%');
