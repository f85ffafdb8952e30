import { z } from 'zod';

/** What the main loop can be busy with, by the names that events carry. */
export type LoopTask =
  'read-output' | 'read-stderr' | 'apply-config' | 'sample' | 'serve-clients' | 'tell-window';

const ms = z.number().min(0);

/** How long something that came up within the last minute had to wait for the main loop, in milliseconds. */
const loopLatenessSchema = z.object({ p50Ms: ms, p99Ms: ms, maxMs: ms });
export type LoopLateness = z.infer<typeof loopLatenessSchema>;

/** What the panel itself costs. A figure that is not known is absent, never 0. */
export const panelFiguresSchema = z.object({
  /** Of all processes of the app, without its servers: private memory, and once what they share. */
  memoryBytes: z.optional(z.number()),
  /** The same of CPU, since the question before; 100 is one core. */
  cpuPercent: z.optional(z.number()),
  /** Absent where nobody watches it, and before the first look. */
  loop: z.optional(loopLatenessSchema),
});
export type PanelFigures = z.infer<typeof panelFiguresSchema>;
