import { z } from 'zod';

/** What is known about newer versions of the panel. No request is sent before the user asks for a check. */
export const updateStateSchema = z.discriminatedUnion('kind', [
  /** This build has no update feed, and never sends a request. */
  z.object({ kind: z.literal('off') }),
  z.object({ kind: z.literal('unchecked') }),
  z.object({ kind: z.literal('newest') }),
  /** `canInstall` is true if the system verifies the package's signature. Otherwise, the panel only reports the version. */
  z.object({ kind: z.literal('available'), version: z.string(), canInstall: z.boolean() }),
  z.object({ kind: z.literal('downloaded'), version: z.string() }),
]);
export type UpdateState = z.infer<typeof updateStateSchema>;

/** Steps of an update, each of which the user starts. `install` stops every server and quits the panel. */
export const updateStepSchema = z.enum(['check', 'download', 'install']);
export type UpdateStep = z.infer<typeof updateStepSchema>;
