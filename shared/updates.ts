import { z } from 'zod';

/** Known state of newer versions of the panel. Nothing is requested before the user asks for it. */
export const updateStateSchema = z.discriminatedUnion('kind', [
  /** This build has no feed, and never sends a request. */
  z.object({ kind: z.literal('off') }),
  z.object({ kind: z.literal('unchecked') }),
  z.object({ kind: z.literal('newest') }),
  /** `canInstall`: the system verifies the package's signature; otherwise the panel only reports the version. */
  z.object({ kind: z.literal('available'), version: z.string(), canInstall: z.boolean() }),
  z.object({ kind: z.literal('downloaded'), version: z.string() }),
]);
export type UpdateState = z.infer<typeof updateStateSchema>;

/** Steps of an update, each started by the user. `install` stops every server and ends the panel. */
export const updateStepSchema = z.enum(['check', 'download', 'install']);
export type UpdateStep = z.infer<typeof updateStepSchema>;
