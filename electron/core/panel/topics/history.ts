import type { CallUsage, CallUsageQuery } from '../../../../shared/call-usage.ts';
import type { CallAnswers } from '../../../../shared/ipc/call.ts';
import type { historyCalls } from '../../../../shared/ipc/topics/history.ts';
import type {
  CallSeriesQuery,
  CallSeriesReply,
  PastState,
  PastEventsQuery,
  PastEventsReply,
  SeriesQuery,
  SeriesReply,
} from '../../../../shared/history.ts';
import type { HistorySource } from '../../store/history-source.ts';

/** History of all servers, over app runs. An unknown server has no history, which is no error. */
export class HistoryTopic implements CallAnswers<typeof historyCalls> {
  readonly #source: HistorySource;

  constructor(source: HistorySource) {
    this.#source = source;
  }

  series(query: SeriesQuery): Promise<SeriesReply> {
    return this.#source.series(query);
  }

  calls(query: CallSeriesQuery): Promise<CallSeriesReply> {
    return this.#source.calls(query);
  }

  events(query: PastEventsQuery): Promise<PastEventsReply> {
    return this.#source.events(query);
  }

  callUsage(query: CallUsageQuery): Promise<CallUsage> {
    return this.#source.callUsage(query);
  }

  state(): Promise<PastState> {
    return this.#source.state();
  }
}
