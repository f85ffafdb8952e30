import { z } from 'zod';

/** What the main loop can be busy with, by the names that events carry. */
export type LoopTask =
  'read-output' | 'read-stderr' | 'apply-config' | 'sample' | 'serve-clients' | 'tell-window';

const ms = z.number().min(0);

/** How long something that came up within the last minute had to wait for the main loop, in milliseconds. */
const loopLatenessSchema = z.object({ p50Ms: ms, p99Ms: ms, maxMs: ms });
export type LoopLateness = z.infer<typeof loopLatenessSchema>;

/** One process of the app. */
const panelProcessSchema = z.object({
  /** Its part in the app: `Main process`, `Window`, `Graphics`, or a service of Chromium. */
  name: z.string(),
  pid: z.number().int(),
  memoryBytes: z.optional(z.number()),
  cpuPercent: z.optional(z.number()),
});
export type PanelProcess = z.infer<typeof panelProcessSchema>;

/** What the panel itself costs. A figure that is not known is absent, never 0. */
export const panelFiguresSchema = z.object({
  /** Of all processes of the app, without its servers: private memory, and once what they share. */
  memoryBytes: z.optional(z.number()),
  /** The same of CPU, since the question before; 100 is one core. */
  cpuPercent: z.optional(z.number()),
  /** The same process by process, the largest first. */
  processes: z.optional(z.array(panelProcessSchema)),
  /** Absent where nobody watches it, and before the first look. */
  loop: z.optional(loopLatenessSchema),
});
export type PanelFigures = z.infer<typeof panelFiguresSchema>;
