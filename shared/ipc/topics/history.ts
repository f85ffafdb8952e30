import {
  callSeriesQuerySchema,
  callSeriesReplySchema,
  historyStateSchema,
  pastEventsQuerySchema,
  pastEventsReplySchema,
  seriesQuerySchema,
  seriesReplySchema,
} from '../../history.ts';
import { callUsageQuerySchema, callUsageSchema } from '../../call-usage.ts';
import { call } from '../call.ts';

/** Calls about the history of all servers across app runs. */
export const historyCalls = {
  getSeries: call({ method: 'series', args: [seriesQuerySchema], result: seriesReplySchema }),
  getCallSeries: call({ method: 'calls', args: [callSeriesQuerySchema], result: callSeriesReplySchema }),
  getPastEvents: call({ method: 'events', args: [pastEventsQuerySchema], result: pastEventsReplySchema }),
  getCallUsage: call({ method: 'callUsage', args: [callUsageQuerySchema], result: callUsageSchema }),
  getHistoryState: call({ method: 'state', result: historyStateSchema }),
};
