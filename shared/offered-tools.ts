import { z } from 'zod';

/** What differs between what a server says of its tools and what a person accepted. */
export const changedToolsViewSchema = z.object({
  /** Hash over all changes. */
  digest: z.string(),
  /** Changes that clients do not see, and whose calls are refused. */
  held: z.number().int(),
  /** Changes that clients see already. */
  shown: z.number().int(),
});
export type ChangedToolsView = z.infer<typeof changedToolsViewSchema>;

/** One change. Texts are whole, redacted, and hold no character that cannot be seen. */
export const changedOfferSchema = z.object({
  kind: z.enum(['tool', 'prompt', 'resource', 'instructions']),
  change: z.enum(['changed', 'new', 'renamed']),
  name: z.string(),
  /** Former name of what was renamed. */
  from: z.string().optional(),
  isHeld: z.boolean(),
  parts: z.array(
    z.object({ field: z.string(), before: z.string().optional(), after: z.string().optional() }),
  ),
});
export type ChangedOffer = z.infer<typeof changedOfferSchema>;

export const changedToolsSchema = z.object({
  digest: z.string(),
  /** Versions of the package that is installed; none where it is not known. */
  version: z.object({ before: z.string().optional(), after: z.string().optional() }),
  changes: z.array(changedOfferSchema),
});
export type ChangedTools = z.infer<typeof changedToolsSchema>;
