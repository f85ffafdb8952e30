import { z } from 'zod';
import { processViewSchema } from '../../processes.ts';
import { call } from '../call.ts';

const treeIdSchema = z.string().min(1).max(200);

/** Servers of a client that is gone: one tree of processes. */
const leftTreeSchema = z.object({
  id: treeIdSchema,
  /** Name of the client; undefined where it is not known. */
  client: z.string().optional(),
  /** Name of its entry there. */
  server: z.string().optional(),
  /** What it runs. */
  program: z.string(),
  pids: z.array(z.number()),
  memoryBytes: z.number(),
  /** In epoch milliseconds. */
  startedAt: z.number().optional(),
  /** Whether nobody can be using it. False where this system does not say; then it is not ended. */
  certain: z.boolean(),
  /** Whether others may come to a port or a named socket of it. */
  listens: z.boolean(),
  /** Parents before children. */
  processes: z.array(processViewSchema),
});
export type LeftTreeView = z.infer<typeof leftTreeSchema>;

const endLeftOutcomeSchema = z.object({
  ended: z.array(treeIdSchema),
  /** Pids of daemons in these trees, which others may use. */
  spared: z.array(z.number()),
  refused: z.array(z.object({ id: treeIdSchema, reason: z.string() })),
});
export type EndLeftOutcome = z.infer<typeof endLeftOutcomeSchema>;

/** Calls about processes that clients left behind. */
export const leftBehindCalls = {
  /** Scans for servers of clients that are gone. One is returned from the second scan on, 30 s after the first. */
  findLeftBehind: call({ method: 'find', result: z.array(leftTreeSchema) }),
  /** Scans again and ends the trees that are still found: SIGTERM, then SIGKILL. Resolves within some seconds. */
  endLeftBehind: call({
    method: 'end',
    args: [z.array(treeIdSchema).min(1).max(1000)],
    result: endLeftOutcomeSchema,
  }),
};
