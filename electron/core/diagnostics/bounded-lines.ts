/** Maximum characters of a line: its start tells the subject, and the rest would displace other lines. */
const MAX_LINE_CHARACTERS = 2000;

/** Returns the last lines that may fit in `maxBytes`, uncut, so that only lines that can be shown are redacted, which is slow. */
export function newestLines(lines: readonly string[], maxBytes: number): readonly string[] {
  let characters = 0;
  const firstOut = lines.findLastIndex((line) => {
    characters += Math.min(line.length, MAX_LINE_CHARACTERS);
    return characters > maxBytes;
  });
  return lines.slice(firstOut + 1);
}

/**
 * Returns the last lines that fit in `maxBytes` of UTF-8, oldest first, below a line that says how many of `count` are missing.
 * For redacted lines only, because a cut may leave half of a secret.
 */
export function lastLinesWithin(lines: readonly string[], maxBytes: number, count: number): string {
  const kept: string[] = [];
  let bytes = 0;
  for (const line of lines.toReversed()) {
    const short = cut(line);
    bytes += Buffer.byteLength(short) + 1;
    if (bytes > maxBytes) break;
    kept.push(short);
  }
  const missing = count - kept.length;
  const note = missing === 0 ? [] : [`(${missing} earlier lines are left out)`];
  return [...note, ...kept.reverse()].join('\n');
}

/** Returns the first lines that fit in `maxBytes` of UTF-8, above a line that says how many are missing. */
export function firstLinesWithin(lines: readonly string[], maxBytes: number): string {
  const kept: string[] = [];
  let bytes = 0;
  for (const line of lines) {
    const short = cut(line);
    bytes += Buffer.byteLength(short) + 1;
    if (bytes > maxBytes) break;
    kept.push(short);
  }
  const missing = lines.length - kept.length;
  return [...kept, ...(missing === 0 ? [] : [`(${missing} further lines are left out)`])].join('\n');
}

const cut = (line: string) =>
  line.length <= MAX_LINE_CHARACTERS
    ? line
    : `${line.slice(0, MAX_LINE_CHARACTERS)}… (${line.length - MAX_LINE_CHARACTERS} more characters)`;
