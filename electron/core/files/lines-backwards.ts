import type { FileHandle } from 'node:fs/promises';
import { readSpan } from './regular-file.ts';

const NEWLINE = 10;
/** What becomes of the lines of a slice is done in one turn: of 50 events it takes some milliseconds. */
const SLICE_BYTES = 16 * 1024;

export interface LinesBackwardsOptions {
  /** Read at most; the rest of the file, its beginning, is left alone. */
  readonly maxBytes: number;
  /** Limit of one line; a longer one is given as undefined, and never held in memory whole. */
  readonly maxLineBytes: number;
}

/**
 * The lines of a file from the last to the first, without their line breaks, empty ones left out. Read in slices, so
 * that nothing else waits for a long file. A line that the bound cuts in two is left out.
 */
export async function* linesBackwards(
  file: FileHandle,
  { maxBytes, maxLineBytes }: LinesBackwardsOptions,
): AsyncGenerator<string | undefined> {
  const { size } = await file.stat();
  const lowest = Math.max(0, size - maxBytes);
  /** What is known of the line whose beginning was not reached yet; undefined when it is too long. */
  let ending: Buffer | undefined = Buffer.alloc(0);
  for (let end = size; end > lowest; end -= SLICE_BYTES) {
    const slice = await readSpan(file, Math.max(lowest, end - SLICE_BYTES), end);
    const first = slice.indexOf(NEWLINE);
    if (first === -1) {
      ending = joined(slice, ending, maxLineBytes);
      continue;
    }
    const last = slice.lastIndexOf(NEWLINE);
    yield* asLine(joined(slice.subarray(last + 1), ending, maxLineBytes));
    const whole = slice.subarray(first + 1, Math.max(first + 1, last)).toString('utf8');
    for (const line of whole.split('\n').reverse()) if (line !== '') yield line;
    ending = slice.subarray(0, first);
  }
  if (lowest === 0 || ending === undefined) yield* asLine(ending);
}

function joined(before: Buffer, behind: Buffer | undefined, maxBytes: number): Buffer | undefined {
  if (behind === undefined || before.length + behind.length > maxBytes) return undefined;
  return Buffer.concat([before, behind]);
}

function* asLine(bytes: Buffer | undefined): Generator<string | undefined> {
  if (bytes === undefined) yield undefined;
  else if (bytes.length > 0) yield bytes.toString('utf8');
}
