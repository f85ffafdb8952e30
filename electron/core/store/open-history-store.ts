import type { RecordingStore } from './history-sink.ts';
import { RecordedHistory, type HistoryStoreOptions } from './recorded-history.ts';

/**
 * Opens the store. It works before its file is open: data waits, and a query is answered when the file is open, or by the
 * source in memory. Never throws.
 */
export function openHistoryStore(options: HistoryStoreOptions): RecordingStore {
  const store = new RecordedHistory(options);
  store.open();
  return store;
}
