/**
 * A sign-in against better-auth, a second issuer that is widely used: its issuer has a path, its tokens are JWTs, its pages are
 * forms of its own. The whole core signs in, calls, renews the token, and signs out.
 */
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openTestPanel } from '../core/panel/open-test-panel.ts';
import { streamableBackend } from '../core/supervisor/remote/test-server.ts';
import { connectClient } from '../fixtures/gateways/connect-client.ts';
import { waitUntil } from '../fixtures/fixture-server.ts';
import { serverAddress } from '../../shared/gateway-use.ts';
import type { ScenarioResult } from './run-suite.ts';

interface BetterAuth {
  readonly handler: (request: Request) => Promise<Response>;
  readonly api: { signUpEmail(account: { body: typeof PERSON }): Promise<unknown> };
}
type Handle = (request: Request, claims: object) => Response | Promise<Response>;
/** What is used of the two packages, which are no dependencies. */
interface Modules {
  readonly betterAuth: (options: object) => BetterAuth;
  readonly mcp: (options: object) => object;
  readonly jwt: () => object;
  readonly memoryAdapter: (tables: object) => object;
  readonly requireMcpAuth: (
    auth: BetterAuth,
    handle: Handle,
    options: object,
  ) => (request: Request) => Promise<Response>;
}

const PERSON = { name: 'Ada', email: 'ada@example.com', password: 'a long password' };
const TABLES =
  'user session account verification jwks oauthClient oauthAccessToken oauthRefreshToken oauthConsent oauthResource ' +
  'oauthClientResource oauthClientAssertion';

/** Signs in to a server whose issuer is better-auth, out of the folder in which it is installed. */
export async function runBetterAuth(folder: string): Promise<ScenarioResult> {
  const server = await startServer(await load(folder));
  const opened = await openTestPanel({ far: { type: 'http', url: server.url } });
  const view = () => opened.panel.getSnapshot().servers.find(({ name }) => name === 'far');
  const until = (describe: string, check: () => boolean) =>
    waitUntil(check, { deadlineMs: 20_000, describe });
  try {
    await opened.panel.secrets.setKey({ kind: 'file' });
    opened.panel.start();
    await until('the gateway', () => !opened.panel.gateway.status().url.endsWith(':0'));
    await until('the question', () => view()?.signIn?.state === 'needed');
    await server.signIn((await opened.panel.signIn.signIn('far')).authorizationUrl);
    await until('the start', () => view()?.state.kind === 'running');
    const { token } = await opened.panel.gateway.createClient({ name: 'editor' });
    const url = serverAddress(opened.panel.gateway.status().url, 'far');
    const { client } = await connectClient({ url, token });
    const call = () => client.callTool({ name: 'echo', arguments: { text: 'hello' } });
    await call();
    const before = server.tokens();
    server.forgetTokens();
    await call();
    if (server.tokens() !== before + 1) throw new Error('The token was not renewed once.');
    await client.close();
    await opened.panel.signIn.signOut('far');
    await until('the sign-out', () => view()?.signIn?.state === 'needed');
    return { outcome: 'passed', remarks: [] };
  } catch (error) {
    return { outcome: 'failed', remarks: [String(error), JSON.stringify(view()?.signIn)] };
  } finally {
    await opened.dispose();
    server.close();
  }
}

async function load(folder: string): Promise<Modules> {
  const { resolve } = createRequire(join(folder, 'package.json'));
  const names = ['better-auth', 'better-auth/plugins', 'better-auth/adapters/memory', '@better-auth/mcp'];
  const parts = await Promise.all(
    names.map((name) => import(pathToFileURL(resolve(name)).href) as Promise<object>),
  );
  return Object.assign({}, ...parts) as Modules;
}

async function startServer({ betterAuth, mcp, jwt, memoryAdapter, requireMcpAuth }: Modules) {
  const backend = streamableBackend();
  const http = createServer();
  await new Promise<void>((resolve) => void http.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const resource = `${origin}/mcp`;
  let tokens = 0;
  const refused = new Set<string>();
  let last = '';
  const auth = betterAuth({
    ...{ baseURL: origin, secret: 'of the tests, and long enough for it', telemetry: { enabled: false } },
    database: memoryAdapter(Object.fromEntries(TABLES.split(' ').map((table) => [table, []]))),
    emailAndPassword: { enabled: true },
    plugins: [
      jwt(),
      mcp({
        ...{ resource, loginPage: '/login', consentPage: '/consent' },
        ...{ allowDynamicClientRegistration: true, allowUnauthenticatedClientRegistration: true },
      }),
    ],
  });
  await auth.api.signUpEmail({ body: PERSON });
  const isLetIn = requireMcpAuth(auth, () => new Response('in'), { resource });
  http.on('request', (request, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const body = Buffer.concat(chunks);
      const asked = new Request(`${origin}${request.url}`, {
        method: request.method ?? 'GET',
        headers: Object.entries(request.headers).map(
          ([name, value]) => [name, String(value)] as [string, string],
        ),
        ...(body.length > 0 && { body }),
      });
      if (request.url?.endsWith('/oauth2/token')) tokens += 1;
      const isMcp = request.url === '/mcp';
      last = isMcp ? (request.headers.authorization ?? '') : last;
      if (isMcp && refused.has(last)) asked.headers.delete('authorization');
      const answer = await (isMcp ? isLetIn(asked) : auth.handler(asked));
      if (isMcp && answer.ok) return backend.handler(request, response, body.toString());
      response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
      return undefined;
    })();
  });
  return {
    url: resource,
    tokens: () => tokens,
    /** From now on the token that was last seen is refused. */
    forgetTokens: () => void refused.add(last),
    close: () => {
      http.close();
      http.closeAllConnections();
    },
    signIn: (address: string) => signInAt(origin, address),
  };
}

/** A person who signs in with a password, agrees, and comes back to the panel. */
async function signInAt(origin: string, address: string): Promise<void> {
  const nextPage = async (answer: Response) =>
    new URL(((await answer.json()) as { url: string }).url, origin);
  const post = (path: string, body: object, cookie = '') =>
    fetch(`${origin}/api/auth/${path}`, {
      method: 'POST',
      headers: { origin, cookie, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const signedIn = await post('sign-in/email', PERSON);
  const cookie = signedIn.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  const { search } = await nextPage(await fetch(address, { headers: { cookie } }));
  const agreed = await post('oauth2/consent', { accept: true, oauth_query: search.slice(1) }, cookie);
  const page = await fetch(await nextPage(agreed));
  if (!page.ok) throw new Error(`The sign-in failed with ${page.status}.`);
}
