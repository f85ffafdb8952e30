import { z } from 'zod';

/** Tasks of the main event loop, by the names that events carry. */
export type LoopTask =
  'read-output' | 'read-stderr' | 'apply-config' | 'sample' | 'serve-clients' | 'tell-window';

const ms = z.number().min(0);

/** Milliseconds that a timer waited for the main event loop, in the last minute. */
const loopLatenessSchema = z.object({ p50Ms: ms, p99Ms: ms, maxMs: ms });
export type LoopLateness = z.infer<typeof loopLatenessSchema>;

/** Process of the app. */
const panelProcessSchema = z.object({
  /** Role in the app: `Main process`, `Window`, `Graphics`, or a service of Chromium. */
  name: z.string(),
  pid: z.number().int(),
  memoryBytes: z.optional(z.number()),
  cpuPercent: z.optional(z.number()),
});
export type PanelProcess = z.infer<typeof panelProcessSchema>;

/** Resource use of the panel itself. An unknown figure is undefined, never 0. */
export const panelFiguresSchema = z.object({
  /** Private memory in bytes of all processes of the app, without its servers, plus the memory that they share, counted once. */
  memoryBytes: z.optional(z.number()),
  /** CPU use of the app's processes since the last request, in percent of one core. */
  cpuPercent: z.optional(z.number()),
  /** Figures of each process, the largest first. */
  processes: z.optional(z.array(panelProcessSchema)),
  /** Delay of the event loop; undefined if it is not measured, and before a sample was taken. */
  loop: z.optional(loopLatenessSchema),
});
export type PanelFigures = z.infer<typeof panelFiguresSchema>;
