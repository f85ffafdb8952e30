const TOP = /^\s*[╭┌].*[╮┐]$/;
const BOTTOM = /^\s*[╰└][─━]*[╯┘]$/;
const SIDE = /^\s*[│┃|]\s?(.*?)\s*[│┃|]?$/;

/**
 * Removes the frames that Python's `rich` draws. A box of an error contains its message. A box of a traceback contains source
 * text and is dropped, because the error follows it.
 */
export function withoutBoxes(lines: readonly string[]): readonly string[] {
  let box: 'none' | 'message' | 'traceback' = 'none';
  return lines.flatMap((line) => {
    if (TOP.test(line)) box = /traceback/i.test(line) ? 'traceback' : 'message';
    else if (BOTTOM.test(line)) box = 'none';
    else if (box === 'none') return [line];
    else if (box === 'message') return [SIDE.exec(line)?.[1] ?? line];
    return [];
  });
}

/** Removes the bars that a Python exception group puts before the lines of its exceptions. */
export function withoutGroupBars(lines: readonly string[]): readonly string[] {
  if (!lines.some((line) => /^\s*\+ Exception Group Traceback/.test(line))) return lines;
  return lines.filter((line) => !/^[\s+|]*-*[\s+\d-]*$/.test(line) || line === '').map(withoutBars);
}

const withoutBars = (line: string): string => line.replace(/^(?:\s*[|+])+ ?/, '');
