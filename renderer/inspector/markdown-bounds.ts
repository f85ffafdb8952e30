/** Bounds of a description that is read as markdown, because the time that takes grows with their square. */
const MOST_CHARACTERS = 8192;
const MOST_LINES = 400;
const MOST_SIGNS = 500;

/** Whether a description of a server is read as markdown; others are shown as they are. */
export function isShortMarkdown(text: string): boolean {
  if (text.length > MOST_CHARACTERS) return false;
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0;
  return (
    count(/\n/g) <= MOST_LINES && count(/[*_`~<>[\]!&\\#]|^[ \t]*(?:[-+]|\d+[.)])|[-+] /gm) <= MOST_SIGNS
  );
}
