import type { IncomingHttpHeaders } from 'node:http';
import { OWN_RUN_HEADER, type AdmittedRequest, type GatewayClient } from '../types.ts';
import { ALL_SERVERS, isCombined } from '../../../../shared/gateway-use.ts';
import { serverNamePattern } from '../../../../shared/server-names.ts';
import type { RefusalReason, TokenScope } from '../../../../shared/gateway.ts';

export const MAX_BODY_BYTES = 16 * 1024 * 1024;

/** The head of a request. */
export interface RequestHead {
  readonly method: string;
  /** The request target as received. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  /** Header names and values alternating, as received, because `headers` hides duplicates. */
  readonly rawHeaders: readonly string[];
  /** The request's connection. Its last valid token is remembered, so that the token's hash need not be computed again. */
  readonly connection?: object;
}

export interface GuardRules {
  /** Allowed values of `Host`, in lower case. */
  readonly hosts: ReadonlySet<string>;
  readonly clients: TokenReader;
  /** Returns whether the gateway serves this page. */
  readonly hasPage: (page: 'metrics' | 'healthz') => boolean;
}

/** Finds the client to which a token belongs. */
export interface TokenReader {
  authenticate(token: string, connection?: object): GatewayClient | undefined;
  /**
   * Counts a refused request if its token was renewed or revoked since it was issued. Returns the name of the client that had
   * the token; undefined if no client had it.
   */
  refuseFormer?(token: string): string | undefined;
}

/** The decision about a request. */
export type Admission =
  | Refused
  | {
      readonly kind: 'mcp';
      readonly method: 'POST' | 'GET' | 'DELETE';
      readonly request: AdmittedRequest;
    }
  | {
      readonly kind: 'page';
      readonly page: 'metrics' | 'healthz';
      /** The client that reads the page; undefined for a public page. */
      readonly client?: GatewayClient;
    };

/** Returns the client of an admitted request; undefined if the request needs no client. */
export function senderOf(verdict: Admission): GatewayClient | undefined {
  if (verdict.kind === 'mcp') return verdict.request.client;
  return verdict.kind === 'page' ? verdict.client : undefined;
}

const SINGLE = ['host', 'origin', 'authorization', 'content-type', 'mcp-session-id', 'mcp-protocol-version'];
const ORIGIN_SCHEME = 'http://';
const BEARER = 'Bearer ';
const ANSWER_TYPES =
  /(?:^|,)[ \t]*(?:application\/json|text\/event-stream|application\/\*|text\/\*|\*\/\*)[ \t]*(?:[,;]|$)/i;
const CONTENT_TYPE = /^application\/json *(?:; *charset="?utf-8"? *)?$/i;

/** Returns the `Host` values that a listener on this port accepts. */
export function hostsOf(port: number): ReadonlySet<string> {
  return new Set(['127.0.0.1', 'localhost', '[::1]'].map((host) => `${host}:${port}`));
}

/**
 * Decides about a request, using only its head. `Host` and `Origin` are checked first, for every path and method. Otherwise a
 * web page that uses DNS rebinding, that is, lets its own host name point to this machine, could learn something about the
 * panel. The function keeps nothing of the request, and has no side effects except in `clients`.
 */
export function admit(head: RequestHead, rules: GuardRules): Admission {
  return foreignSender(head, rules) ?? byRoute(routeOf(head.target), head, rules);
}

function foreignSender({ headers, rawHeaders }: RequestHead, { hosts }: GuardRules): Refused | undefined {
  const { host, origin } = headers;
  if (host === undefined || !hosts.has(host.toLowerCase()))
    return refused(403, 'host', 'Host: expected 127.0.0.1 or localhost with the port of the panel');
  if (origin !== undefined && !isOwnOrigin(origin, hosts))
    return refused(403, 'origin', 'Origin: expected none, because no web page may use this endpoint');
  const twice = twiceIn(rawHeaders);
  if (twice === undefined) return undefined;
  return refused(400, 'malformed', `${twice}: expected once, found it several times`);
}

function isOwnOrigin(origin: string, hosts: ReadonlySet<string>): boolean {
  return origin.startsWith(ORIGIN_SCHEME) && hosts.has(origin.slice(ORIGIN_SCHEME.length).toLowerCase());
}

function twiceIn(rawHeaders: readonly string[]): string | undefined {
  let found = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? '').toLowerCase();
    const place = SINGLE.indexOf(name);
    if (place === -1) continue;
    if (found & (1 << place)) return name;
    found |= 1 << place;
  }
  return undefined;
}

function byRoute(route: RequestRoute, head: RequestHead, rules: GuardRules): Admission {
  switch (route.kind) {
    case 'odd':
      return refused(400, 'path', 'path: expected /servers/<name>/mcp, found one with odd parts');
    case 'none':
      return notFound();
    case 'page':
      return judgePage(route.page, head, rules);
    case 'mcp':
      return judgeMcp(route.server, head, rules);
  }
}

/** Returns 404 for unknown paths: clients probe for authorization-server metadata and take any other answer as metadata. */
function notFound(): Refused {
  return { kind: 'refused', status: 404, reason: undefined, body: { error: 'not_found' } };
}

function judgePage(page: 'metrics' | 'healthz', head: RequestHead, rules: GuardRules): Admission {
  if (!rules.hasPage(page)) return notFound();
  if (head.method !== 'GET') return wrongMethod('GET');
  if (page === 'healthz') return { kind: 'page', page };
  const client = clientOf(head, rules, 'metrics');
  return 'kind' in client ? client : { kind: 'page', page, client };
}

function judgeMcp(server: string, head: RequestHead, rules: GuardRules): Admission {
  const { method, headers } = head;
  if (method !== 'POST' && method !== 'GET' && method !== 'DELETE') return wrongMethod('POST, GET, DELETE');
  const client = clientOf(head, rules, 'mcp');
  if ('kind' in client) return client;
  if (client.servers && !isCombined(server) && !client.servers.includes(server))
    return refused(403, 'scope', 'This client may not use this server: allow it under Clients in the panel.');
  const unusable = method === 'POST' ? unusablePost(headers) : undefined;
  if (unusable) return unusable;
  const sessionId = oneOf(headers['mcp-session-id']);
  const protocolVersion = oneOf(headers['mcp-protocol-version']);
  const ownRun = oneOf(headers[OWN_RUN_HEADER]);
  const request = { client, server, sessionId, protocolVersion, ...(ownRun !== undefined && { ownRun }) };
  return { kind: 'mcp', method, request };
}

/** Refuses a client that accepts neither JSON nor an event stream (no `Accept` means both), and a body in an unsupported form. */
function unusablePost(headers: IncomingHttpHeaders): Refused | undefined {
  const { accept = '', 'content-encoding': encoding = 'identity' } = headers;
  if (accept.trim() !== '' && !ANSWER_TYPES.test(accept))
    return refused(406, 'malformed', 'Accept: expected application/json or text/event-stream');
  if (!CONTENT_TYPE.test(headers['content-type'] ?? '') || encoding !== 'identity')
    return refused(415, 'content-type', 'content-type: expected application/json in UTF-8, not encoded');
  return Number(headers['content-length'] ?? 0) > MAX_BODY_BYTES ? bodyTooLarge() : undefined;
}

export function bodyTooLarge(): Refused {
  return refused(413, 'too-large', `body: expected at most ${MAX_BODY_BYTES} bytes, found more`);
}

/**
 * Returns the client that has the bearer token. Returns a refusal if no client has it, or if its client does not have the given
 * scope. The scheme must be spelled `Bearer`. A token in the query is ignored.
 */
function clientOf(
  { headers: { authorization }, connection }: RequestHead,
  { clients }: GuardRules,
  scope: TokenScope,
): GatewayClient | Refused {
  const token = authorization?.startsWith(BEARER) ? authorization.slice(BEARER.length) : undefined;
  const client = token === undefined ? undefined : clients.authenticate(token, connection);
  if (client?.scopes.includes(scope)) return client;
  if (client) return refused(403, 'scope', `The token is not for this: expected the scope ${scope}.`);
  const clientName = token === undefined ? undefined : clients.refuseFormer?.(token);
  const words =
    'Authorization: expected "Bearer" and a token of this panel: copy one under Clients in its window.';
  const refusal = refused(401, 'token', words, { headers: { 'WWW-Authenticate': 'Bearer' } });
  return { ...refusal, ...(clientName !== undefined && { clientName }) };
}

function wrongMethod(allowed: string): Refused {
  return refused(405, 'method', `method: expected ${allowed}`, { headers: { Allow: allowed } });
}

function oneOf(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}

/** What a request is for, as determined by its path. */
type RequestRoute =
  | { readonly kind: 'mcp'; readonly server: string }
  | { readonly kind: 'page'; readonly page: 'metrics' | 'healthz' }
  /** A path that is not known. */
  | { readonly kind: 'none' }
  /** Two programs might interpret this path differently, so it is refused. */
  | { readonly kind: 'odd' };

const LONGEST_PATH = 1024;
const VISIBLE_ASCII = /^[!-~]*$/;
/** Encoded dots, slashes, backslashes, percent signs and NUL: no honest client sends them. */
const TRICKS = /%(?:2e|2f|5c|25|00)/i;
/** Matches a path with a segment that is empty, `.` or `..`. */
const ODD_SEGMENT = /\/\.{0,2}(?:\/|$)/;

/**
 * Determines what the target of a request refers to. To avoid that two spellings are treated as one path, the path is not
 * normalized. Only the name of a server is percent-decoded, and only once. The query is ignored. No side effects; never throws.
 */
export function routeOf(target: string): RequestRoute {
  const query = target.indexOf('?');
  const path = query === -1 ? target : target.slice(0, query);
  if (isOdd(path)) return { kind: 'odd' };
  const [, first, second, third, ...rest] = path.split('/');
  if (second === undefined && (first === 'metrics' || first === 'healthz'))
    return { kind: 'page', page: first };
  if (second === undefined && first === 'mcp') return { kind: 'mcp', server: ALL_SERVERS };
  const isSet = first === 'sets';
  if ((first !== 'servers' && !isSet) || third !== 'mcp' || rest.length > 0) return { kind: 'none' };
  const name = decoded(second);
  if (name === undefined || !serverNamePattern.test(name)) return { kind: 'none' };
  return { kind: 'mcp', server: isSet ? ALL_SERVERS + name : name };
}

/** True for an absolute form or `*`, empty segments, dots, backslashes, a fragment, and characters that no client sends unencoded. */
function isOdd(path: string): boolean {
  if (!path.startsWith('/') || path.length > LONGEST_PATH || !VISIBLE_ASCII.test(path)) return true;
  if (TRICKS.test(path) || path.includes('\\') || path.includes('#')) return true;
  return path !== '/' && ODD_SEGMENT.test(path);
}

function decoded(segment = ''): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined; // The segment has a percent sign without two hexadecimal digits, or is not valid UTF-8.
  }
}

/** The answer to a refused request. */
export interface Refused {
  readonly kind: 'refused';
  readonly status: number;
  /** Reason reported to the user; undefined, and not reported, for a refusal that every client meets in normal operation. */
  readonly reason: RefusalReason | undefined;
  /** The JSON body. It contains no text of the request. */
  readonly body: object;
  readonly headers?: Readonly<Record<string, string>>;
  /** Name of the client that had the token of the request earlier; undefined if no client had it. */
  readonly clientName?: string;
}

/** Error code from the range that JSON-RPC leaves to implementations. */
const REFUSED = -32_000;

/** Builds a refusal as a JSON-RPC error without a request id. @param message what was expected, what was found, what to do */
export function refused(
  status: number,
  reason: RefusalReason,
  message: string,
  { code = REFUSED, headers }: { code?: number } & Pick<Refused, 'headers'> = {},
): Refused {
  const body = { jsonrpc: '2.0', id: null, error: { code, message } };
  return { kind: 'refused', status, reason, body, ...(headers && { headers }) };
}
