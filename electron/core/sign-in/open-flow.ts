import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js';
import { PanelError } from '../../../shared/error-codes.ts';
import type { Clock, Disposable, WallClock } from '../clock.ts';
import { listenForCallback, redirectUriAt } from './callback-listener.ts';
import type { Flow } from './grants.ts';
import { type KeptTokens, loadGrants } from './kept-tokens.ts';
import type { Registration } from './kept-sign-in.ts';
import type { SignInPlace } from './metadata.ts';

/** A sign-in in progress, for which the panel listens on a local port until the browser returns from the issuer. */
export interface OpenFlow extends Flow, Disposable {
  /** URL that the user opens in a browser to sign in. */
  readonly url: string;
  /** Time at which the panel stops waiting for the browser, in epoch milliseconds. */
  readonly expiresAt: number;
}

export interface BeginFlowOptions {
  readonly clock: Clock;
  readonly wallClock: WallClock;
  /** Returns an unguessable text of letters and digits, of at least 43 characters (RFC 7636 §4.1). */
  readonly createVerifier: () => string;
  readonly tokens: Pick<KeptTokens, 'clientAt' | 'putClient'>;
  readonly onAnswer: (answer: URL) => Promise<'done' | 'failed' | 'foreign'>;
  /** Called when the browser did not return in time. */
  readonly onOver: () => void;
}

/** Maximum milliseconds for which the panel waits for the browser to return. */
const FLOW_MS = 10 * 60_000;

/**
 * Begins a sign-in: starts to listen for the browser's return, registers the panel at the issuer if necessary, and creates the
 * address at which the user signs in.
 * @param earlier scopes that the last tokens had
 * @throws PanelError SIGN_IN_REQUIRED, also if the user has to enter a client id (`data.asksClientId`); UNREACHABLE
 */
export async function beginFlow(
  place: SignInPlace,
  earlier: readonly string[],
  fetch: FetchLike,
  { clock, createVerifier, wallClock, tokens, onAnswer, onOver }: BeginFlowOptions,
): Promise<OpenFlow> {
  const kept = tokens.clientAt(place.issuer.issuer);
  const listener = await listenForCallback(kept?.port, onAnswer);
  try {
    const isUsable = kept && (kept.port === undefined || kept.port === listener.port);
    const client = isUsable ? kept : await registerAt(place, listener.port, fetch, tokens);
    const flow = {
      ...{ place, client, scopes: scopesOf(place, earlier) },
      redirectUri: redirectUriAt(listener.port),
      ...{ state: createVerifier(), verifier: createVerifier() },
    };
    const { authorizationUrl } = await loadGrants();
    const url = await authorizationUrl(flow);
    const timer = clock.setTimeout(onOver, FLOW_MS);
    const dispose = () => {
      timer.dispose();
      listener.close();
    };
    return { ...flow, url, dispose, expiresAt: wallClock.epochMs() + FLOW_MS };
  } catch (error) {
    listener.close();
    throw error;
  }
}

/** Registers the panel at the issuer. A client id that cannot be stored is used nevertheless. */
async function registerAt(
  place: SignInPlace,
  port: number,
  fetch: FetchLike,
  tokens: Pick<KeptTokens, 'putClient'>,
): Promise<Registration> {
  const { issuer, registration_endpoint: endpoint } = place.issuer;
  if (endpoint === undefined)
    throw new PanelError('SIGN_IN_REQUIRED', `${issuer} does not register programs automatically.`, {
      data: { asksClientId: true },
      remedy: 'Register MCP Control Panel there by hand, and enter the client id that you get.',
    });
  const { register } = await loadGrants();
  const client = await register(place, port, fetch);
  await tokens.putClient(issuer, client).catch(() => undefined);
  return client;
}

/**
 * Returns the scopes to request: those of the earlier tokens, those that the server names, and `offline_access`, which allows
 * renewal, if the issuer lists it.
 */
function scopesOf({ issuer, scopes }: SignInPlace, earlier: readonly string[]): readonly string[] {
  const isOffline = scopes.length > 0 && issuer.scopes_supported?.includes('offline_access');
  return [...new Set([...earlier, ...scopes, ...(isOffline ? ['offline_access'] : [])])];
}
