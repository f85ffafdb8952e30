import { z } from 'zod';

/** Tasks of the main event loop. Events report them by these names. */
export type LoopTask =
  'read-output' | 'read-stderr' | 'apply-config' | 'sample' | 'serve-clients' | 'tell-window';

const ms = z.number().min(0);

/** Delay of a timer by a busy main event loop within the last minute, in ms. */
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

/** Resource use of the panel itself. A figure that is unknown is undefined, never 0. */
export const panelFiguresSchema = z.object({
  /** Private memory in bytes of all the app's processes, without its servers, plus the memory they share, counted once. */
  memoryBytes: z.optional(z.number()),
  /** CPU use of the app's processes since the last request, in percent of one core. */
  cpuPercent: z.optional(z.number()),
  /** Figures of each process, the largest first. */
  processes: z.optional(z.array(panelProcessSchema)),
  /** Delay of the event loop; undefined if it is not measured, or before the first sample. */
  loop: z.optional(loopLatenessSchema),
});
export type PanelFigures = z.infer<typeof panelFiguresSchema>;
