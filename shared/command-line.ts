/** Start of a word, or of the value of an option; not text behind an escaped blank, because that is inside a word. */
const atStart = String.raw`(?<![^\s=]|\\[\s=])`;
/**
 * Parts of a word: a Windows path (quoted, or not), a text in either quotes, an escaped character, or plain
 * text.
 */
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
 * Path with single backslashes, because they may have been doubled for a shell; two at the beginning are a
 * network share.
 */
const readPath = (path: string): string => path.slice(0, 1) + path.slice(1).replaceAll('\\\\', '\\');

/** True if a command looks like a whole command line: it has spaces, and is no path that may contain them. */
export const looksLikeCommandLine = (command: string): boolean =>
  /\S\s+\S/.test(command) && !/^\s*(?:[A-Za-z]:)?[\\/]/.test(command);
