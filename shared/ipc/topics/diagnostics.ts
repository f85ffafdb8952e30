import { z } from 'zod';
import { diagnosticsQuerySchema, diagnosticsSchema } from '../../diagnostics.ts';
import { call } from '../call.ts';

/** What a person hands to somebody who is to help. */
export const diagnosticsCalls = {
  getDiagnostics: call({
    method: 'collect',
    args: z.tuple([diagnosticsQuerySchema]),
    result: diagnosticsSchema,
  }),
};
