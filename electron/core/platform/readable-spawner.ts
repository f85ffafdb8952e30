import { pipeline, Transform, type TransformCallback } from 'node:stream';
import type { Spawner } from './spawner.ts';
import { type CodePages, decodeIn } from './windows/text-decoding.ts';
import { isUtf8 } from 'node:buffer';

/**
 * Wraps `spawn` so that the stderr of children arrives as UTF-8. On Windows, programs may write in a code page instead; those
 * that a batch file started use the code page of cmd.exe.
 */
export function readableSpawner(spawn: Spawner, codePages: () => Promise<CodePages>): Spawner {
  return async (request) => {
    const child = await spawn(request);
    const isBatch =
      request.found !== undefined && 'file' in request.found && /\.(?:cmd|bat)$/i.test(request.found.file);
    const text = readableText(async () => (await codePages())[isBatch ? 'console' : 'ansi']);
    // An error of the pipe is ignored, because the reader of the text treats it as the end of the text.
    pipeline(child.stderr, text, () => undefined);
    return { ...child, stderr: text };
  };
}

/** Maximum bytes of an incomplete line that are buffered. A longer line is split, and one character may be lost at each split. */
const MAX_HELD_BYTES = 16 * 1024;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/**
 * Returns a stream that converts stderr to UTF-8. A line that is not UTF-8 is in a code page, which cmd.exe and programs
 * without Unicode support use; the number of the code page is requested only for such lines. ASCII and complete UTF-8 are
 * passed on immediately. Other bytes are held until the end of their line.
 */
export function readableText(codePage: () => Promise<number>): Transform {
  let held: Buffer = Buffer.alloc(0);
  const inUtf8 = async (bytes: Buffer): Promise<Buffer> =>
    isUtf8(bytes) ? bytes : Buffer.concat(await Promise.all(linesOf(bytes).map(lineInUtf8)));
  const lineInUtf8 = async (line: Buffer): Promise<Buffer> =>
    isUtf8(line) ? line : Buffer.from(decodeIn(await codePage(), line));
  const pass = (bytes: Buffer, done: TransformCallback) => {
    if (bytes.length === 0) return done();
    inUtf8(bytes).then(
      (text) => done(null, text),
      () => done(null, bytes),
    );
  };
  return new Transform({
    transform(chunk: Buffer, _, done) {
      const bytes = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
      const end = completeLength(bytes);
      held = bytes.subarray(end);
      pass(bytes.subarray(0, end), done);
    },
    flush(done) {
      pass(held, done);
    },
  });
}

/** Returns how many bytes can be converted now: all complete lines, and as much of the last line as is certain to be UTF-8. */
function completeLength(bytes: Buffer): number {
  let end = Math.max(bytes.lastIndexOf(LINE_FEED), bytes.lastIndexOf(CARRIAGE_RETURN)) + 1;
  while (end < bytes.length && bytes[end]! < 128) end += 1;
  const isCertain = isUtf8(bytes.subarray(end)) || bytes.length - end > MAX_HELD_BYTES;
  return isCertain ? bytes.length : end;
}

function linesOf(bytes: Buffer): readonly Buffer[] {
  const lines: Buffer[] = [];
  for (let start = 0; start < bytes.length;) {
    const feed = bytes.indexOf(LINE_FEED, start);
    const end = feed === -1 ? bytes.length : feed + 1;
    lines.push(bytes.subarray(start, end));
    start = end;
  }
  return lines;
}
