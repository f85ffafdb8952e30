import { z } from 'zod';
import { differenceSchema } from '../../consent.ts';
import { call, knownNameSchema, named } from '../call.ts';

const agreedSchema = z.object({ name: knownNameSchema, digest: z.string().max(200) });

/** Calls about server definitions that came from outside the panel. */
export const consentCalls = {
  /** The definition on disk, and how it differs from the definition that the user agreed to. */
  getConsent: call({
    method: 'get',
    args: named,
    result: z.object({ digest: z.string(), difference: differenceSchema }),
  }),
  /** Lets the definition run; with `pin`, at the installed version. CONFIG_CONFLICT if the definition on disk differs. */
  agree: call({ method: 'agree', args: [agreedSchema.extend({ pin: z.boolean().optional() })] }),
  /** Postpones the question until the definition changes again. CONFIG_CONFLICT as for `agree`. */
  postpone: call({ method: 'postpone', args: [agreedSchema] }),
};
