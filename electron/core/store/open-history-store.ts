import type { RecordingStore } from './history-sink.ts';
import { RecordedHistory, type HistoryStoreOptions } from './recorded-history.ts';

/**
 * Opens the store. It takes and answers at once, before its file is open: what is handed in waits, and a question is
 * answered when the file is, or from the fallback. Never throws.
 */
export function openHistoryStore(options: HistoryStoreOptions): RecordingStore {
  const store = new RecordedHistory(options);
  store.open();
  return store;
}
