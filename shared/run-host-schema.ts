import { z } from 'zod';
import type { RunHost } from './run-host.ts';

export const runHostSchema = z.object({
  kind: z.enum(['process', 'container', 'pod']),
  engine: z.string().optional(),
  engineVersion: z.string().optional(),
  id: z.string().optional(),
  memoryLimitBytes: z.number().optional(),
  isOutOfReach: z.boolean().optional(),
}) satisfies z.ZodType<RunHost>;
