import { z } from 'zod';
import { EVENTS_IN_SNAPSHOT } from '../../../shared/domain.ts';
import { eventHead, eventKinds, toldEvent, type PanelEvent } from '../../../shared/events.ts';
import { serverNameSchema } from '../../../shared/server-config.ts';
import { openForReading, readSpan } from '../files/regular-file.ts';
import { partPaths } from './rotating-file.ts';
import type { FileHandle } from 'node:fs/promises';

export const MAX_EVENT_FILE_BYTES = 2 * 1024 * 1024;
export const MAX_EVENT_FILES = 5;
/** Maximum bytes read from the end of each file of the event log. A file that only the panel has written is never larger. */
const MAX_READ_BYTES = MAX_EVENT_FILE_BYTES;
/** Maximum bytes of a line that is parsed. The panel's lines have a few KiB, at most 64 Ki characters of up to six bytes each. */
const MAX_LINE_BYTES = 512 * 1024;

/** Maximum nesting depth of an event's detail; the panel's have at most 5. Cloning, redacting and rendering recurse per level. */
const MAX_DEPTH = 16;
/** Maximum values in one detail, including arrays and objects. */
const MAX_VALUES = 4000;
/** Latest accepted time, in ms since 1970: the year 2286, so that ids of 14 digits are always sorted by time. */
const MAX_EPOCH_MS = 9_999_999_999_999;
const ID = /^0\d{13}-\d{8}-[0-9A-Za-z]{1,64}$/;

/**
 * Schema of an event of an earlier app run. It is stricter than for events that the panel's code creates, because a program
 * that can write the file must not be able to crash the window with a detail that cannot be cloned, or with an invalid time.
 */
const earlierEventSchema = z.object({
  id: eventHead.id.regex(ID),
  at: eventHead.at.int().min(0).max(MAX_EPOCH_MS),
  server: serverNameSchema.nullable(),
  kind: z.enum(eventKinds),
  detail: z.unknown().refine(isBoundedData, { error: 'the detail is too deep or too long' }),
});

/** Events of earlier app runs. */
interface EarlierEvents {
  /** Events, oldest first. */
  readonly events: readonly PanelEvent[];
  /**
   * Number of lines that were skipped: repeated events, and lines that are not events (cut off by a crash or a full disk, from
   * a later version, or written by another program).
   */
  readonly passedOver: number;
}

/**
 * Reads the last events of earlier app runs from the log at `path`, each only once. A file that is unreadable or not a regular
 * file counts as empty. If a file is too large, only its end is read. Never rejects.
 */
export async function readEvents(path: string, count = EVENTS_IN_SNAPSHOT): Promise<EarlierEvents> {
  const found = new Map<string, PanelEvent>();
  let passedOver = 0;
  for await (const event of eventsBackwards(path)) {
    if (event !== undefined && !found.has(event.id)) found.set(event.id, event);
    else passedOver += 1;
    if (found.size >= count) break;
  }
  return { events: [...found.values()].reverse(), passedOver };
}

/**
 * Yields all events of the log at `path`, from the newest to the oldest; undefined for a line that is not an event. If one file
 * of the log cannot be read, the rest of it is skipped. Never rejects.
 */
export async function* eventsBackwards(path: string): AsyncGenerator<PanelEvent | undefined> {
  for (const part of partPaths({ path, maxFiles: MAX_EVENT_FILES })) {
    try {
      yield* eventsOfPart(part);
    } catch {
      // This file is missing, unreadable or not a regular file; older files may be readable.
    }
  }
}

async function* eventsOfPart(path: string): AsyncGenerator<PanelEvent | undefined> {
  const file = await openForReading(path);
  try {
    for await (const line of linesBackwards(file, {
      maxBytes: MAX_READ_BYTES,
      maxLineBytes: MAX_LINE_BYTES,
    }))
      if (line === undefined || !isLoss(line)) yield line === undefined ? undefined : parseEvent(line);
  } finally {
    await file.close();
  }
}

function parseEvent(line: string): PanelEvent | undefined {
  // Lines that cannot be events are rejected early, because an exception for each would be slow.
  if (!line.startsWith('{')) return undefined;
  try {
    const parsed = earlierEventSchema.safeParse(JSON.parse(line));
    if (!parsed.success) return undefined;
    const { kind, detail, ...head } = parsed.data;
    return { ...head, ...toldEvent(kind, detail) };
  } catch {
    return undefined;
  }
}

/** True if JSON data is neither deeper nor larger than an event of the panel. */
export function isBoundedData(data: unknown): boolean {
  let level: readonly unknown[] = [data];
  let count = 0;
  for (let depth = 0; level.length > 0; depth += 1) {
    count += level.length;
    if (depth > MAX_DEPTH || count > MAX_VALUES) return false;
    level = level.flatMap(valuesOf);
  }
  return true;
}

function valuesOf(value: unknown): readonly unknown[] {
  return typeof value === 'object' && value !== null ? Object.values(value) : [];
}

/** True for the line that the panel writes when events were lost because of a failing disk. */
const isLoss = (line: string) => /^\{"lost":\d+\}$/.test(line);

const NEWLINE = 10;
/** Bytes per slice. The lines of a slice are processed in one event-loop tick, which takes a few milliseconds for 50 events. */
const SLICE_BYTES = 16 * 1024;

interface LinesBackwardsOptions {
  /** Maximum number of bytes read; the beginning of a longer file is skipped. */
  readonly maxBytes: number;
  /** Maximum bytes of one line. A longer one is yielded as undefined, and is never kept in memory as a whole. */
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
  /** End of a line whose beginning has not been read yet; undefined if the line is too long. */
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
