import { z } from 'zod';

/** A process, told apart from a later one with the same pid. */
export const processIdSchema = z.object({
  pid: z.number().int(),
  /** Opaque; equal only for the same process. */
  startTime: z.string().max(100),
});
export type ProcessId = z.infer<typeof processIdSchema>;

/** One process of a server's tree. A figure that could not be read is absent, never 0. */
export const processViewSchema = processIdSchema.extend({
  ppid: z.number().int(),
  /** When it started, in epoch milliseconds. */
  startedAt: z.number().optional(),
  /** Short name of its program. */
  program: z.string(),
  /** Its whole command line, without secrets. Absent where the system does not tell. */
  commandLine: z.string().optional(),
  /** The further instance that it belongs to: `<name>#2` and so on. */
  instance: z.string().optional(),
  /** Stopped by a signal. */
  isStopped: z.literal(true).optional(),
  /** Memory of its own and shared. Processes share pages, so a tree needs less than their sum. */
  memoryBytes: z.number().optional(),
  /** 100 is one core. Absent in the first look at a process, which has nothing to compare with. */
  cpuPercent: z.number().optional(),
  openFiles: z.number().optional(),
});
export type ProcessView = z.infer<typeof processViewSchema>;

/** The processes of a server as the last look saw them, parents before children. */
export const processesViewSchema = z.object({
  /** When that was; absent before the first look and while there is no process. */
  at: z.number().optional(),
  processes: z.array(processViewSchema),
});
export type ProcessesView = z.infer<typeof processesViewSchema>;
