import { extractWWWAuthenticateParams } from '@modelcontextprotocol/sdk/client/auth.js';
import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js';

/** Refusal of a request whose token is missing or invalid, or lacks a scope. */
export interface TokenRefusal {
  readonly token: string | undefined;
  readonly status: number;
  readonly resourceMetadataUrl: string | undefined;
  readonly scope: string | undefined;
  readonly isRepeated: boolean;
}

/** Source of the tokens of one server, such as `SignIns`. */
export interface TokenSource {
  /** Returns the token for a request that is about to be sent; undefined without a sign-in. */
  token(): string | undefined | Promise<string | undefined>;
  /**
   * Called after a request was refused.
   * @returns the token with which to repeat the request; undefined if the user has not signed in
   * @throws PanelError SIGN_IN_REQUIRED, UNREACHABLE
   */
  refused(refusal: TokenRefusal): Promise<string | undefined>;
}

/**
 * Returns a `fetch` that adds the current token to each request, so that a new token does not require a new connection. A
 * request that was refused because of its token was not carried out, so it is repeated once. @param origin the only origin to
 * which the token is sent
 */
export function createSignedFetch(fetch: FetchLike, tokens: TokenSource, origin: string): FetchLike {
  return async (url, init) => {
    if (new URL(url).origin !== origin) return fetch(url, init);
    const token = await tokens.token();
    const response = await fetch(url, withToken(init, token));
    const next = await answerTo(response, token, false);
    if (next === undefined) return response;
    void response.body?.cancel().catch(() => undefined);
    const repeated = await fetch(url, withToken(init, next));
    await answerTo(repeated, next, true);
    return repeated;
  };

  async function answerTo(response: Response, token: string | undefined, isRepeated: boolean) {
    const { status } = response;
    if (status !== 401 && status !== 403) return undefined;
    const { resourceMetadataUrl, scope, error } = extractWWWAuthenticateParams(response);
    if (status === 403 && error !== 'insufficient_scope') return undefined;
    const metadata = resourceMetadataUrl?.href;
    return tokens.refused({ token, status, scope, isRepeated, resourceMetadataUrl: metadata });
  }
}

function withToken(init: RequestInit | undefined, token: string | undefined): RequestInit | undefined {
  if (token === undefined) return init;
  const headers = new Headers(init?.headers);
  headers.set('authorization', `Bearer ${token}`);
  return { ...init, headers };
}
