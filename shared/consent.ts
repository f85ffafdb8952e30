import { z } from 'zod';

/**
 * Changes that take effect if the user agrees to a server's current definition (its entry in servers.json). No text contains a
 * secret or an invisible character.
 */
export const differenceSchema = z.object({
  /** True if the user never agreed to any definition under this name. */
  isNew: z.boolean(),
  /** One line for each program or host that would get a secret for the first time. */
  receivers: z.array(z.string()),
  /** What the definition does, in sentences. */
  words: z.array(z.string()),
  /** Changes by argument, variable and header: `command`, `args[0]`, `env.TOKEN`. Values are never shortened. */
  lines: z.array(
    z.object({ field: z.string(), before: z.string().optional(), after: z.string().optional() }),
  ),
  /** Installed version to which the definition can be pinned instead of using the newest one. */
  pin: z.object({ package: z.string(), version: z.string() }).optional(),
});
export type ConsentDifference = z.infer<typeof differenceSchema>;

/** Question whether the user agrees to a server's definition as it is now in servers.json. */
export const consentViewSchema = z.object({ digest: z.string(), isPostponed: z.literal(true).optional() });
export type ConsentView = z.infer<typeof consentViewSchema>;
