import { readFile } from 'node:fs/promises';
import { EVENTS_IN_SNAPSHOT, panelEventSchema, type PanelEvent } from '../../../shared/domain.ts';
import type { Clock } from '../clock.ts';
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

/**
 * Every event on disk, one line of JSON each, so that the next launch shows what happened before. Kept are the last
 * 8 to 10 MiB; events that a failing disk did not take are counted in a line `{"lost":n}`. Never throws into the caller.
 */
export class EventFile {
  readonly #writer: LineWriter;

  constructor({ path, clock, onProblem, maxBytes = MAX_BYTES }: EventFileOptions) {
    const file = new RotatingFile({ path, maxBytes, maxFiles: MAX_FILES });
    this.#writer = new LineWriter({
      clock,
      write: (text) => file.append(text),
      lossLine: (lines) => JSON.stringify({ lost: lines }),
      onFailure: (error) => onProblem(`Events could not be written to ${path}: ${String(error)}`),
    });
  }

  append(event: PanelEvent): void {
    this.#writer.add(toLine(event));
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

/**
 * The last events that earlier launches left at `path`, oldest first. What is no event (a line cut off by a crash or a
 * full disk, one of a later version) is passed over; a file that cannot be read holds none.
 */
export async function readEvents(path: string, count = EVENTS_IN_SNAPSHOT): Promise<readonly PanelEvent[]> {
  let found: PanelEvent[] = [];
  for (const part of partPaths({ path, maxFiles: MAX_FILES })) {
    if (found.length >= count) break;
    const text = await readFile(part, 'utf8').catch(() => '');
    found = [...text.split('\n').flatMap(parseEvent), ...found];
  }
  return found.slice(-count);
}

function toLine(event: PanelEvent): string {
  try {
    return JSON.stringify(event);
  } catch {
    // Nested too deep, or no JSON at all: that something happened is kept, what it was is not.
    return JSON.stringify({ ...event, detail: {} });
  }
}

function parseEvent(line: string): PanelEvent[] {
  // Most lines of a damaged file are empty or whole; the rest is not worth an exception each.
  if (!line.startsWith('{')) return [];
  try {
    const parsed = panelEventSchema.safeParse(JSON.parse(line));
    return parsed.success ? [parsed.data] : [];
  } catch {
    return [];
  }
}
