import { z } from 'zod';
import {
  logContentSchema,
  logPageQuerySchema,
  logPageSchema,
  logSearchResultSchema,
  logSearchSchema,
} from '../../log-lines.ts';
import { call } from '../call.ts';

/** Calls about the lines of all servers and of the panel, on one time axis. */
export const logsCalls = {
  getLogPage: call({
    method: 'page',
    args: z.tuple([logPageQuerySchema]),
    result: logPageSchema,
    texts: 'json',
  }),
  /** Searches all kept log lines, a slice of them per call. */
  findInLog: call({
    method: 'find',
    args: z.tuple([logSearchSchema]),
    result: logSearchResultSchema,
    texts: 'raw',
  }),
  /** Content of a message of the traffic; undefined when it is no longer kept. */
  getLogContent: call({
    method: 'content',
    args: z.tuple([z.string().max(200)]),
    result: logContentSchema.optional(),
    texts: 'raw',
  }),
};
