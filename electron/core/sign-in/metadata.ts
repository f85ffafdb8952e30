import { parsedUrl } from '../../../shared/parsed.ts';
import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { AuthorizationServer } from 'oauth4webapi';
import { z } from 'zod';
import { PanelError } from '../../../shared/error-codes.ts';
import { isSafeAddress } from './guarded-fetch.ts';

/** Data from the WWW-Authenticate header with which a server refuses a request (RFC 6750 §3, RFC 9728 §5.1). */
export interface Challenge {
  readonly resourceMetadataUrl?: string | undefined;
  readonly scope?: string | undefined;
}

/** What a sign-in to a server requires: its identifier, its issuer (authorization server) and the scopes to request. */
export interface SignInPlace {
  /** Identifier (URL) by which the server's issuer knows the server. */
  readonly resource: string;
  readonly issuer: AuthorizationServer;
  /** Scopes to request; empty if the server names none. */
  readonly scopes: readonly string[];
}

const resourceSchema = z.object({
  resource: z.string(),
  authorization_servers: z.array(z.string()).min(1),
  scopes_supported: z.array(z.string()).optional(),
});

/**
 * Determines how to sign in to a server, from the metadata of the server and of its issuer (MCP, authorization, discovery).
 * @throws PanelError SIGN_IN_REQUIRED, UNREACHABLE
 */
export async function discover(server: URL, challenge: Challenge, fetch: FetchLike): Promise<SignInPlace> {
  const found = await readResource(server, challenge, fetch);
  const scopes = challenge.scope?.split(' ').filter((scope) => scope !== '') ?? found?.scopes_supported ?? [];
  if (found !== undefined) {
    const issuer = await readIssuer(found.authorization_servers[0]!, fetch);
    return { resource: found.resource, issuer, scopes };
  }
  // A server of protocol version 2025-03-26 does not name an issuer; its own origin is the issuer (MCP 2025-03-26,
  // authorization, 2.3.2).
  const issuer = challenge.resourceMetadataUrl === undefined && (await findIssuer(server.origin, fetch));
  if (!issuer) throw unusable(`${server.origin} does not name its authorization server`);
  return { resource: server.href, issuer, scopes };
}

/** True if a well-known address has the server's sign-in metadata. Used if its refusal mentions no metadata. Never rejects. */
export async function describesSignIn(server: URL, fetch: FetchLike): Promise<boolean> {
  const isDescribed = async () =>
    (await readResource(server, {}, fetch)) !== undefined ||
    (await findIssuer(server.origin, fetch)) !== undefined;
  return isDescribed().catch(() => false);
}

/** Returns the server's metadata about its issuers; undefined if it has none. */
async function readResource(
  server: URL,
  { resourceMetadataUrl }: Challenge,
  fetch: FetchLike,
): Promise<z.infer<typeof resourceSchema> | undefined> {
  const known = '/.well-known/oauth-protected-resource';
  const places =
    resourceMetadataUrl === undefined
      ? [...new Set([`${known}${pathOf(server)}`, known])].map((path) => new URL(path, server).href)
      : [resourceMetadataUrl];
  const found = await firstFound(places, fetch, resourceSchema);
  if (found !== undefined && !covers(found.resource, server))
    throw unusable(`${server.origin} describes the sign-in of another address`);
  return found;
}

/** True if `address` is the resource's URL or below it. */
export function covers(resource: string, address: URL): boolean {
  const url = parsedUrl(resource);
  if (url === undefined) return false;
  const { origin, pathname, search } = url;
  const isSame = pathname === address.pathname && search === address.search;
  const isAbove =
    search === '' && address.pathname.startsWith(pathname.endsWith('/') ? pathname : `${pathname}/`);
  return origin === address.origin && (isSame || isAbove);
}

const issuerSchema = z.looseObject({
  issuer: z.string(),
  authorization_endpoint: z.string(),
  token_endpoint: z.string(),
  code_challenge_methods_supported: z.array(z.string()).optional(),
});

/** Reads the metadata of an issuer. @throws PanelError SIGN_IN_REQUIRED, UNREACHABLE */
export async function readIssuer(issuer: string, fetch: FetchLike): Promise<AuthorizationServer> {
  const found = await findIssuer(issuer, fetch);
  if (found === undefined) throw unusable(`${new URL(issuer).origin} does not describe how to sign in`);
  return found;
}

/** Reads the metadata of an issuer (RFC 8414 §3, OpenID Connect Discovery §4); undefined if there is none. */
async function findIssuer(issuer: string, fetch: FetchLike): Promise<AuthorizationServer | undefined> {
  if (!isSafeAddress(issuer)) throw unusable('the issuer of its tokens is neither https nor on this machine');
  const url = new URL(issuer);
  const path = pathOf(url);
  const places = [
    `/.well-known/oauth-authorization-server${path}`,
    `/.well-known/openid-configuration${path}`,
    `${path}/.well-known/openid-configuration`,
  ].map((place) => new URL(place, url).href);
  const found = await firstFound([...new Set(places)], fetch, issuerSchema);
  if (found === undefined) return undefined;
  // The issuer's name is compared exactly, because a server that claims to be another issuer may pass on codes meant for that
  // one (RFC 8414 §3.3).
  if (found.issuer !== issuer) throw unusable(`${url.origin} answers for another issuer`);
  if (found.code_challenge_methods_supported?.includes('S256') !== true)
    throw unusable(`${url.origin} does not protect the sign-in with PKCE (S256)`);
  if (!isSafeAddress(found.authorization_endpoint) || !isSafeAddress(found.token_endpoint))
    throw unusable(`${url.origin} sends users to an address that is neither https nor on this machine`);
  return found as AuthorizationServer;
}

const pathOf = ({ pathname }: URL): string => (pathname.endsWith('/') ? pathname.slice(0, -1) : pathname);

/**
 * Returns the first valid answer from several addresses; undefined if no address gives one. An invalid answer is treated like a
 * missing one. If there is no valid answer and a request failed, throws the first such error.
 */
async function firstFound<T>(
  places: readonly string[],
  fetch: FetchLike,
  schema: z.ZodType<T>,
): Promise<T | undefined> {
  let problem: Error | undefined;
  for (const place of places) {
    try {
      const response = await fetch(place, { headers: { accept: 'application/json' } });
      const { data } = schema.safeParse(
        response.ok ? await response.json().catch(() => undefined) : undefined,
      );
      if (data !== undefined) return data;
    } catch (error) {
      problem ??= error instanceof Error ? error : undefined;
    }
  }
  if (problem !== undefined) throw problem;
  return undefined;
}

/** The error for a sign-in that must not begin or continue. @param why end of the sentence "The sign-in cannot be used: …" */
export const unusable = (why: string): PanelError =>
  new PanelError('SIGN_IN_REQUIRED', `The sign-in cannot be used: ${why}.`, {
    remedy: 'Report this to the operator of the server. Nothing was sent.',
  });
