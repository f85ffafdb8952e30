import { z } from 'zod';
import {
  logContentSchema,
  logPageQuerySchema,
  logPageSchema,
  logSearchResultSchema,
  logSearchSchema,
} from '../../log-lines.ts';
import { call } from '../call.ts';

/** Calls about the log lines of all servers and of the panel, on one time axis. */
export const logsCalls = {
  getLogPage: call({ method: 'page', args: [logPageQuerySchema], result: logPageSchema }),
  /** Searches all kept log lines. Each call searches one slice of them. */
  findInLog: call({ method: 'find', args: [logSearchSchema], result: logSearchResultSchema }),
  /** Content of an MCP message in the log; undefined if it is no longer kept. */
  getLogContent: call({
    method: 'content',
    args: [z.string().max(200)],
    result: logContentSchema.optional(),
  }),
};
