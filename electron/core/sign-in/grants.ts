import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js';
import * as oauth from 'oauth4webapi';
import { PanelError } from '../../../shared/error-codes.ts';
import { messageOf } from '../../../shared/message-of.ts';
import { redirectUriAt } from './callback-listener.ts';
import { isLoopback } from './guarded-fetch.ts';
import type { Registration } from './kept-sign-in.ts';
import { unusable, type SignInPlace } from './metadata.ts';

/** A sign-in in progress, kept only in memory. */
export interface Flow {
  readonly place: SignInPlace;
  readonly client: Registration;
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  /**
   * Random values, each used once, for this sign-in only: `state` identifies it in the callback (RFC 6749 §10.12), `verifier`
   * proves that the same program began it (RFC 7636 §4.1).
   */
  readonly state: string;
  readonly verifier: string;
}

/** Tokens as an issuer returns them. */
export interface Granted {
  readonly accessToken: string;
  readonly expiresInMs: number | undefined;
  readonly refreshToken: string | undefined;
  readonly scopes: readonly string[] | undefined;
  readonly account: string | undefined;
}

/** Registers the panel as a native app (RFC 7591, RFC 8252). @throws PanelError SIGN_IN_REQUIRED */
export async function register(place: SignInPlace, port: number, fetch: FetchLike): Promise<Registration> {
  const { issuer } = place;
  const method = methodOf(issuer);
  const answer = await told(async () =>
    oauth.processDynamicClientRegistrationResponse(
      await completed(
        await oauth.dynamicClientRegistrationRequest(
          issuer,
          {
            client_name: 'MCP Control Panel',
            redirect_uris: [redirectUriAt(port)],
            grant_types: ['authorization_code', 'refresh_token'],
            response_types: ['code'],
            token_endpoint_auth_method: method,
            application_type: 'native',
          },
          optionsFor(issuer.registration_endpoint, fetch),
        ),
      ),
    ),
  );
  const { client_id: clientId, client_secret: clientSecret, token_endpoint_auth_method: given } = answer;
  return {
    kind: 'client',
    clientId,
    port,
    ...(typeof clientSecret === 'string' && { clientSecret }),
    method: typeof given === 'string' ? given : clientSecret === undefined ? 'none' : method,
  };
}

/**
 * Returns the response to a registration in the form that the OAuth library requires: with the expiry of the secret and status
 * 201. Many issuers omit the expiry or answer with 200.
 */
async function completed(response: Response): Promise<Response> {
  if (!response.ok) return response;
  const answer: unknown = await response.json();
  const whole = { client_secret_expires_at: 0, ...(answer as object) };
  return new Response(JSON.stringify(whole), { status: 201, headers: response.headers });
}

/**
 * Returns the method by which the panel authenticates at the token endpoint: `none` if the issuer allows it, because a native
 * app cannot keep a secret.
 */
function methodOf({ token_endpoint_auth_methods_supported: methods }: oauth.AuthorizationServer): string {
  if (methods === undefined) return 'none';
  return ['none', 'client_secret_post', 'client_secret_basic'].find((one) => methods.includes(one)) ?? 'none';
}

/** Returns the method by which the panel authenticates at the token endpoint if the user has entered a client secret. */
export const secretMethodOf = (issuer: oauth.AuthorizationServer): string => {
  const method = methodOf(issuer);
  return method === 'none' ? 'client_secret_post' : method;
};

/** Returns the URL that the user opens in a browser to sign in. */
export async function authorizationUrl({ place, client, redirectUri, scopes, state, verifier }: Flow) {
  const url = new URL(place.issuer.authorization_endpoint!);
  const parameters = {
    response_type: 'code',
    client_id: client.clientId,
    redirect_uri: redirectUri,
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    resource: place.resource,
    ...(scopes.length > 0 && { scope: scopes.join(' ') }),
    // Without `prompt`, an issuer that supports OpenID Connect issues no refresh token (OpenID Connect Core §11).
    ...(scopes.includes('offline_access') && { prompt: 'consent' }),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

/** Exchanges the code in the callback URL for tokens. @throws PanelError SIGN_IN_REQUIRED, UNREACHABLE */
export function finish({ place, client, redirectUri, state, verifier }: Flow, answer: URL, fetch: FetchLike) {
  const { issuer, resource } = place;
  const known: oauth.Client = { client_id: client.clientId };
  return told(async () => {
    // Checks that `state` in the callback is that of this sign-in. Also checks that `iss` is exactly the issuer, if `iss` is
    // present or the issuer's metadata announces it (RFC 9207).
    const parameters = oauth.validateAuthResponse(issuer, known, answer, state);
    const response = await oauth.authorizationCodeGrantRequest(
      issuer,
      known,
      authOf(client),
      parameters,
      redirectUri,
      verifier,
      { ...optionsFor(issuer.token_endpoint, fetch), additionalParameters: { resource } },
    );
    const tokens = await oauth.processAuthorizationCodeResponse(issuer, known, response);
    return granted(tokens, await accountOf(issuer, known, tokens, fetch));
  });
}

/**
 * Gets new tokens in exchange for a refresh token. @throws PanelError SIGN_IN_REQUIRED when the sign-in can no longer be
 * renewed, UNREACHABLE when that cannot be determined
 */
export function renew(
  { issuer, resource }: Pick<SignInPlace, 'issuer' | 'resource'>,
  client: Registration,
  refreshToken: string,
  fetch: FetchLike,
): Promise<Granted> {
  const known: oauth.Client = { client_id: client.clientId };
  return told(async () => {
    const options = { ...optionsFor(issuer.token_endpoint, fetch), additionalParameters: { resource } };
    const response = await oauth.refreshTokenGrantRequest(
      issuer,
      known,
      authOf(client),
      refreshToken,
      options,
    );
    return granted(await oauth.processRefreshTokenResponse(issuer, known, response), undefined);
  });
}

/** Revokes a token if the issuer supports that (RFC 7009). @throws PanelError */
export function revoke(
  issuer: oauth.AuthorizationServer,
  client: Registration,
  token: string,
  fetch: FetchLike,
): Promise<void> {
  if (issuer.revocation_endpoint === undefined) return Promise.resolve();
  const known: oauth.Client = { client_id: client.clientId };
  const options = optionsFor(issuer.revocation_endpoint, fetch);
  return told(async () =>
    oauth.processRevocationResponse(
      await oauth.revocationRequest(issuer, known, authOf(client), token, options),
    ),
  );
}

function authOf({ clientId, clientSecret, method }: Registration): oauth.ClientAuth {
  if (clientSecret === undefined || method === 'none') return oauth.None();
  if (method === 'client_secret_post') return oauth.ClientSecretPost(clientSecret);
  // The header is not built by the library, because the library also encodes hyphens, and issuers compare the text without
  // decoding it.
  const credential = [clientId, clientSecret].map(encodeURIComponent).join(':');
  return (_issuer, _client, _body, headers) =>
    headers.set('authorization', `Basic ${Buffer.from(credential).toString('base64')}`);
}

function optionsFor(endpoint: string | undefined, fetch: FetchLike) {
  const isHere = endpoint !== undefined && isLoopback(new URL(endpoint));
  return {
    [oauth.customFetch]: (
      url: string,
      { body, headers, method }: oauth.CustomFetchOptions<string, string | URLSearchParams | undefined>,
    ) => fetch(url, { method, headers, ...(body !== undefined && { body: body.toString() }) }),
    // Allows the library to use plain http if the endpoint is on this machine. `fetch` itself rejects any other http address.
    [oauth.allowInsecureRequests]: isHere,
  };
}

function granted(tokens: oauth.TokenEndpointResponse, account: string | undefined): Granted {
  if (tokens.token_type !== 'bearer') throw unusable(`its tokens are of the kind "${tokens.token_type}"`);
  return {
    accessToken: tokens.access_token,
    expiresInMs: tokens.expires_in === undefined ? undefined : tokens.expires_in * 1000,
    refreshToken: tokens.refresh_token,
    scopes: tokens.scope?.split(' '),
    account,
  };
}

const MAX_ACCOUNT_LENGTH = 200;

/**
 * Returns the name of the account, from the id token or the issuer's userinfo endpoint; undefined if neither contains it. The
 * access token cannot be used for this, because its content is opaque.
 */
async function accountOf(
  issuer: oauth.AuthorizationServer,
  client: oauth.Client,
  tokens: oauth.TokenEndpointResponse,
  fetch: FetchLike,
): Promise<string | undefined> {
  const claims = oauth.getValidatedIdTokenClaims(tokens);
  const asked = async () => {
    if (issuer.userinfo_endpoint === undefined || claims === undefined) return undefined;
    const options = optionsFor(issuer.userinfo_endpoint, fetch);
    const response = await oauth.userInfoRequest(issuer, client, tokens.access_token, options);
    return oauth.processUserInfoResponse(issuer, client, claims.sub, response);
  };
  const said = { ...claims, ...(await asked().catch(() => undefined)) };
  const name = [said['preferred_username'], said['email'], said['name'], said['sub']].find(
    (one) => typeof one === 'string',
  );
  return typeof name === 'string' ? name.slice(0, MAX_ACCOUNT_LENGTH) : undefined;
}

/** Error codes whose names may be shown (RFC 6749 §4.1.2.1 and §5.2, RFC 7591 §3.2.2). */
const KNOWN_ERRORS = new Set([
  'access_denied',
  'invalid_client',
  'invalid_client_metadata',
  'invalid_grant',
  'invalid_redirect_uri',
  'invalid_request',
  'invalid_scope',
  'server_error',
  'temporarily_unavailable',
  'unauthorized_client',
]);

/**
 * Runs `act`, and converts errors of the OAuth library into errors for the user. Of an issuer's answer, only known error codes
 * are shown, because the issuer is not trusted.
 */
async function told<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof PanelError) throw error;
    if (error instanceof oauth.ResponseBodyError || error instanceof oauth.AuthorizationResponseError) {
      const isOver = !(error instanceof oauth.ResponseBodyError) || error.status < 500;
      const data = { oauthError: KNOWN_ERRORS.has(error.error) ? error.error : 'unknown' };
      if (isOver)
        throw new PanelError('SIGN_IN_REQUIRED', `The sign-in was refused (${data.oauthError}).`, { data });
      throw new PanelError('UNREACHABLE', 'The problem is on the side of the token issuer.', { data });
    }
    const response = error instanceof Error ? error.cause : undefined;
    const status = response instanceof Response ? response.status : undefined;
    if (status !== undefined && status >= 500)
      throw new PanelError('UNREACHABLE', `The issuer of the tokens answered HTTP ${status}.`);
    throw unusable(messageOf(error).slice(0, MAX_ACCOUNT_LENGTH));
  }
}
