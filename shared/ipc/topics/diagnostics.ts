import { z } from 'zod';
import { diagnosticsQuerySchema, diagnosticsSchema } from '../../diagnostics.ts';
import { call } from '../call.ts';

/** Maximum characters of a report; the app window cuts longer ones. */
const LONGEST_REPORT = 20_000;

/** Calls for the diagnostics that a user hands to a supporter. */
export const diagnosticsCalls = {
  getDiagnostics: call({ method: 'collect', args: [diagnosticsQuerySchema], result: diagnosticsSchema }),
  /** Redacts the app window's report of its own failure as the diagnostics are redacted. */
  redactReport: call({ method: 'redact', args: [z.string().max(LONGEST_REPORT)], result: z.string() }),
};
