import { z } from 'zod';
import {
  logContentSchema,
  logPageQuerySchema,
  logPageSchema,
  logSearchResultSchema,
  logSearchSchema,
} from '../../log-lines.ts';
import { call } from '../call.ts';

/** Lines of all servers and of the panel, on one time axis. */
export const logsCalls = {
  getLogPage: call({
    method: 'page',
    args: z.tuple([logPageQuerySchema]),
    result: logPageSchema,
    texts: 'raw',
  }),
  /** Searches everything that is kept, a slice per call. */
  findInLog: call({
    method: 'find',
    args: z.tuple([logSearchSchema]),
    result: logSearchResultSchema,
    texts: 'raw',
  }),
  /** What a message of the traffic said; undefined when it is no longer kept. */
  getLogContent: call({
    method: 'content',
    args: z.tuple([z.string().max(200)]),
    result: logContentSchema.optional(),
    texts: 'raw',
  }),
};
