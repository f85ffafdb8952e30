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
  /** Minutes with calls since the given time, within the last hour, oldest first; the last may be unfinished. */
  getCallHistory: call({
    method: 'calls',
    args: [knownNameSchema, z.number().min(0)],
    result: z.array(callMinuteSchema),
  }),
  /** Lines of stderr with an id above the given one, oldest first. */
  getOutput: call({
    method: 'since',
    args: [knownNameSchema, z.number().int().min(0)],
    result: z.array(outputLineSchema),
  }),
  /** Last lines of stderr from earlier app runs, oldest first. Their ids end at 0. */
  getEarlierOutput: call({ method: 'earlier', args: named, result: z.array(outputLineSchema) }),
};
