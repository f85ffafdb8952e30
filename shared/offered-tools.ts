import { z } from 'zod';

/** Summary of the differences between the tools that a server reports and the tools that the user accepted. */
export const changedToolsViewSchema = z.object({
  /** Hash over all changes. */
  digest: z.string(),
  /** Number of changes of the server's tools that are hidden from clients, and whose calls are refused. */
  held: z.number().int(),
  /** Number of changes of the server's tools that were passed on to clients. */
  shown: z.number().int(),
});
export type ChangedToolsView = z.infer<typeof changedToolsViewSchema>;

/** Change to a tool, prompt, resource or the instructions. Its texts are complete, redacted, and without invisible characters. */
export const changedOfferSchema = z.object({
  kind: z.enum(['tool', 'prompt', 'resource', 'instructions']),
  change: z.enum(['changed', 'new', 'renamed']),
  name: z.string(),
  /** Former name, if the change is a renaming. */
  from: z.string().optional(),
  isHeld: z.boolean(),
  parts: z.array(
    z.object({ field: z.string(), before: z.string().optional(), after: z.string().optional() }),
  ),
});
export type ChangedOffer = z.infer<typeof changedOfferSchema>;

export const changedToolsSchema = z.object({
  digest: z.string(),
  /** Version of the installed package before and after the change. A version is undefined if it is unknown. */
  version: z.object({ before: z.string().optional(), after: z.string().optional() }),
  changes: z.array(changedOfferSchema),
});
export type ChangedTools = z.infer<typeof changedToolsSchema>;
