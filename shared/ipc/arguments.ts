import { z } from 'zod';
import { serverNameSchema } from '../server-config.ts';

/** Names a server that should be there. One that could never be is as unknown as any other. */
export const knownNameSchema = z.string().max(200);

/** The arguments of a call that is about one server and takes nothing else. */
export const named = z.tuple([knownNameSchema]);

const withName = z.looseObject({ name: serverNameSchema });

/**
 * An entry with its name, as it is: zod's copy would lack a key "__proto__". The entry is checked again, with paths, where
 * it is written or tried.
 */
export const namedEntrySchema = z.custom<z.output<typeof withName>>().superRefine((entry, context) => {
  const { error } = withName.safeParse(entry);
  context.issues.push(...((error?.issues ?? []) as z.core.$ZodRawIssue[]));
});
