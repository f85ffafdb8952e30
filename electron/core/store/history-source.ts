import type {
  CallSeriesQuery,
  CallSeriesReply,
  PastState,
  PastEventsQuery,
  PastEventsReply,
  SeriesQuery,
  SeriesReply,
} from '../../../shared/history.ts';

/** Reads the history: from the file, or from memory when there is no file. Rejects only after it was disposed. */
export interface HistorySource {
  series(query: SeriesQuery): Promise<SeriesReply>;
  calls(query: CallSeriesQuery): Promise<CallSeriesReply>;
  events(query: PastEventsQuery): Promise<PastEventsReply>;
  state(): Promise<PastState>;
}
