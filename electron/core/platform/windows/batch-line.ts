import { withoutEnd } from '../../../../shared/text-edges.ts';

/** Maximum command line of cmd.exe, which silently drops the rest. */
export const MAX_LINE_CHARACTERS = 8191;

/** Matches words without special characters for cmd.exe and for the program that receives them. */
const PLAIN = /^[\w#$*+./:?@\\-]+$/;

/**
 * Returns the line that makes cmd.exe run a batch file with these arguments; it follows `/s /c` unchanged. cmd.exe parses
 * them twice, on this line and at `%*` in the file, and the program that receives them parses them a third time. Therefore
 *
 * - everything is quoted, so that `& | < > ^ ( )` are literal both times;
 * - a quote is doubled, because the first two parsers then stay inside the quotes, as they would not after `\"`, and the
 *   third reads both as one;
 * - each `%` is followed by an empty variable, so that no variable name stands between two of them.
 *
 * Line breaks cannot be quoted: see `unquotable`.
 */
export function batchLine(file: string, args: readonly string[]): string {
  return `"${[`"${withoutVariables(file)}"`, ...args.map(quoted)].join(' ')}"`;
}

/** Returns the index of the first argument that cannot be passed to a batch file; undefined if all can. */
export function unquotable(args: readonly string[]): number | undefined {
  const index = args.findIndex((arg) => /[\r\n]/.test(arg) || arg.includes('\0'));
  return index === -1 ? undefined : index;
}

function quoted(arg: string): string {
  if (PLAIN.test(arg) && !arg.endsWith('\\')) return arg;
  // Backslashes are literal unless a quote follows.
  const doubled = arg.split('"').map(withEndDoubled).join('""');
  return `"${withoutVariables(doubled)}"`;
}

const withEndDoubled = (part: string): string => part + part.slice(withoutEnd(part, '\\').length);

const withoutVariables = (text: string): string => text.replaceAll('%', '%%cd:~,%');
