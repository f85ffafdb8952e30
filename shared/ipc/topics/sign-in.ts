import { z } from 'zod';
import { call, knownNameSchema, named } from '../call.ts';

const clientIdSchema = z.object({
  name: knownNameSchema,
  clientId: z.string().min(1).max(2048),
  clientSecret: z.string().max(2048).optional(),
});
export type GivenClientId = z.infer<typeof clientIdSchema>;

/** Calls about the sign-ins of remote servers. No call passes a token to the page. */
export const signInCalls = {
  /** Begins a sign-in, or continues the open sign-in, and opens the browser. @throws SIGN_IN_REQUIRED, UNREACHABLE */
  signIn: call({
    method: 'signIn',
    args: named,
    result: z.object({ authorizationUrl: z.string(), expiresAt: z.number() }),
  }),
  /** Revokes the tokens, then deletes them. */
  signOut: call({ method: 'signOut', args: named }),
  /** Stores the client id that the user got from the issuer of this server's tokens. */
  setClientId: call({ method: 'setClientId', args: [clientIdSchema] }),
};
