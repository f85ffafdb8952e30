import { z } from 'zod';
import { serverNameSchema } from './server-config.ts';

export const diagnosticsQuerySchema = z.object({
  /** One server; all of them, and the panel itself, where it is left out. */
  server: serverNameSchema.optional(),
});
export type DiagnosticsQuery = z.infer<typeof diagnosticsQuerySchema>;

/** A part of the diagnostics that a person can leave out. */
const diagnosticsSectionSchema = z.object({
  id: z.enum(['versions', 'system', 'configuration', 'figures', 'events', 'logs']),
  title: z.string(),
  /** Lines for people, without secrets. */
  text: z.string(),
});
export type DiagnosticsSection = z.infer<typeof diagnosticsSectionSchema>;

/** Everything that helps to understand a problem elsewhere; 2 MiB at most. */
export const diagnosticsSchema = z.object({
  /** Milliseconds since 1970. */
  at: z.number().min(0),
  sections: z.array(diagnosticsSectionSchema),
});
export type Diagnostics = z.infer<typeof diagnosticsSchema>;
