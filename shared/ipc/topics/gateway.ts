import { z } from 'zod';
import {
  clientToolsSchema,
  clientViewSchema,
  gatewayStatusSchema,
  serverSetSchema,
  tokenScopes,
  toolsOfServerSchema,
} from '../../gateway.ts';
import { serverNameSchema } from '../../server-config.ts';
import { call } from '../call.ts';

const clientIdSchema = z.string().min(1).max(200);
const named = [clientIdSchema] as const;

/** Data of a new client, as the user enters it. */
const newClientSchema = z.object({
  name: z.string().trim().min(1).max(64),
  /** Servers that the client may use. If undefined, the client may use all servers, including those that are added later. */
  servers: z.array(serverNameSchema).min(1).max(1000).optional(),
  /** Scopes of the client's token, without duplicates; `mcp` if undefined. */
  scopes: z
    .array(z.enum(tokenScopes))
    .min(1)
    .refine((scopes) => new Set(scopes).size === scopes.length, 'expected each of them once')
    .optional(),
});
export type NewClient = z.infer<typeof newClientSchema>;

/** Servers that a client may use from now on; `servers` as in `newClientSchema`. */
const clientChangeSchema = newClientSchema.pick({ servers: true }).extend({ id: clientIdSchema });

/** Tools of a server that are hidden from a client from now on. All other tools are shown. */
const toolSwitchesSchema = z.object({
  client: clientIdSchema,
  server: serverNameSchema,
  hidden: z.array(z.string().min(1).max(1000)).max(10_000),
});

const newSetSchema = serverSetSchema.extend({
  /** By server name, the only tools of the server that the set shows. As in `serverSetSchema`, an unlisted server shows all. */
  tools: z.record(serverNameSchema, toolsOfServerSchema.shape.tools).optional(),
});

/** Calls about the local endpoint for other clients, and about those clients. */
export const gatewayCalls = {
  /** Address at which the gateway listens, or the reason why it does not listen. */
  getGateway: call({ method: 'status', result: gatewayStatusSchema }),
  /** Creates a client. Resolves when the client is on disk. Only the result of this call contains the token. */
  createClient: call({
    method: 'createClient',
    args: [newClientSchema],
    result: z.object({ id: z.string(), token: z.string() }),
  }),
  /** Clients that have a token, in the order of creation. */
  listClients: call({ method: 'listClients', result: z.array(clientViewSchema) }),
  /** Refuses the client's token from now on, and ends the client's sessions. No effect if there is no such client. */
  revokeClient: call({ method: 'revokeClient', args: named }),
  /** Changes which servers the client may use. The client keeps its token, but its sessions start again. */
  changeClient: call({ method: 'changeClient', args: [clientChangeSchema] }),
  /** What the client sees of each server that it may use, by the server's latest list of tools. Hidden tools are marked. */
  getClientTools: call({ method: 'clientTools', args: named, result: z.array(clientToolsSchema) }),
  /** Hides tools of a server from the client. The client's token and sessions stay valid. */
  setTools: call({ method: 'setTools', args: [toolSwitchesSchema] }),
  getSets: call({ method: 'sets', result: z.array(serverSetSchema) }),
  /** Adds a set of servers, or replaces the set of the same name. A set without servers is removed. */
  putSet: call({ method: 'putSet', args: [newSetSchema] }),
  /** Replaces the client's token. The old token is refused from now on. */
  renewClient: call({ method: 'renewClient', args: named, result: z.object({ token: z.string() }) }),
};
