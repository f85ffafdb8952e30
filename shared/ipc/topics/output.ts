import { z } from 'zod';
import { callMinuteSchema } from '../../call-figures.ts';
import { outputLineSchema, sampleSchema } from '../../domain.ts';
import { call, knownNameSchema, named } from '../call.ts';

/** Calls about recorded data of servers: samples, calls, and lines of stderr. */
export const outputCalls = {
  /** Samples kept since the given time, oldest first. */
  getHistory: call({
    method: 'history',
    args: z.tuple([knownNameSchema, z.number().min(0)]),
    result: z.array(sampleSchema),
    texts: 'raw',
  }),
  /** Minutes with calls since the given time, within the last hour, oldest first; the last may be unfinished. */
  getCallHistory: call({
    method: 'calls',
    args: z.tuple([knownNameSchema, z.number().min(0)]),
    result: z.array(callMinuteSchema),
    texts: 'raw',
  }),
  /** Lines of stderr with an id above the given one, oldest first. */
  getOutput: call({
    method: 'since',
    args: z.tuple([knownNameSchema, z.number().int().min(0)]),
    result: z.array(outputLineSchema),
    texts: 'raw',
  }),
  /** Last lines of stderr from earlier app runs, oldest first. Their ids end at 0. */
  getEarlierOutput: call({ method: 'earlier', args: named, result: z.array(outputLineSchema), texts: 'raw' }),
};
