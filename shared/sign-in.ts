import { z } from 'zod';
import { errorReportSchema } from './error-report.ts';

/**
 * Sign-in of a remote server. `needed`: the server does not answer without a sign-in. `open`: the sign-in may be in progress in
 * a browser, until `until`. `signed-in`: the panel has a token, which expires at `until`, if that time is known. Times in epoch
 * ms.
 */
export const signInViewSchema = z.object({
  state: z.enum(['needed', 'open', 'signed-in']),
  account: z.string().optional(),
  until: z.number().optional(),
  /** True if the panel renews the token automatically. */
  renews: z.literal(true).optional(),
  /** Issuer of the tokens, which requests the sign-in. */
  issuer: z.string().optional(),
  /** True if the issuer does not register programs, so that the user has to enter a client id. */
  asksClientId: z.literal(true).optional(),
  /** Reason why the last attempt failed, or why the tokens are lost when this app run ends. */
  problem: errorReportSchema.optional(),
});
export type SignInView = z.infer<typeof signInViewSchema>;
