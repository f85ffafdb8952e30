import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';
import {
  refuse,
  streamableBackend,
  type Handler,
  type TestServer,
  startServer,
} from '../supervisor/remote/test-server.ts';

export interface OidcIssuer {
  readonly provider: Provider;
  readonly url: string;
  /** Paths that were asked for. */
  readonly asked: string[];
  /** Seconds for which an access token lives. */
  lifetime: number;
  close(): Promise<void>;
}

/** A real issuer (oidc-provider) on loopback, whose resource is the server at `resource`. */
export async function startIssuer(resource: () => string): Promise<OidcIssuer> {
  const http = createServer();
  await new Promise<void>((resolve) => void http.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const asked: string[] = [];
  const issuer: OidcIssuer = {
    get provider() {
      return provider;
    },
    url,
    asked,
    lifetime: 3600,
    close: () =>
      new Promise((resolve) => {
        http.close(() => resolve());
        http.closeAllConnections();
      }),
  };
  const provider = new Provider(url, {
    scopes: ['openid', 'offline_access', 'tools', 'admin'],
    features: {
      devInteractions: { enabled: true },
      registration: { enabled: true },
      revocation: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => resource(),
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({
          scope: 'tools admin',
          audience: resource(),
          accessTokenTTL: issuer.lifetime,
          accessTokenFormat: 'opaque' as const,
        }),
      },
    },
    pkce: { required: () => true },
    rotateRefreshToken: true,
    issueRefreshToken: () => true,
    findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
  });
  const handle = provider.callback();
  http.on('request', (request, response) => {
    asked.push(`${request.method} ${(request.url ?? '').split('?')[0]}`);
    void handle(request, response);
  });
  return issuer;
}

/** MCP server that lets nobody in without a token of the issuer with the scope. */
export async function startSignedServer(issuer: () => OidcIssuer) {
  const backend = streamableBackend();
  const state = { refused: 0 };
  const handler: Handler = async (request, response, body) => {
    const metadata = `${server.url.replace('/mcp', '')}/.well-known/oauth-protected-resource/mcp`;
    if (request.url?.startsWith('/.well-known/oauth-protected-resource'))
      return void response.writeHead(200, { 'content-type': 'application/json' }).end(
        JSON.stringify({
          resource: server.url,
          authorization_servers: [issuer().url],
          scopes_supported: ['openid', 'tools'],
        }),
      );
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1];
    const found = token === undefined ? undefined : await issuer().provider.AccessToken.find(token);
    const wanted = signed.scope(body);
    if (!found) {
      state.refused += 1;
      return refuse(401, { 'www-authenticate': `Bearer resource_metadata="${metadata}"` })(
        request,
        response,
        body,
      );
    }
    if (!found.scope?.split(' ').includes(wanted))
      return refuse(403, {
        'www-authenticate': `Bearer error="insufficient_scope", scope="${wanted}", resource_metadata="${metadata}"`,
      })(request, response, body);
    return backend.handler(request, response, body);
  };
  const server: TestServer = await startServer(handler);
  const signed: TestServer & { readonly state: typeof state; scope: (body: string) => string } = {
    ...{ ...server, state },
    scope: () => 'tools',
  };
  return signed;
}

/** A person at a browser: goes to the address, fills in the forms, and returns the page at the end. */
export async function signInAs(
  name: string,
  address: string,
): Promise<{ readonly url: string; readonly text: string }> {
  const cookies = new Map<string, string>();
  let next: { url: string; init?: RequestInit } = { url: address };
  for (let step = 0; step < 20; step += 1) {
    const headers = { cookie: [...cookies].map(([key, value]) => `${key}=${value}`).join('; ') };
    const response = await fetch(next.url, {
      ...next.init,
      headers: { ...next.init?.headers, ...headers },
      redirect: 'manual',
    });
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      const at = pair.indexOf('=');
      cookies.set(pair.slice(0, at), pair.slice(at + 1));
    }
    const location = response.headers.get('location');
    if (location !== null) {
      next = { url: new URL(location, next.url).href };
      continue;
    }
    const text = await response.text();
    const action = /<form[^>]* action="([^"]+)"/.exec(text)?.[1];
    if (action === undefined) return { url: next.url, text };
    const prompt = /name="prompt" value="([^"]+)"/.exec(text)?.[1] ?? 'login';
    const form = new URLSearchParams({ prompt, ...(prompt === 'login' && { login: name, password: 'x' }) });
    next = {
      url: new URL(action, next.url).href,
      init: {
        method: 'POST',
        body: form.toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      },
    };
  }
  throw new Error('The sign-in does not end.');
}
