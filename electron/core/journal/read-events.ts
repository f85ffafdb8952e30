import { z } from 'zod';
import { EVENTS_IN_SNAPSHOT } from '../../../shared/domain.ts';
import { eventHead, eventKinds, toldEvent, type PanelEvent } from '../../../shared/events.ts';
import { serverNameSchema } from '../../../shared/server-config.ts';
import { linesBackwards } from '../files/lines-backwards.ts';
import { openForReading } from '../files/regular-file.ts';
import { partPaths } from './rotating-file.ts';

export const MAX_EVENT_FILE_BYTES = 2 * 1024 * 1024;
export const MAX_EVENT_FILES = 5;
/** Bytes read from the end of each part: all of a part that only the panel wrote. */
const MAX_READ_BYTES = MAX_EVENT_FILE_BYTES;
/** Longest line parsed. The panel's lines have a few KiB, at most 64 Ki characters of up to six bytes each. */
const MAX_LINE_BYTES = 512 * 1024;

/** Deepest detail accepted; the panel's own have at most 5 levels. Cloning, redacting and drawing recurse once per level. */
const MAX_DEPTH = 16;
/** Most values in one detail, lists and objects included. */
const MAX_VALUES = 4000;
/** Latest time accepted, in ms since 1970: the year 2286, so that ids of 14 digits keep sorting by time. */
const MAX_EPOCH_MS = 9_999_999_999_999;
const ID = /^0\d{13}-\d{8}-[0-9A-Za-z]{1,64}$/;

/**
 * Event of an earlier app run. A file is checked more strictly than the panel's code, because a program that can write it
 * must not be able to stop the window by a detail that cannot be cloned, or an invalid time.
 */
const earlierEventSchema = z.object({
  id: eventHead.id.regex(ID),
  at: eventHead.at.int().min(0).max(MAX_EPOCH_MS),
  server: serverNameSchema.nullable(),
  kind: z.enum(eventKinds),
  detail: z.unknown().refine(isBoundedData, { error: 'the detail is too deep or too long' }),
});

/** Events of earlier app runs. */
export interface EarlierEvents {
  /** Events, oldest first. */
  readonly events: readonly PanelEvent[];
  /** Number of lines that are no events: cut off by a crash or a full disk, of a later version, or foreign. */
  readonly passedOver: number;
}

/**
 * Reads the last events of earlier app runs at `path`, each once. An unreadable or irregular file counts as empty; of an
 * oversized one, only the end is read. Never rejects.
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
 * All events at `path` from the newest to the oldest, as stored; undefined for a line that is no event. A part that cannot
 * be read ends early. Never rejects.
 */
export async function* eventsBackwards(path: string): AsyncGenerator<PanelEvent | undefined> {
  for (const part of partPaths({ path, maxFiles: MAX_EVENT_FILES })) {
    try {
      yield* eventsOfPart(part);
    } catch {
      // This part is missing, irregular or unreadable; older parts may be readable.
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

/** True for the panel's own note about events that a failing disk did not take. */
const isLoss = (line: string) => /^\{"lost":\d+\}$/.test(line);
