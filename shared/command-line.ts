/** Start of a word or of an option's value. Text after an escaped blank does not match, because it is inside a word. */
const atStart = String.raw`(?<![^\s=]|\\[\s=])`;
/** Parts of a word: a Windows path (quoted or unquoted), text in single or double quotes, an escaped character, or plain text. */
const parts = [
  String.raw`${atStart}"((?:[A-Za-z]:|\\)\\[^"]*)"(?=\s|$)`,
  String.raw`${atStart}((?:[A-Za-z]:\\|\.{1,2}\\|\\\\(?=\w))[^\s"']*)`,
  String.raw`"((?:\\.|[^"\\])*)"`,
  String.raw`'([^']*)'`,
  String.raw`\\(.)`,
  String.raw`[^\s"'\\]`,
].join('|');

/**
 * Splits a typed command line into command and arguments. Quotes and backslashes work as in a shell, except in Windows paths,
 * whose backslashes are kept because users also paste instructions for Windows. Nothing is expanded.
 */
export function splitCommandLine(line: string): readonly string[] {
  const words = line.match(new RegExp(`(?:${parts})+`, 'g')) ?? [];
  return words.map((word) =>
    word.replace(new RegExp(parts, 'g'), (plain: string, ...groups: (string | undefined)[]) => {
      const [quotedPath, path = quotedPath, double, single, escaped] = groups;
      if (path !== undefined) return readPath(path);
      if (double !== undefined) return double.replace(/\\(["\\$`])/g, '$1');
      return single ?? escaped ?? plain;
    }),
  );
}

/**
 * Returns the path with single backslashes, because they may have been doubled for a shell. Two backslashes at the beginning
 * are kept, because they mark a network share.
 */
const readPath = (path: string): string => path.slice(0, 1) + path.slice(1).replaceAll('\\\\', '\\');

/** True if a command looks like a whole command line: it contains spaces and is not a path, which may contain spaces. */
export const looksLikeCommandLine = (command: string): boolean =>
  /\S\s+\S/.test(command) && !/^\s*(?:[A-Za-z]:)?[\\/]/.test(command);
