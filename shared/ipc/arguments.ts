import { z } from 'zod';
import { serverNameSchema } from '../server-config.ts';

/** Name of an existing server. A name that no server can have is treated as an unknown one. */
export const knownNameSchema = z.string().max(200);

/** Arguments of a call that takes only a server. */
export const named = z.tuple([knownNameSchema]);

const withName = z.looseObject({ name: serverNameSchema });

/**
 * Entry with its name, passed through without a copy, because zod's copy would lack a key "__proto__". The entry is checked
 * again, with the paths of wrong fields, where it is written or tried.
 */
export const namedEntrySchema = z.custom<z.output<typeof withName>>().superRefine((entry, context) => {
  const { error } = withName.safeParse(entry);
  context.issues.push(...((error?.issues ?? []) as z.core.$ZodRawIssue[]));
});
