import { z } from 'zod';
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

/** Calls about the history of all servers, over app runs. */
export const historyCalls = {
  getSeries: call({
    method: 'series',
    args: z.tuple([seriesQuerySchema]),
    result: seriesReplySchema,
    texts: 'raw',
  }),
  getCallSeries: call({
    method: 'calls',
    args: z.tuple([callSeriesQuerySchema]),
    result: callSeriesReplySchema,
    texts: 'raw',
  }),
  getPastEvents: call({
    method: 'events',
    args: z.tuple([pastEventsQuerySchema]),
    result: pastEventsReplySchema,
  }),
  getCallUsage: call({
    method: 'callUsage',
    args: z.tuple([callUsageQuerySchema]),
    result: callUsageSchema,
  }),
  getHistoryState: call({ method: 'state', args: z.tuple([]), result: historyStateSchema }),
};
