import { z } from 'zod';

/** What agreeing to a definition of a server would change. No text holds a secret, or a character that cannot be seen. */
export const differenceSchema = z.object({
  /** True if nothing was ever agreed to under this name. */
  isNew: z.boolean(),
  /** One line for each program or host that would get a secret for the first time. */
  receivers: z.array(z.string()),
  /** What the definition does, in sentences. */
  words: z.array(z.string()),
  /** By argument, variable and header: `command`, `args[0]`, `env.TOKEN`. Whole, never cut. */
  lines: z.array(
    z.object({ field: z.string(), before: z.string().optional(), after: z.string().optional() }),
  ),
  /** The version that is installed, which can be written into the definition instead of the newest one. */
  pin: z.object({ package: z.string(), version: z.string() }).optional(),
});
export type ConsentDifference = z.infer<typeof differenceSchema>;

/** Question about the definition that is on disk. */
export const consentViewSchema = z.object({ digest: z.string(), isPostponed: z.literal(true).optional() });
export type ConsentView = z.infer<typeof consentViewSchema>;
