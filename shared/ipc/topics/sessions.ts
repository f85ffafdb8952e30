import { z } from 'zod';
import { callOutcomeSchema, offerInTextsSchema, offerSchema } from '../../domain.ts';
import { sessionsViewSchema } from '../../sessions-view.ts';
import { callTimeoutMsSchema } from '../../panel-settings.ts';
import { call, knownNameSchema, named } from '../call.ts';
import { jsonObjectSchema } from '../../json-object-schema.ts';

/** Free text that names a call or its caller. */
const labelSchema = z.string().min(1).max(200);

/** One call to a server. */
export const serverCallSchema = z.object({
  /** Id chosen by the caller, unique among its calls in flight. Progress reports contain it, and canceling needs it. */
  callId: labelSchema,
  /** Context of the caller; default: `window`, the app window. Each context has its own lease (use of a session). */
  context: labelSchema.optional(),
  name: knownNameSchema,
  method: z.enum(['tools/call', 'prompts/get', 'resources/read']),
  params: jsonObjectSchema,
  /** Maximum wait in ms for progress, and for a connection, for this call only. Default: the server's setting. */
  timeoutMs: callTimeoutMsSchema.optional(),
});
export type ServerCall = z.infer<typeof serverCallSchema>;

/** Calls about the users and capabilities of a server, and calls to it. */
export const sessionsCalls = {
  /** Sharing mode of the server, and its open sessions. */
  getSessions: call({ method: 'view', args: named, result: sessionsViewSchema }),
  /** Ends the leases of the session with that generation, and the session's replica. No effect if the session has ended. */
  evictSession: call({ method: 'evict', args: [knownNameSchema, z.number().int()] }),
  /** Capabilities of the running server, with its lists of tools, prompts and resources. */
  getOffer: call({ method: 'offer', args: named, result: offerSchema }),
  /** Same as `getOffer`, but as JSON texts, each serialized and parsed in its own event-loop tick. The page uses this call. */
  getOfferTexts: call({ method: 'offerTexts', args: named, result: offerInTextsSchema }),
  /** Calls the server; starts it if it is stopped. */
  callServer: call({ method: 'call', args: [serverCallSchema], result: callOutcomeSchema }),
  /** Cancels a call. No effect if no such call is in flight. */
  cancelCall: call({ method: 'cancel', args: [labelSchema] }),
};
