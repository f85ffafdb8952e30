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
import { call } from '../call.ts';

/** The past of all servers, over launches of the panel. */
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
  getHistoryState: call({ method: 'state', args: z.tuple([]), result: historyStateSchema }),
};
