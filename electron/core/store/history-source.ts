import type {
  CallSeriesQuery,
  CallSeriesReply,
  PastState,
  PastEventsQuery,
  PastEventsReply,
  SeriesQuery,
  SeriesReply,
} from '../../../shared/history.ts';

/** Reads the past: from the file, or from memory where there is none. Rejects only when it has been disposed. */
export interface HistorySource {
  series(query: SeriesQuery): Promise<SeriesReply>;
  calls(query: CallSeriesQuery): Promise<CallSeriesReply>;
  events(query: PastEventsQuery): Promise<PastEventsReply>;
  state(): Promise<PastState>;
}
