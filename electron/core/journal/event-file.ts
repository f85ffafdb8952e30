import { EVENTS_IN_SNAPSHOT, type PanelEvent } from '../../../shared/domain.ts';
import { earlierEventSchema } from '../../../shared/earlier-event.ts';
import type { Clock } from '../clock.ts';
import { linesBackwards } from '../files/lines-backwards.ts';
import { openForReading } from '../files/regular-file.ts';
import { LineWriter } from './line-writer.ts';
import { partPaths, RotatingFile } from './rotating-file.ts';

export interface EventFileOptions {
  /** `<home>/logs/events.jsonl`; older parts beside it as `.1`, `.2` and so on. */
  readonly path: string;
  readonly clock: Clock;
  /** One sentence for people, once until writing succeeds again. */
  readonly onProblem: (message: string) => void;
  readonly maxBytes?: number;
}

const MAX_BYTES = 2 * 1024 * 1024;
const MAX_FILES = 5;
/** The end of each part that is read at the start: all of a part that the panel alone wrote. */
const MAX_READ_BYTES = MAX_BYTES;
/** Lines of ours have a few KiB, and 64 Ki characters at most, each of up to six bytes. */
const MAX_LINE_BYTES = 512 * 1024;

/**
 * Every event on disk, one line of JSON each, so that the next launch shows what happened before. Kept are the last
 * 8 to 10 MiB; events that a failing disk did not take are counted in a line `{"lost":n}`. Never throws into the caller.
 */
export class EventFile {
  readonly #writer: LineWriter;

  constructor({ path, clock, onProblem, maxBytes = MAX_BYTES }: EventFileOptions) {
    const file = new RotatingFile({ path, maxBytes, maxFiles: MAX_FILES, onProblem });
    this.#writer = new LineWriter({
      clock,
      write: (text) => file.append(text),
      writeSync: (text) => file.appendSync(text),
      lossLine: (lines) => JSON.stringify({ lost: lines }),
      onFailure: (error) => onProblem(`Events could not be written to ${path}: ${String(error)}`),
    });
  }

  append(event: PanelEvent): void {
    this.#writer.add(toLine(event));
  }

  /** Writes what waits before it returns, if the disk takes it. */
  flushSync(): void {
    this.#writer.flushSync();
  }

  /** Resolves when everything so far is on disk, or lost. */
  flush(): Promise<void> {
    return this.#writer.flush();
  }

  /** Writes what waits, within two seconds. The caller's last call. */
  dispose(): Promise<void> {
    return this.#writer.dispose();
  }
}

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
  for (const part of partPaths({ path, maxFiles: MAX_FILES })) {
    if (found.size >= count) break;
    passedOver += await readPart(part, found, count).catch(() => 0);
  }
  return { events: [...found.values()].reverse(), passedOver };
}

/** Adds the last events of one part, the newest first. @returns how many lines were passed over */
async function readPart(path: string, found: Map<string, PanelEvent>, count: number): Promise<number> {
  const file = await openForReading(path);
  let passedOver = 0;
  try {
    for await (const line of linesBackwards(file, {
      maxBytes: MAX_READ_BYTES,
      maxLineBytes: MAX_LINE_BYTES,
    })) {
      if (found.size >= count) break;
      const event = line === undefined ? undefined : parseEvent(line);
      if (event !== undefined && !found.has(event.id)) found.set(event.id, event);
      else if (line === undefined || !isLoss(line)) passedOver += 1;
    }
  } finally {
    await file.close();
  }
  return passedOver;
}

function toLine(event: PanelEvent): string {
  try {
    return JSON.stringify(event);
  } catch {
    // The detail is nested too deep, or is no JSON: that something happened is kept, what it was is not.
    return JSON.stringify({ ...event, detail: {} });
  }
}

function parseEvent(line: string): PanelEvent | undefined {
  // Lines that cannot be an event are sorted out first, because an exception for each of them would take its time.
  if (!line.startsWith('{')) return undefined;
  try {
    const parsed = earlierEventSchema.safeParse(JSON.parse(line));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

/** Whether the line is our own note about events that a failing disk did not take. */
const isLoss = (line: string) => /^\{"lost":\d+\}$/.test(line);
