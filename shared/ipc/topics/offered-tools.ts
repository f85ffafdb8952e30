import { z } from 'zod';
import { changedToolsSchema } from '../../offered-tools.ts';
import { call, knownNameSchema, named } from '../call.ts';

const acceptedSchema = z.object({
  name: knownNameSchema,
  /** Id of the only client that shall see it; all clients without. */
  client: z.string().max(200).optional(),
  digest: z.string().max(200),
});

/** Calls about tools, prompts, resources and instructions that are not what a person accepted. */
export const offeredToolsCalls = {
  getChangedTools: call({ method: 'changed', args: named, result: changedToolsSchema }),
  /** Accepts what was shown. CONFIG_CONFLICT where it is something else by now. */
  acceptTools: call({ method: 'accept', args: [acceptedSchema] }),
};
