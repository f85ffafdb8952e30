import type { Clock, WallClock } from '../clock.ts';
import type { HistoryStore } from './history-sink.ts';
import type { HistorySource } from './history-source.ts';
import type { WorkerLike } from './worker-like.ts';

export interface HistoryStoreOptions {
  /** Absolute path of the file, `<home>/history.db`. Its `-wal` and `-shm` are beside it. */
  readonly path: string;
  /** The journal's `<home>/logs/events.jsonl`, from which events that the file lacks are taken. */
  readonly eventsPath: string;
  /**
   * Starts the worker: `store-worker.ts` of this folder on plain Node 24, its bundle in the app. Called once more where
   * it has died.
   */
  readonly worker: () => WorkerLike;
  /** Answers while there is no file. */
  readonly fallback: HistorySource;
  readonly clock: Clock;
  readonly wallClock: WallClock;
  /** One sentence for people, once for each thing that goes wrong. */
  readonly onProblem: (message: string) => void;
  /** The file is kept below this by leaving out the oldest. Default: 512 MiB. */
  readonly maxBytes?: number;
}

/**
 * Opens the store. It takes and answers at once, before its file is open: what is handed in waits, and a question is
 * answered when the file is, or from the fallback. Never throws.
 */
export function openHistoryStore(options: HistoryStoreOptions): HistoryStore {
  throw new Error(`not yet: ${options.path}`);
}
