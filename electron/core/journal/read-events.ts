import { z } from 'zod';
import { EVENTS_IN_SNAPSHOT } from '../../../shared/domain.ts';
import { eventHead, eventKinds, toldEvent, type PanelEvent } from '../../../shared/events.ts';
import { serverNameSchema } from '../../../shared/server-config.ts';
import { linesBackwards } from '../files/lines-backwards.ts';
import { openForReading } from '../files/regular-file.ts';
import { partPaths } from './rotating-file.ts';

export const MAX_EVENT_FILE_BYTES = 2 * 1024 * 1024;
export const MAX_EVENT_FILES = 5;
/** The end of each part that is read: all of a part that the panel alone wrote. */
const MAX_READ_BYTES = MAX_EVENT_FILE_BYTES;
/** Lines of ours have a few KiB, and 64 Ki characters at most, each of up to six bytes. */
const MAX_LINE_BYTES = 512 * 1024;

/** The deepest that any detail of ours goes is 5; what is cloned, redacted or drawn calls itself once per level. */
const MAX_DEPTH = 16;
/** Values in one detail, lists and objects included. */
const MAX_VALUES = 4000;
/** Milliseconds since 1970: until the year 2286, so that ids of 14 digits go on to sort by time. */
const MAX_EPOCH_MS = 9_999_999_999_999;
const ID = /^0\d{13}-\d{8}-[0-9A-Za-z]{1,64}$/;

/**
 * An event as an earlier launch wrote it. A file is held to more than our own code is: whoever can write it must not be
 * able to stop the window by a detail that cannot be cloned, or by a time that is no date.
 */
const earlierEventSchema = z.object({
  id: eventHead.id.regex(ID),
  at: eventHead.at.int().min(0).max(MAX_EPOCH_MS),
  server: serverNameSchema.nullable(),
  kind: z.enum(eventKinds),
  detail: z.unknown().refine(isBoundedData, { error: 'the detail is too deep or too long' }),
});

/** What earlier launches left. */
export interface EarlierEvents {
  /** Oldest first. */
  readonly events: readonly PanelEvent[];
  /** Number of lines that are no events: cut off by a crash or a full disk, of a later version, or not ours. */
  readonly passedOver: number;
}

/**
 * The last events that earlier launches left at `path`, each once. A file that cannot be read, or that is no regular
 * file, holds none; of one that is larger than ours are, the end is read. Never rejects.
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
 * All events at `path` from the newest to the oldest, as they stand there; undefined for a line that is none. A part that
 * cannot be read holds no more of them. Never rejects.
 */
export async function* eventsBackwards(path: string): AsyncGenerator<PanelEvent | undefined> {
  for (const part of partPaths({ path, maxFiles: MAX_EVENT_FILES })) {
    try {
      yield* eventsOfPart(part);
    } catch {
      // It is missing, no regular file, or not to be read: the older parts are.
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
  // Lines that cannot be an event are sorted out first, because an exception for each of them would take its time.
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

/** Whether JSON data is neither deeper nor longer than an event of ours. */
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

/** Whether the line is our own note about events that a failing disk did not take. */
const isLoss = (line: string) => /^\{"lost":\d+\}$/.test(line);
