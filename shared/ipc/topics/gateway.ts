import { z } from 'zod';
import { clientViewSchema, gatewayStatusSchema, tokenScopes } from '../../gateway.ts';
import { serverNameSchema } from '../../server-config.ts';
import { call } from '../call.ts';

const clientIdSchema = z.string().min(1).max(200);
const named = z.tuple([clientIdSchema]);

/** What a person makes a client of. */
export const newClientSchema = z.object({
  name: z.string().trim().min(1).max(64),
  /** The only servers it may use; all without it, also those that are added later. */
  servers: z.array(serverNameSchema).min(1).max(1000).optional(),
  /** What its token may be used for, each once; `mcp` without it. */
  scopes: z
    .array(z.enum(tokenScopes))
    .min(1)
    .refine((scopes) => new Set(scopes).size === scopes.length, 'expected each of them once')
    .optional(),
});
export type NewClient = z.infer<typeof newClientSchema>;

/** The local endpoint through which other clients use the servers, and those clients. */
export const gatewayCalls = {
  /** Where it listens, or why it does not. */
  getGateway: call({ method: 'status', args: z.tuple([]), result: gatewayStatusSchema }),
  /** Resolves when written. The token is told this once. */
  createClient: call({
    method: 'createClient',
    args: z.tuple([newClientSchema]),
    result: z.object({ id: z.string(), token: z.string() }),
    texts: 'raw',
  }),
  /** Every client that has a token, in the order in which they were made. */
  listClients: call({ method: 'listClients', args: z.tuple([]), result: z.array(clientViewSchema) }),
  /** Its token is refused from now on, and its sessions end. Nothing happens when there is no such client. */
  revokeClient: call({ method: 'revokeClient', args: named }),
  /** A new token in place of the old one, which is refused from now on. */
  renewClient: call({
    method: 'renewClient',
    args: named,
    result: z.object({ token: z.string() }),
    texts: 'raw',
  }),
};
