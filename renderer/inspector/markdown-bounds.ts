/** Limits for a description that is parsed as Markdown, because the time for that grows with their square. */
const MOST_CHARACTERS = 8192;
const MOST_LINES = 400;
const MOST_SIGNS = 500;

/** Whether a description is parsed as Markdown; others are shown as plain text. */
export function isShortMarkdown(text: string): boolean {
  if (text.length > MOST_CHARACTERS) return false;
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0;
  return (
    count(/\n/g) <= MOST_LINES && count(/[*_`~<>[\]!&\\#]|^[ \t]*(?:[-+]|\d+[.)])|[-+] /gm) <= MOST_SIGNS
  );
}
