import { describe, expect, it } from 'vitest';
import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js';
import { systemClock } from '../../../electron/core/platform/system-clock.ts';
import { createGuardedFetch, isSafeAddress } from '../../../electron/core/sign-in/guarded-fetch.ts';
import { finish, register, type Flow } from '../../../electron/core/sign-in/grants.ts';
import {
  covers,
  describesSignIn,
  discover,
  type SignInPlace,
} from '../../../electron/core/sign-in/metadata.ts';

const server = new URL('https://mcp.example.com/a/mcp');
const ISSUER = 'https://as.example.com/tenant';

const issuer = {
  issuer: ISSUER,
  authorization_endpoint: 'https://as.example.com/authorize',
  token_endpoint: 'https://as.example.com/token',
  registration_endpoint: 'https://as.example.com/register',
  code_challenge_methods_supported: ['S256'],
};
const resource = { resource: server.href, authorization_servers: [ISSUER] };

const json = (body: object, status = 200) =>
  Promise.resolve(
    new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } }),
  );

/** A web in which these addresses answer; each request is noted. */
function web(pages: Readonly<Record<string, object>>) {
  const asked: string[] = [];
  const fetch: FetchLike = (url) => {
    const page = new Map(Object.entries(pages)).get(String(url));
    asked.push(String(url));
    return page === undefined ? Promise.resolve(new Response('', { status: 404 })) : json(page);
  };
  return { asked, fetch };
}

const AT_PATH = 'https://mcp.example.com/.well-known/oauth-protected-resource/a/mcp';
const AT_ROOT = 'https://mcp.example.com/.well-known/oauth-protected-resource';
const OAUTH = 'https://as.example.com/.well-known/oauth-authorization-server/tenant';
const OIDC = 'https://as.example.com/.well-known/openid-configuration/tenant';
const APPENDED = 'https://as.example.com/tenant/.well-known/openid-configuration';

describe('discovery', () => {
  it('asks for the resource by the challenge, else at the path, else at the root', async () => {
    const named = web({ 'https://mcp.example.com/meta': resource, [OAUTH]: issuer });
    await discover(server, { resourceMetadataUrl: 'https://mcp.example.com/meta' }, named.fetch);
    expect(named.asked).toEqual(['https://mcp.example.com/meta', OAUTH]);
    const atRoot = web({ [AT_ROOT]: { ...resource, resource: 'https://mcp.example.com' }, [OAUTH]: issuer });
    await expect(discover(server, {}, atRoot.fetch)).resolves.toMatchObject({
      resource: 'https://mcp.example.com',
    });
    expect(atRoot.asked).toEqual([AT_PATH, AT_ROOT, OAUTH]);
  });

  it('asks for the issuer in three places', async () => {
    const { asked, fetch } = web({ [AT_PATH]: resource, [APPENDED]: issuer });
    await discover(server, {}, fetch);
    expect(asked.slice(1)).toEqual([OAUTH, OIDC, APPENDED]);
  });

  it('takes the origin of a server of 2025-03-26, which names no issuer, for its issuer', async () => {
    const origin = 'https://mcp.example.com';
    const own = { ...issuer, issuer: origin };
    const { asked, fetch } = web({ [`${origin}/.well-known/oauth-authorization-server`]: own });
    await expect(discover(server, {}, fetch)).resolves.toMatchObject({
      resource: server.href,
      issuer: { issuer: origin },
    });
    expect(asked).toEqual([AT_PATH, AT_ROOT, `${origin}/.well-known/oauth-authorization-server`]);
    await expect(describesSignIn(server, fetch)).resolves.toBe(true);
    await expect(describesSignIn(server, web({}).fetch)).resolves.toBe(false);
    const named = { resourceMetadataUrl: `${origin}/meta` };
    await expect(discover(server, named, fetch)).rejects.toMatchObject({ code: 'SIGN_IN_REQUIRED' });
  });

  it('takes the scopes of the challenge, else those of the server, else none', async () => {
    const pages = { [AT_PATH]: { ...resource, scopes_supported: ['a', 'b'] }, [OAUTH]: issuer };
    const scopes = async (challenge: object, given: Record<string, object> = pages) =>
      (await discover(server, challenge, web(given).fetch)).scopes;
    expect(await scopes({ scope: 'x y' })).toEqual(['x', 'y']);
    expect(await scopes({})).toEqual(['a', 'b']);
    expect(await scopes({}, { [AT_PATH]: resource, [OAUTH]: issuer })).toEqual([]);
  });

  /** What the server and its issuer say of themselves, but for these. */
  const saying = (ofIssuer: object, ofServer: object = {}) => ({
    [AT_PATH]: { ...resource, ...ofServer },
    [OAUTH]: { ...issuer, ...ofIssuer },
  });
  it.each<[string, Record<string, object>]>([
    ['another resource', saying({}, { resource: 'https://other.example.com/a/mcp' })],
    ['a resource that only begins alike', saying({}, { resource: 'https://mcp.example.com/a/m' })],
    ['an issuer that calls itself another', saying({ issuer: 'https://as.example.com' })],
    ['an issuer with one more slash', saying({ issuer: `${ISSUER}/` })],
    ['no word of S256', saying({ code_challenge_methods_supported: undefined })],
    ['plain PKCE alone', saying({ code_challenge_methods_supported: ['plain'] })],
    ['a script as the page', saying({ authorization_endpoint: 'javascript:alert(1)' })],
    ['a file as the page', saying({ authorization_endpoint: 'file:///etc/passwd' })],
    ['a plain page elsewhere', saying({ authorization_endpoint: 'http://as.example.com/a' })],
    ['a token endpoint in plain text', saying({ token_endpoint: 'http://as.example.com/t' })],
    ['no resource at all', { [OAUTH]: issuer }],
    ['no issuer at all', { [AT_PATH]: resource }],
  ])('refuses %s', async (_what, pages) => {
    await expect(discover(server, {}, web(pages).fetch)).rejects.toMatchObject({ code: 'SIGN_IN_REQUIRED' });
  });
});

it('a token goes to its resource and below it alone', () => {
  expect(covers('https://a.example/mcp', new URL('https://a.example/mcp'))).toBe(true);
  expect(covers('https://a.example', new URL('https://a.example/mcp'))).toBe(true);
  expect(covers('https://a.example/mcp/', new URL('https://a.example/mcp/x'))).toBe(true);
  for (const other of [
    'https://a.example/mcpx',
    'http://a.example/mcp',
    'https://b.example/mcp',
    'https://a.example/',
  ])
    expect(covers('https://a.example/mcp', new URL(other))).toBe(false);
  expect(covers('nonsense', new URL('https://a.example/mcp'))).toBe(false);
});

it('opens and fetches nothing but https, and http on this machine', () => {
  for (const safe of ['https://a.example/x', 'http://127.0.0.1:9/x', 'http://localhost/x', 'http://[::1]/x'])
    expect(isSafeAddress(safe)).toBe(true);
  for (const unsafe of [
    'http://a.example',
    'javascript:alert(1)',
    'file:///x',
    'data:text/html,x',
    'smb://a/x',
    'https://u:p@a.example',
    '\\\\host\\x',
    'vscode://x',
    '',
  ])
    expect(isSafeAddress(unsafe), unsafe).toBe(false);
});

describe('the fetch for strangers', () => {
  const answered: FetchLike = () => Promise.resolve(new Response('{}'));
  it.each([
    'https://10.0.0.1/x',
    'https://169.254.169.254/x',
    'https://[::ffff:10.0.0.1]/x',
    'https://[fd00::1]/x',
    'https://localhost/x',
    'https://192.168.1.1/x',
  ])('does not go to %s for a server on the net', async (address) => {
    const fetch = createGuardedFetch(answered, systemClock, new URL('https://203.0.113.1/mcp'));
    await expect(fetch(address)).rejects.toMatchObject({ code: 'UNREACHABLE' });
    const within = createGuardedFetch(answered, systemClock, new URL('https://10.1.1.1/mcp'));
    await expect(within(address)).resolves.toMatchObject({ status: 200 });
  });

  it('reads no more than 64 KiB', async () => {
    const long: FetchLike = () => Promise.resolve(new Response('x'.repeat(70_000)));
    const fetch = createGuardedFetch(long, systemClock, new URL('https://203.0.113.1/mcp'));
    await expect(fetch('https://203.0.113.1/x')).rejects.toMatchObject({ code: 'UNREACHABLE' });
  });
});

it('a redirect of what describes a sign-in is not followed, wherever it leads', async () => {
  const asked: string[] = [];
  const redirects: FetchLike = (url, init) => {
    asked.push(String(url));
    expect(init?.redirect).toBe('manual');
    return Promise.resolve(
      new Response(null, { status: 302, headers: { location: 'https://evil.example/' } }),
    );
  };
  const fetch = createGuardedFetch(redirects, systemClock, new URL('https://203.0.113.1/mcp'));
  await expect(discover(new URL('https://203.0.113.1/mcp'), {}, fetch)).rejects.toMatchObject({
    code: 'SIGN_IN_REQUIRED',
  });
  expect(asked.filter((url) => url.includes('evil'))).toEqual([]);
});

describe('the answer of the browser', () => {
  const place: SignInPlace = { resource: server.href, issuer, scopes: [] };
  const flow = (changes: Partial<SignInPlace['issuer']> = {}): Flow => ({
    place: { ...place, issuer: { ...issuer, ...changes } },
    client: { kind: 'client', clientId: 'c', method: 'none' },
    redirectUri: 'http://127.0.0.1:1/callback',
    scopes: [],
    state: 'the-state',
    verifier: 'v'.repeat(43),
  });
  const tokens = { access_token: 't', token_type: 'Bearer' };
  const answer = (query: string) => new URL(`http://127.0.0.1:1/callback?${query}`);
  const said = { authorization_response_iss_parameter_supported: true };
  const ISS = encodeURIComponent(ISSUER);

  it.each([
    ['another issuer', `code=x&state=the-state&iss=${ISS}x`, said],
    ['another issuer where none was announced', 'code=x&state=the-state&iss=https%3A%2F%2Fevil.example', {}],
    ['an issuer with one more slash', `code=x&state=the-state&iss=${ISS}%2F`, said],
    ['no issuer where one was announced', 'code=x&state=the-state', said],
    ['an error of another issuer', 'error=access_denied&state=the-state&iss=https%3A%2F%2Fevil.example', {}],
    ['another state', `code=x&state=other&iss=${ISS}`, said],
    ['a no', `error=access_denied&error_description=Call+0900&state=the-state&iss=${ISS}`, said],
  ])('is refused from %s, and nothing is sent', async (_what, query, changes) => {
    const { asked, fetch } = web({ [issuer.token_endpoint]: tokens });
    const refused = await finish(flow(changes), answer(query), fetch).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 'SIGN_IN_REQUIRED' });
    expect((refused as Error).message).not.toContain('0900');
    expect(asked).toEqual([]);
  });

  it('is exchanged with the resource', async () => {
    const bodies: RequestInit['body'][] = [];
    const fetch: FetchLike = (_url, init) => {
      bodies.push(init?.body);
      return json(tokens);
    };
    await expect(
      finish(flow(said), answer(`code=x&state=the-state&iss=${ISS}`), fetch),
    ).resolves.toMatchObject({ accessToken: 't' });
    expect(new URLSearchParams(bodies[0] as string).get('resource')).toBe(server.href);
  });

  it('registers as a native program with an address on this machine', async () => {
    const bodies: string[] = [];
    const fetch: FetchLike = (_url, init) => {
      bodies.push(init?.body as string);
      return json({ client_id: 'c' }, 201);
    };
    const registered = { clientId: 'c', port: 4711, method: 'none' };
    await expect(register(place, 4711, fetch)).resolves.toMatchObject(registered);
    expect(JSON.parse(bodies[0] ?? '')).toMatchObject({
      application_type: 'native',
      redirect_uris: ['http://127.0.0.1:4711/callback'],
      token_endpoint_auth_method: 'none',
    });
  });

  it('takes a secret of which the issuer does not say when it ends', async () => {
    const answer = { client_id: 'c', client_secret: 's', token_endpoint_auth_method: 'client_secret_post' };
    await expect(register(place, 4711, () => json(answer))).resolves.toMatchObject({
      clientSecret: 's',
      method: 'client_secret_post',
    });
  });
});
