import { z } from 'zod';

/** Identity of a process, distinct from a later one with the same pid. */
export const processIdSchema = z.object({
  pid: z.number().int(),
  /** Start time as opaque text; equal only for the same process. */
  startTime: z.string().max(100),
});
export type ProcessId = z.infer<typeof processIdSchema>;

/** Process of a server's tree. A figure that could not be read is undefined, never 0. */
export const processViewSchema = processIdSchema.extend({
  ppid: z.number().int(),
  /** Start time, in epoch milliseconds. */
  startedAt: z.number().optional(),
  /** Short name of the process's program. */
  program: z.string(),
  /** Command line without secrets. Undefined where the system does not report it. */
  commandLine: z.string().optional(),
  /** Replica that the process belongs to: `<name>#2` and so on. Undefined for the server's own processes. */
  instance: z.string().optional(),
  /** Whether the process is stopped by a signal. */
  isStopped: z.literal(true).optional(),
  /** Private and shared memory in bytes. Processes share pages, so a tree needs less than the sum of its processes. */
  memoryBytes: z.number().optional(),
  /** CPU use in percent of one core. Undefined in the first sample of a process, because there is nothing to compare it with. */
  cpuPercent: z.number().optional(),
  openFiles: z.number().optional(),
});
export type ProcessView = z.infer<typeof processViewSchema>;

/** Processes of a server in the last sample, parents before children. */
export const processesViewSchema = z.object({
  /** Time of the sample; undefined before a sample was taken, and while there is no process. */
  at: z.number().optional(),
  processes: z.array(processViewSchema),
});
export type ProcessesView = z.infer<typeof processesViewSchema>;
