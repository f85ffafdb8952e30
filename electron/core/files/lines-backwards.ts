import type { FileHandle } from 'node:fs/promises';
import { readSpan } from './regular-file.ts';

const NEWLINE = 10;
/** Bytes per slice, whose lines are processed in one event-loop tick: some milliseconds for 50 events. */
const SLICE_BYTES = 16 * 1024;

export interface LinesBackwardsOptions {
  /** Maximum number of bytes read; the beginning of a longer file is skipped. */
  readonly maxBytes: number;
  /** Maximum bytes of one line; a longer one is yielded as undefined, and never held in memory as a whole. */
  readonly maxLineBytes: number;
}

/**
 * Yields the lines of a file from the last to the first, without line breaks and empty lines. Reads in slices, so that a long
 * file blocks nothing else. A line cut by `maxBytes` is skipped.
 */
export async function* linesBackwards(
  file: FileHandle,
  { maxBytes, maxLineBytes }: LinesBackwardsOptions,
): AsyncGenerator<string | undefined> {
  const { size } = await file.stat();
  const lowest = Math.max(0, size - maxBytes);
  /** Known end of a line whose beginning was not reached yet; undefined when it is too long. */
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
