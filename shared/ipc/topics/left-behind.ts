import { z } from 'zod';
import { processViewSchema } from '../../processes.ts';
import { call } from '../call.ts';

const treeIdSchema = z.string().min(1).max(200);

/** Process tree of a server whose client has ended. */
const leftTreeSchema = z.object({
  id: treeIdSchema,
  /** Name of the client; undefined if it is not known. */
  client: z.string().optional(),
  /** Name of the server's entry in the client's configuration. */
  server: z.string().optional(),
  /** Name of the server's program or package. */
  program: z.string(),
  pids: z.array(z.number()),
  memoryBytes: z.number(),
  /** Start time in epoch ms. */
  startedAt: z.number().optional(),
  /** True if certainly no process uses the tree. False if the operating system does not tell; then the tree is not ended. */
  certain: z.boolean(),
  /** True if other programs may connect to a port or a named socket of the tree. */
  listens: z.boolean(),
  /** Processes of the tree, parents before children. */
  processes: z.array(processViewSchema),
});
export type LeftTreeView = z.infer<typeof leftTreeSchema>;

const endLeftOutcomeSchema = z.object({
  ended: z.array(treeIdSchema),
  /** Pids of daemons in these trees. They are not ended because other programs may use them. */
  spared: z.array(z.number()),
  refused: z.array(z.object({ id: treeIdSchema, reason: z.string() })),
});
export type EndLeftOutcome = z.infer<typeof endLeftOutcomeSchema>;

/** Calls about processes that ended clients left behind. */
export const leftBehindCalls = {
  /** Scans for servers whose client has ended. A server is returned from the second scan on, 30 s after the first to find it. */
  findLeftBehind: call({ method: 'find', result: z.array(leftTreeSchema) }),
  /** Scans again and ends the trees that are still found: first SIGTERM, then SIGKILL. Resolves within a few seconds. */
  endLeftBehind: call({
    method: 'end',
    args: [z.array(treeIdSchema).min(1).max(1000)],
    result: endLeftOutcomeSchema,
  }),
};
