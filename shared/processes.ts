import { z } from 'zod';

/** Identity of a process, which distinguishes it from a later process with the same pid. */
export const processIdSchema = z.object({
  pid: z.number().int(),
  /** Start time as opaque text. It is equal only for the same process. */
  startTime: z.string().max(100),
});
export type ProcessId = z.infer<typeof processIdSchema>;

/** Process in a server's process tree. A figure that could not be read is undefined, never 0. */
export const processViewSchema = processIdSchema.extend({
  ppid: z.number().int(),
  /** Start time, in epoch milliseconds. */
  startedAt: z.number().optional(),
  /** Short name of the process's program. */
  program: z.string(),
  /** Command line with secrets removed; undefined if the system does not report it. */
  commandLine: z.string().optional(),
  /** Name of the replica that the process belongs to: `<name>#2` and so on; undefined for the processes of the main instance. */
  instance: z.string().optional(),
  /** True if the process is stopped by a signal. */
  isStopped: z.literal(true).optional(),
  /** Private and shared memory in bytes. Processes share pages, so a process tree needs less than the sum of its processes. */
  memoryBytes: z.number().optional(),
  /** CPU use in percent of one core; undefined in a process's first sample, which has no earlier sample to compare with. */
  cpuPercent: z.number().optional(),
  openFiles: z.number().optional(),
});
export type ProcessView = z.infer<typeof processViewSchema>;

/** Processes of a server in the last sample. Parents come before their children. */
export const processesViewSchema = z.object({
  /** Time of the sample; undefined before the first sample, and while the server has no process. */
  at: z.number().optional(),
  processes: z.array(processViewSchema),
});
export type ProcessesView = z.infer<typeof processesViewSchema>;
