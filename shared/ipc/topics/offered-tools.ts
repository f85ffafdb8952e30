import { z } from 'zod';
import { changedToolsSchema } from '../../offered-tools.ts';
import { call, knownNameSchema, named } from '../call.ts';

const acceptedSchema = z.object({
  name: knownNameSchema,
  /** Id of the client if only this client is to see the accepted content; undefined for all clients. */
  client: z.string().max(200).optional(),
  digest: z.string().max(200),
});

/** Calls about tools, prompts, resources and instructions that differ from what the user accepted. */
export const offeredToolsCalls = {
  getChangedTools: call({ method: 'changed', args: named, result: changedToolsSchema }),
  /** Accepts the changes that were shown. CONFIG_CONFLICT if the server has changed them since. */
  acceptTools: call({ method: 'accept', args: [acceptedSchema] }),
};
