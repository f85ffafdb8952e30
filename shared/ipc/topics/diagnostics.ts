import { z } from 'zod';
import { diagnosticsQuerySchema, diagnosticsSchema } from '../../diagnostics.ts';
import { call } from '../call.ts';

/** Maximum characters of a report. The app window cuts longer reports. */
const LONGEST_REPORT = 20_000;

/** Calls for the diagnostics that the user gives to support. */
export const diagnosticsCalls = {
  getDiagnostics: call({ method: 'collect', args: [diagnosticsQuerySchema], result: diagnosticsSchema }),
  /** Redacts the app window's report of its own failure in the same way as the diagnostics. */
  redactReport: call({ method: 'redact', args: [z.string().max(LONGEST_REPORT)], result: z.string() }),
};
