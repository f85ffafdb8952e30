import { z } from 'zod';
import { clientViewSchema, gatewayStatusSchema, tokenScopes } from '../../gateway.ts';
import { serverNameSchema } from '../../server-config.ts';
import { call } from '../call.ts';

const clientIdSchema = z.string().min(1).max(200);
const named = z.tuple([clientIdSchema]);

/** Data of a new client, from the user. */
export const newClientSchema = z.object({
  name: z.string().trim().min(1).max(64),
  /** Servers it may use; if undefined all, also those that are added later. */
  servers: z.array(serverNameSchema).min(1).max(1000).optional(),
  /** Scopes of its token, each once; `mcp` if undefined. */
  scopes: z
    .array(z.enum(tokenScopes))
    .min(1)
    .refine((scopes) => new Set(scopes).size === scopes.length, 'expected each of them once')
    .optional(),
});
export type NewClient = z.infer<typeof newClientSchema>;

/** What a client may use from now on: as in `newClientSchema`. */
const clientChangeSchema = newClientSchema.pick({ servers: true }).extend({ id: clientIdSchema });
export type ClientChange = z.infer<typeof clientChangeSchema>;

/** Calls about the local endpoint for other clients, and about those clients. */
export const gatewayCalls = {
  /** Address at which it listens, or the reason why it does not. */
  getGateway: call({ method: 'status', args: z.tuple([]), result: gatewayStatusSchema }),
  /** Creates a client. Resolves when it is written. Only this result contains the token. */
  createClient: call({
    method: 'createClient',
    args: z.tuple([newClientSchema]),
    result: z.object({ id: z.string(), token: z.string() }),
    texts: 'raw',
  }),
  /** Clients that have a token, in the order of creation. */
  listClients: call({ method: 'listClients', args: z.tuple([]), result: z.array(clientViewSchema) }),
  /** Refuses its token from now on, and ends its sessions. No effect if there is no such client. */
  revokeClient: call({ method: 'revokeClient', args: named }),
  /** Changes which servers it may use; its token stays, and its sessions begin anew. */
  changeClient: call({ method: 'changeClient', args: z.tuple([clientChangeSchema]) }),
  /** Replaces the token; the old one is refused from now on. */
  renewClient: call({
    method: 'renewClient',
    args: named,
    result: z.object({ token: z.string() }),
    texts: 'raw',
  }),
};
