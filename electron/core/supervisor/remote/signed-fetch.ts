import { extractWWWAuthenticateParams } from '@modelcontextprotocol/sdk/client/auth.js';
import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js';

/** Refusal of a request for want of a token, or of a scope. */
export interface TokenRefusal {
  readonly token: string | undefined;
  readonly status: number;
  readonly resourceMetadataUrl: string | undefined;
  readonly scope: string | undefined;
  readonly isRepeated: boolean;
}

/** Source of the tokens of one server, such as `SignIns`. */
export interface TokenSource {
  /** Token for a request that is about to be sent; undefined without a sign-in. */
  token(): string | undefined | Promise<string | undefined>;
  /** @returns the token to repeat with; undefined without sign-ins @throws PanelError SIGN_IN_REQUIRED, UNREACHABLE */
  refused(refusal: TokenRefusal): Promise<string | undefined>;
}

/**
 * Adds the token of the moment to each request, so that a new one needs no new connection. A request that was refused was not
 * carried out, so it is repeated, once. @param origin only address that gets the token
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
