import { z } from 'zod';

/** What is known of newer versions of the panel itself. Nothing is looked up before a person asks. */
export const updateStateSchema = z.discriminatedUnion('kind', [
  /** This build has no feed, and never asks anybody. */
  z.object({ kind: z.literal('off') }),
  z.object({ kind: z.literal('unchecked') }),
  z.object({ kind: z.literal('newest') }),
  /** `canInstall`: the system checks the signature of what would be installed; elsewhere the panel only tells. */
  z.object({ kind: z.literal('available'), version: z.string(), canInstall: z.boolean() }),
  z.object({ kind: z.literal('downloaded'), version: z.string() }),
]);
export type UpdateState = z.infer<typeof updateStateSchema>;

/** Each of them is a person's own press of a button. `install` stops every server and ends the panel. */
export const updateStepSchema = z.enum(['check', 'download', 'install']);
export type UpdateStep = z.infer<typeof updateStepSchema>;
