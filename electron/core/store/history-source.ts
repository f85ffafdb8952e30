import type { AuditPage, AuditQuery } from '../../../shared/approvals.ts';
import type { CallUsage, CallUsageQuery } from '../../../shared/call-usage.ts';
import type { Trend } from '../../../shared/trend.ts';
import type {
  CallSeriesQuery,
  CallSeriesReply,
  PastState,
  PastEventsQuery,
  PastEventsReply,
  SeriesQuery,
  SeriesReply,
} from '../../../shared/history.ts';

/** Answers questions about the history, from the file or else from memory. Its promises reject only after it was disposed. */
export interface HistorySource {
  series(query: SeriesQuery): Promise<SeriesReply>;
  calls(query: CallSeriesQuery): Promise<CallSeriesReply>;
  events(query: PastEventsQuery): Promise<PastEventsReply>;
  /** Returns calls of tools by clients, newest first. Without a file there are none. */
  audit(query: AuditRequest): Promise<AuditPage>;
  /** Returns calls of tools by clients, by hour. Without a file there are none. */
  callUsage(query: CallUsageQuery): Promise<CallUsage>;
  /** Returns the trend of a server's memory over weeks. Without a file there is none. */
  trend(query: TrendQuery): Promise<Trend | undefined>;
  state(): Promise<PastState>;
}

export interface AuditRequest extends AuditQuery {
  readonly limit: number;
}

/** Query for the trend of a server's memory, and for the time at which the memory reaches a limit. */
export interface TrendQuery {
  readonly server: string;
  readonly limitBytes: number;
}

/** Name of a question that can be asked about the history. Each has a query and a reply type. */
export type HistoryQuestion = keyof HistorySource;
export type QueryOf<Q extends HistoryQuestion> = Parameters<HistorySource[Q]>[0];
export type ReplyTo<Q extends HistoryQuestion> = Awaited<ReturnType<HistorySource[Q]>>;
