import { z } from 'zod';

/** Tokens of one sign-in, as stored in the encrypted store of secrets. Times are in epoch milliseconds. */
const signInSchema = z.object({
  kind: z.literal('sign-in'),
  /** Identifier of the server at its issuer (RFC 8707). The token is sent only to this address and to addresses below it. */
  resource: z.string(),
  issuer: z.string(),
  account: z.string().optional(),
  /** Scopes that the issuer granted, or those that were requested if it did not name any. */
  scopes: z.array(z.string()),
  accessToken: z.string(),
  expiresAt: z.number().optional(),
  refreshToken: z.string().optional(),
  grantedAt: z.number(),
});
export type SignIn = z.infer<typeof signInSchema>;

/** Client id of the panel at an issuer, either registered by the panel or entered by the user. */
const registrationSchema = z.object({
  kind: z.literal('client'),
  clientId: z.string(),
  clientSecret: z.string().optional(),
  /** Authentication method of the client at the token endpoint (RFC 7591 §2). */
  method: z.string(),
  /** Port of the redirect URI that was registered; undefined for a client id that the user entered. */
  port: z.number().optional(),
});
export type Registration = z.infer<typeof registrationSchema>;

export const signInIn = (kept: unknown): SignIn | undefined => signInSchema.safeParse(kept).data;
export const registrationIn = (kept: unknown): Registration | undefined =>
  registrationSchema.safeParse(kept).data;

/** Keys of client ids and sign-ins in the store. The two kinds have different prefixes, so they never collide. */
export const keyOfClient = (issuer: string): string => `client ${issuer}`;
export const keyOfSignIn = (id: string): string => `sign-in ${id}`;
