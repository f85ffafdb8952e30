import type { PanelEvent } from '../../../shared/domain.ts';
import type { Clock } from '../clock.ts';
import { LineWriter } from './line-writer.ts';
import { MAX_EVENT_FILE_BYTES, MAX_EVENT_FILES } from './read-events.ts';
import { RotatingFile } from './rotating-file.ts';
import { messageOf } from '../../../shared/message-of.ts';

export interface EventFileOptions {
  /** `<home>/logs/events.jsonl`; older parts beside it as `.1`, `.2` and so on. */
  readonly path: string;
  readonly clock: Clock;
  /** One sentence for people, once until writing succeeds again. */
  readonly onProblem: (message: string) => void;
  readonly maxBytes?: number;
}

/**
 * Every event on disk, one line of JSON each, so that the next launch shows what happened before. Kept are the last
 * 8 to 10 MiB; events that a failing disk did not take are counted in a line `{"lost":n}`. Never throws into the caller.
 */
export class EventFile {
  readonly #writer: LineWriter;

  constructor({ path, clock, onProblem, maxBytes = MAX_EVENT_FILE_BYTES }: EventFileOptions) {
    const file = new RotatingFile({ path, maxBytes, maxFiles: MAX_EVENT_FILES, onProblem });
    this.#writer = new LineWriter({
      clock,
      write: (text) => file.append(text),
      writeSync: (text) => file.appendSync(text),
      lossLine: (lines) => JSON.stringify({ lost: lines }),
      onFailure: (error) => onProblem(`Events could not be written to ${path}: ${messageOf(error)}`),
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

function toLine(event: PanelEvent): string {
  try {
    return JSON.stringify(event);
  } catch {
    // The detail is nested too deep, or is no JSON: that something happened is kept, what it was is not.
    return JSON.stringify({ ...event, detail: {} });
  }
}
