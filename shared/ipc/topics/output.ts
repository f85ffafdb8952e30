import { z } from 'zod';
import { callMinuteSchema } from '../../call-figures.ts';
import { outputLineSchema, sampleSchema } from '../../domain.ts';
import { knownNameSchema, named } from '../arguments.ts';
import { call } from '../call.ts';

/** What servers left behind them: samples, calls, and lines of stderr. */
export const outputCalls = {
  /** Samples kept since then, oldest first. */
  getHistory: call({
    method: 'history',
    args: z.tuple([knownNameSchema, z.number().min(0)]),
    result: z.array(sampleSchema),
    texts: 'raw',
  }),
  /** Minutes with calls since then, within the last hour, oldest first; the last one may still go on. */
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
  /** The last lines of stderr that earlier launches of the panel left, oldest first. Their ids end at 0. */
  getEarlierOutput: call({ method: 'earlier', args: named, result: z.array(outputLineSchema), texts: 'raw' }),
};
