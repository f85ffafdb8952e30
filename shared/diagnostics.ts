import { z } from 'zod';
import { serverNameSchema } from './server-config.ts';

export const diagnosticsQuerySchema = z.object({
  /** Server that the diagnostics are about. If omitted, they cover all servers and the panel itself. */
  server: serverNameSchema.optional(),
});
export type DiagnosticsQuery = z.infer<typeof diagnosticsQuerySchema>;

/** Part of the diagnostics that the user can leave out. */
const diagnosticsSectionSchema = z.object({
  id: z.enum(['versions', 'system', 'configuration', 'figures', 'events', 'logs']),
  title: z.string(),
  /** Lines for the reader, without secrets. */
  text: z.string(),
});
export type DiagnosticsSection = z.infer<typeof diagnosticsSectionSchema>;

/** Facts that help to analyse a problem on another machine; at most 2 MiB. */
export const diagnosticsSchema = z.object({
  /** Milliseconds since 1970. */
  at: z.number().min(0),
  sections: z.array(diagnosticsSectionSchema),
});
export type Diagnostics = z.infer<typeof diagnosticsSchema>;
