/** A line as long as this says what it is about; more of it costs the place of others. */
const MAX_LINE_CHARACTERS = 2000;

/**
 * The last of these lines that may have room in `maxBytes`, uncut, so that those which cannot be shown are not redacted
 * first: that is the work that takes time.
 */
export function newestLines(lines: readonly string[], maxBytes: number): readonly string[] {
  let characters = 0;
  const firstOut = lines.findLastIndex((line) => {
    characters += Math.min(line.length, MAX_LINE_CHARACTERS);
    return characters > maxBytes;
  });
  return lines.slice(firstOut + 1);
}

/**
 * The last of these lines that have room in `maxBytes` of UTF-8, oldest first, with a line on top that says how many of
 * `count` are missing. Redacted lines only: a cut may leave half of a secret.
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

/** The first of these lines that have room in `maxBytes` of UTF-8, with a line below that says how many are missing. */
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
