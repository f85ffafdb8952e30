import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { expect, it, onTestFinished } from 'vitest';
import { connectClient } from '../../fixtures/gateways/connect-client.ts';
import { serverAddress } from '../../../shared/gateway-use.ts';
import { waitUntil } from '../../fixtures/fixture-server.ts';
import { createPanel } from '../../../electron/core/panel/control-panel.ts';
import { openTestPanel, panelOptions, type TestPanel } from '../panel/open-test-panel.ts';
import { signInAs, startIssuer, startSignedServer, type OidcIssuer } from './oidc-issuer.ts';

const viewOf = ({ panel }: TestPanel, name = 'far') =>
  panel.getSnapshot().servers.find((server) => server.name === name);
const until = (describe: string, check: () => boolean) => waitUntil(check, { deadlineMs: 20_000, describe });

async function open(lifetime = 3600) {
  const issuer: OidcIssuer = await startIssuer(() => server.url);
  onTestFinished(() => issuer.close());
  issuer.lifetime = lifetime;
  let current = issuer;
  const server = await startSignedServer(() => current);
  onTestFinished(() => server.close());
  const opened = await openTestPanel({ far: { type: 'http', url: server.url } });
  onTestFinished(() => opened.dispose());
  await opened.panel.secrets.setKey({ kind: 'file' });
  opened.panel.start();
  await until('the gateway', () => !opened.panel.gateway.status().url.endsWith(':0'));
  await until('the sign-in', () => viewOf(opened)?.signIn?.state === 'needed');
  const moveTo = (next: OidcIssuer) => void (current = next);
  return { ...opened, issuer, server, moveTo };
}

async function connect({ panel }: TestPanel): Promise<Client> {
  const { token } = await panel.gateway.createClient({ name: 'editor' });
  const url = serverAddress(panel.gateway.status().url, 'far');
  const { client } = await connectClient({ url, token });
  onTestFinished(() => client.close().catch(() => undefined));
  return client;
}

it('a person signs in, the server starts by itself, says who and until when, and asks again after the sign-out', async () => {
  const opened = await open();
  const { panel, issuer } = opened;
  expect(viewOf(opened)).toMatchObject({
    state: { kind: 'failed' },
    lastError: { code: 'SIGN_IN_REQUIRED', remedy: 'Sign in to "far" in MCP Control Panel.' },
  });
  const { authorizationUrl } = await panel.signIn.signIn('far');
  expect(viewOf(opened)?.signIn).toMatchObject({ state: 'open', issuer: issuer.url });
  expect(new URL(authorizationUrl).searchParams.get('code_challenge_method')).toBe('S256');
  const page = await signInAs('ada', authorizationUrl);
  expect(page.text).toContain('You are signed in.');
  await until('the server', () => viewOf(opened)?.state.kind === 'running');
  expect(viewOf(opened)?.signIn).toMatchObject({ state: 'signed-in', account: 'ada', renews: true });

  await panel.signIn.signOut('far');
  expect(issuer.asked).toContain('POST /token/revocation');
  await panel.servers.restart('far').catch(() => undefined);
  await until('the question', () => viewOf(opened)?.signIn?.state === 'needed');
});

async function signedIn(lifetime?: number) {
  const opened = await open(lifetime);
  await signInAs('ada', (await opened.panel.signIn.signIn('far')).authorizationUrl);
  await until('the server', () => viewOf(opened)?.state.kind === 'running');
  return opened;
}

it('a client hears at once that a person has to sign in, and goes on in its session when that is done', async () => {
  const opened = await signedIn();
  const { panel, server, issuer } = opened;
  const client = await connect(opened);
  const call = () => client.callTool({ name: 'echo', arguments: { text: 'hello' } });
  await expect(call()).resolves.toMatchObject({ content: [{ text: 'hello' }] });
  await panel.signIn.signOut('far');
  const required = {
    data: { code: 'SIGN_IN_REQUIRED', server: 'far', remedy: 'Sign in to "far" in MCP Control Panel.' },
  };
  await expect(call()).rejects.toMatchObject(required);
  await until('the end of the session', () => viewOf(opened)?.state.kind === 'failed');
  await expect(call()).rejects.toMatchObject(required);

  await signInAs('bob', (await panel.signIn.signIn('far')).authorizationUrl);
  await until('the server', () => viewOf(opened)?.state.kind === 'running');
  await expect(call()).resolves.toMatchObject({ content: [{ text: 'hello' }] });
  expect(viewOf(opened)?.signIn).toMatchObject({ state: 'signed-in', account: 'bob' });
  expect(server.state.refused).toBeGreaterThan(0);
  expect(issuer.asked.filter((path) => path === 'POST /reg')).toHaveLength(1);
});

it('fifty callers at an expiry cost one renewal and get fifty answers', async () => {
  const opened = await signedIn();
  const { issuer, server } = opened;
  const client = await connect(opened);
  for (const { headers } of server.seen.slice(-1)) {
    const token = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1] ?? '';
    await (await issuer.provider.AccessToken.find(token))?.destroy();
  }
  const before = issuer.asked.filter((path) => path === 'POST /token').length;
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      client.callTool({ name: 'echo', arguments: { text: `${index}` } }),
    ),
  );
  expect(answers.map(({ content }) => (content as { text: string }[])[0]?.text)).toEqual(
    Array.from({ length: 50 }, (_, index) => `${index}`),
  );
  expect(issuer.asked.filter((path) => path === 'POST /token').length - before).toBe(1);
});

it('a token that is about to end is renewed before, and the new one is kept before it is used', async () => {
  const opened = await signedIn(2);
  const { issuer } = opened;
  const client = await connect(opened);
  const tokens = () => issuer.asked.filter((path) => path === 'POST /token').length;
  await until('renewals', () => {
    void client.callTool({ name: 'echo', arguments: { text: 'x' } }).catch(() => undefined);
    return tokens() >= 4;
  });
  expect(viewOf(opened)?.signIn?.state).toBe('signed-in');
});

it('two windows open one page, and its answer counts once', async () => {
  const opened = await open();
  const { panel } = opened;
  const [one, two] = await Promise.all([panel.signIn.signIn('far'), panel.signIn.signIn('far')]);
  expect(two).toEqual(one);
  const { url } = await signInAs('ada', one.authorizationUrl);
  await until('the server', () => viewOf(opened)?.state.kind === 'running');
  await expect(fetch(url)).rejects.toThrow();
});

it('an answer of another sign-in is refused and ends nothing', async () => {
  const opened = await open();
  const { authorizationUrl } = await opened.panel.signIn.signIn('far');
  const callback = new URL(new URL(authorizationUrl).searchParams.get('redirect_uri') ?? '');
  callback.search = '?code=x&state=someone-else';
  expect((await fetch(callback)).status).toBe(400);
  expect((await fetch(new URL('/other', callback))).status).toBe(404);
  expect(viewOf(opened)?.signIn?.state).toBe('open');
  await signInAs('ada', authorizationUrl);
  await until('the server', () => viewOf(opened)?.state.kind === 'running');
});

it('a scope that a call lacks is asked for beside the earlier ones', async () => {
  const opened = await signedIn();
  const { panel, server } = opened;
  server.scope = (body) => (body.includes('tools/call') ? 'admin' : 'tools');
  const client = await connect(opened);
  const call = () => client.callTool({ name: 'echo', arguments: { text: 'hello' } });
  await expect(call()).rejects.toMatchObject({ data: { code: 'SIGN_IN_REQUIRED' } });
  const { authorizationUrl } = await panel.signIn.signIn('far');
  expect(new URL(authorizationUrl).searchParams.get('scope')?.split(' ')).toEqual(
    expect.arrayContaining(['tools', 'admin']),
  );
  await signInAs('ada', authorizationUrl);
  await until('the sign-in', () => viewOf(opened)?.signIn?.state === 'signed-in');
  await until('the server', () => viewOf(opened)?.state.kind === 'running');
  await expect(call()).resolves.toMatchObject({ content: [{ text: 'hello' }] });
});

it('entries of one address have a sign-in each, and share it where they name the same account', async () => {
  const issuer: OidcIssuer = await startIssuer(() => server.url);
  onTestFinished(() => issuer.close());
  const server = await startSignedServer(() => issuer);
  onTestFinished(() => server.close());
  const entry = (account: string) => ({ type: 'http', url: server.url, panel: { account } });
  const opened = await openTestPanel({ one: entry('work'), two: entry('work'), three: entry('home') });
  onTestFinished(() => opened.dispose());
  await opened.panel.secrets.setKey({ kind: 'file' });
  opened.panel.start();
  const names = ['one', 'two', 'three'];
  const stateOf = (name: string) => viewOf(opened, name)?.signIn?.state;
  await until('the questions', () => names.every((name) => stateOf(name) === 'needed'));
  await signInAs('ada', (await opened.panel.signIn.signIn('one')).authorizationUrl);
  await until('both servers', () =>
    ['one', 'two'].every((name) => viewOf(opened, name)?.state.kind === 'running'),
  );
  expect(names.map(stateOf)).toEqual(['signed-in', 'signed-in', 'needed']);
  await signInAs('bob', (await opened.panel.signIn.signIn('three')).authorizationUrl);
  await until('the third', () => viewOf(opened, 'three')?.state.kind === 'running');
  expect(names.map((name) => viewOf(opened, name)?.signIn)).toMatchObject(
    ['ada', 'ada', 'bob'].map((account) => ({ account })),
  );
});

it('a server that moves to another issuer has the panel register anew there, and the old one hears nothing of it', async () => {
  const opened = await signedIn();
  const { panel, issuer, server } = opened;
  const client = await connect(opened);
  const other = await startIssuer(() => server.url);
  onTestFinished(() => other.close());
  const clientIdOf = (address: string) => new URL(address).searchParams.get('client_id');
  opened.moveTo(other);
  await expect(client.callTool({ name: 'echo', arguments: {} })).rejects.toMatchObject({
    data: { code: 'SIGN_IN_REQUIRED' },
  });
  const { authorizationUrl } = await panel.signIn.signIn('far');
  expect(authorizationUrl.startsWith(other.url)).toBe(true);
  await expect(issuer.provider.Client.find(clientIdOf(authorizationUrl) ?? '')).resolves.toBeUndefined();
  await signInAs('ada', authorizationUrl);
  await until('the server', () => viewOf(opened)?.state.kind === 'running');
  expect(other.asked.filter((path) => path === 'POST /reg')).toHaveLength(1);
});

it('a panel that ends in the midst of a sign-in asks anew, and one that ends later still has the tokens', async () => {
  const opened = await open();
  const { authorizationUrl } = await opened.panel.signIn.signIn('far');
  await opened.panel.dispose();
  // Nobody listens any more, so the browser comes to nothing.
  await expect(signInAs('ada', authorizationUrl)).rejects.toThrow();

  const again = await reopen(opened);
  await until('the question', () => viewOf(again)?.signIn?.state === 'needed');
  const next = await again.panel.signIn.signIn('far');
  await signInAs('ada', next.authorizationUrl);
  await until('the server', () => viewOf(again)?.state.kind === 'running');
  await again.panel.dispose();

  const last = await reopen(opened);
  await until('the server', () => viewOf(last)?.state.kind === 'running');
  expect(viewOf(last)?.signIn).toMatchObject({ state: 'signed-in', account: 'ada' });
  expect(opened.issuer.asked.filter((path) => path === 'POST /reg').length).toBeLessThanOrEqual(2);
});

/** The panel of the same home, begun anew. */
async function reopen({ home }: TestPanel): Promise<TestPanel> {
  const panel = await createPanel(panelOptions(home));
  const dispose = () => panel.dispose();
  onTestFinished(dispose);
  panel.start();
  return { panel, home, dispose };
}
