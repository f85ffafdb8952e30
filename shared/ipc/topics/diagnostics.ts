import { z } from 'zod';
import { diagnosticsQuerySchema, diagnosticsSchema } from '../../diagnostics.ts';
import { call } from '../call.ts';

/** In characters. The window cuts what is longer. */
const LONGEST_REPORT = 20_000;

/** What a person hands to somebody who is to help. */
export const diagnosticsCalls = {
  getDiagnostics: call({
    method: 'collect',
    args: z.tuple([diagnosticsQuerySchema]),
    result: diagnosticsSchema,
  }),
  /** A report by the window of its own failure, without what the diagnostics leave out. */
  redactReport: call({
    method: 'redact',
    args: z.tuple([z.string().max(LONGEST_REPORT)]),
    result: z.string(),
  }),
};
