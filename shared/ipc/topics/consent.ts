import { z } from 'zod';
import { differenceSchema } from '../../consent.ts';
import { call, knownNameSchema, named } from '../call.ts';

const agreedSchema = z.object({ name: knownNameSchema, digest: z.string().max(200) });

/** Calls about definitions of servers that came from outside the panel. */
export const consentCalls = {
  /** The definition on disk, and what is different from the one that was agreed to. */
  getConsent: call({
    method: 'get',
    args: named,
    result: z.object({ digest: z.string(), difference: differenceSchema }),
  }),
  /** Lets the definition run; with `pin`, at the installed version. CONFIG_CONFLICT where it is not the one on disk. */
  agree: call({ method: 'agree', args: [agreedSchema.extend({ pin: z.boolean().optional() })] }),
  /** Puts the question off until the definition changes again. CONFIG_CONFLICT as for `agree`. */
  postpone: call({ method: 'postpone', args: [agreedSchema] }),
};
