import { z } from 'zod';
import { callOutcomeSchema, offerSchema, sessionsViewSchema } from '../../domain.ts';
import { callTimeoutMsSchema } from '../../panel-settings.ts';
import { knownNameSchema, named } from '../arguments.ts';
import { call } from '../call.ts';
import { jsonObjectSchema } from '../../json-object-schema.ts';

/** Free text that names something: a call, or who makes it. */
const labelSchema = z.string().min(1).max(200);

/** One call to a server. */
export const serverCallSchema = z.object({
  /** Chosen by the caller, unique among its calls under way: for progress and for cancelling. */
  callId: labelSchema,
  /** The one on whose behalf it is made; `window` unless given. Each context has a lease of its own. */
  context: labelSchema.optional(),
  name: knownNameSchema,
  method: z.enum(['tools/call', 'prompts/get', 'resources/read']),
  params: jsonObjectSchema,
  /** Longest time without progress, for this call alone; also for a place to make it in. The server's setting unless given. */
  timeoutMs: callTimeoutMsSchema.optional(),
});
export type ServerCall = z.infer<typeof serverCallSchema>;

/** Who uses a server, what it offers, and calls to it. */
export const sessionsCalls = {
  /** How the server is shared, and the sessions that are open. */
  getSessions: call({ method: 'view', args: named, result: sessionsViewSchema }),
  /** Ends the leases of the session of that generation; nothing happens when it has ended. A process of its own ends with it. */
  evictSession: call({ method: 'evict', args: z.tuple([knownNameSchema, z.number().int()]) }),
  /** What the running server offers. */
  getOffer: call({ method: 'offer', args: named, result: offerSchema, texts: 'raw' }),
  /** Starts the server if it is stopped. */
  callServer: call({
    method: 'call',
    args: z.tuple([serverCallSchema]),
    result: callOutcomeSchema,
    texts: 'raw',
  }),
  /** Nothing happens when no such call is under way. */
  cancelCall: call({ method: 'cancel', args: z.tuple([labelSchema]) }),
};
