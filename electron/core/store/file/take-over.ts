import type { PanelEvent } from '../../../../shared/domain.ts';
import { eventsBackwards } from '../../journal/read-events.ts';
import { nextTurn } from '../../next-turn.ts';
import type { HistoryFile } from './history-file.ts';
import { EVENTS_KEPT_MS } from './levels.ts';
import { readMeta, writeMeta } from './meta.ts';
import { inTransaction } from './schema.ts';

/** Events in one transaction: what a question waits for is some milliseconds. */
const SLICE = 200;

export interface TakeOverOptions {
  /** The journal, `<home>/logs/events.jsonl`. */
  readonly path: string;
  /** Events in the file from before: where the journal has one of these, everything older is there too. */
  readonly isKnown: (id: string) => boolean;
  /** Reads all of the journal, because some events in its midst were lost on the way to the file. */
  readonly isWhole: boolean;
  /** The file was closed meanwhile: nothing more is written. */
  readonly isOver: () => boolean;
}

/**
 * Adds what the journal has and the file lacks, from the newest event backwards: all of it the first time, and where an
 * earlier attempt did not come to its end. Adding an event twice changes nothing. @throws the error of SQLite
 */
export async function takeOver(file: HistoryFile, options: TakeOverOptions): Promise<void> {
  const isWhole = options.isWhole || readMeta(file.db, 'journal-is-open') !== 0;
  let slice: PanelEvent[] = [];
  const write = (isEnd: boolean) => {
    inTransaction(file.db, () => {
      file.addEvents(slice);
      writeMeta(file.db, 'journal-is-open', isEnd ? 0 : 1);
    });
    slice = [];
  };
  for await (const event of eventsBackwards(options.path)) {
    if (options.isOver()) return;
    if (event === undefined || event.at < file.confirmedAt - EVENTS_KEPT_MS) continue;
    if (!isWhole && options.isKnown(event.id)) break;
    slice.push(event);
    if (slice.length < SLICE) continue;
    write(false);
    await nextTurn();
  }
  if (!options.isOver()) write(true);
}
