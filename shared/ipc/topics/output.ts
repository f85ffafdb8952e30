import { z } from 'zod';
import { callMinuteSchema } from '../../call-figures.ts';
import { outputLineSchema, sampleSchema } from '../../domain.ts';
import { call, knownNameSchema, named } from '../call.ts';

/** Calls about recorded data of servers: samples, calls, and lines of stderr. */
export const outputCalls = {
  /** Samples kept since the given time, oldest first. */
  getHistory: call({
    method: 'history',
    args: [knownNameSchema, z.number().min(0)],
    result: z.array(sampleSchema),
  }),
  /** Minutes with calls since the given time, within the last hour, oldest first. The last minute may be unfinished. */
  getCallHistory: call({
    method: 'calls',
    args: [knownNameSchema, z.number().min(0)],
    result: z.array(callMinuteSchema),
  }),
  /** Lines of stderr whose id is above the given id, oldest first. */
  getOutput: call({
    method: 'since',
    args: [knownNameSchema, z.number().int().min(0)],
    result: z.array(outputLineSchema),
  }),
  /** Last lines of stderr from earlier app runs, oldest first. The highest id is 0. */
  getEarlierOutput: call({ method: 'earlier', args: named, result: z.array(outputLineSchema) }),
};
