import { z } from 'zod';
import { errorReportSchema } from './error-report.ts';

/**
 * Sign-in of a remote server. `needed`: it answers nobody without one. `open`: a browser may be at it, until `until`.
 * `signed-in`: the panel holds a token, which ends at `until`, if that is known. Times in epoch ms.
 */
export const signInViewSchema = z.object({
  state: z.enum(['needed', 'open', 'signed-in']),
  account: z.string().optional(),
  until: z.number().optional(),
  /** Whether the panel renews the token by itself. */
  renews: z.literal(true).optional(),
  /** Who asks for the sign-in: the issuer of the tokens. */
  issuer: z.string().optional(),
  /** Whether the issuer registers no programs, so that a person has to enter a client id. */
  asksClientId: z.literal(true).optional(),
  /** Why the last attempt failed, or why the tokens end with this run of the app. */
  problem: errorReportSchema.optional(),
});
export type SignInView = z.infer<typeof signInViewSchema>;
