import type { PanelEvent } from '../../../shared/domain.ts';
import type { Clock } from '../clock.ts';
import { LineWriter } from './line-writer.ts';
import { MAX_EVENT_FILE_BYTES, MAX_EVENT_FILES } from './read-events.ts';
import { RotatingFile } from './rotating-file.ts';
import { messageOf } from '../../../shared/message-of.ts';

export interface EventFileOptions {
  /** Path `<home>/logs/events.jsonl`; older parts beside it as `.1`, `.2` and so on. */
  readonly path: string;
  readonly clock: Clock;
  /** Called with one sentence for the user, once until writing succeeds again. */
  readonly onProblem: (message: string) => void;
  readonly maxBytes?: number;
}

/**
 * Every event on disk, one line of JSON each, so that the next app run can show earlier events. The last 8 to 10 MiB are
 * kept. Events lost to a failing disk are counted in a line `{"lost":n}`. Never throws into the caller.
 */
export class EventFile extends LineWriter {
  constructor({ path, clock, onProblem, maxBytes = MAX_EVENT_FILE_BYTES }: EventFileOptions) {
    const file = new RotatingFile({ path, maxBytes, maxFiles: MAX_EVENT_FILES, onProblem });
    super({
      clock,
      write: (text) => file.append(text),
      writeSync: (text) => file.appendSync(text),
      lossLine: (lines) => JSON.stringify({ lost: lines }),
      onFailure: (error) => onProblem(`Events could not be written to ${path}: ${messageOf(error)}`),
    });
  }

  append(event: PanelEvent): void {
    this.add(toLine(event));
  }
}

function toLine(event: PanelEvent): string {
  try {
    return JSON.stringify(event);
  } catch {
    // A detail nested too deeply, or not serializable, is dropped; the event itself is kept.
    return JSON.stringify({ ...event, detail: {} });
  }
}
