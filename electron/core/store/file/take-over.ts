import type { PanelEvent } from '../../../../shared/domain.ts';
import { eventsBackwards } from '../../journal/read-events.ts';
import { nextTurn } from '../../next-turn.ts';
import type { HistoryFile } from './history-file.ts';
import { EVENTS_KEPT_MS } from './levels.ts';
import { readMeta, writeMeta } from './open-file.ts';
import { inTransaction } from './schema.ts';

/** Number of events in one transaction, which takes a few milliseconds. A query has to wait for it. */
const SLICE = 200;

interface TakeOverOptions {
  /** Path of the journal, `<home>/logs/events.jsonl`. */
  readonly path: string;
  /** True for an event's id that was in the file before the journal was read. All older ones are too, so reading can stop. */
  readonly isKnown: (id: string) => boolean;
  /** True if the whole journal must be read, because some events were lost on their way to the file. */
  readonly isWhole: boolean;
  /** True if the file was closed meanwhile, so that nothing more is written. */
  readonly isOver: () => boolean;
}

/**
 * Adds the events of the journal that are missing from the file, from the newest backwards. Reads the whole journal for a new
 * file, and if an earlier attempt was incomplete. Adding an event twice has no effect. @throws the error of SQLite
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
