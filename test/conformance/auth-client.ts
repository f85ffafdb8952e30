/**
 * Client of the suite's auth scenarios: the whole core, with the suite's server as its one server, and a person who clicks
 * "Sign in" wherever the panel asks, a few times at most. The address of the server is the last argument.
 */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { z } from 'zod';
import { serverAddress } from '../../shared/gateway-use.ts';
import { openTestPanel, type TestPanel } from '../core/panel/open-test-panel.ts';
import { waitUntil } from '../fixtures/fixture-server.ts';

const SERVER = 'suite';
const MAX_SIGN_INS = 3;
const STEP_MS = 15_000;

const contextSchema = z.object({ client_id: z.string(), client_secret: z.string().optional() });
const given = contextSchema.safeParse(
  JSON.parse(process.env['MCP_CONFORMANCE_CONTEXT'] ?? '{}') as unknown,
).data;

const opened = await openTestPanel({ [SERVER]: { type: 'http', url: process.argv.at(-1) } });
try {
  await opened.panel.secrets.setKey({ kind: 'file' });
  opened.panel.start();
  await until('the gateway', () => !opened.panel.gateway.status().url.endsWith(':0'));
  if (given) {
    await settled(opened);
    await opened.panel.signIn.setClientId({
      name: SERVER,
      clientId: given.client_id,
      ...(given.client_secret !== undefined && { clientSecret: given.client_secret }),
    });
  }
  for (let signIns = 0; !(await isServed(opened)); signIns += 1) {
    if (signIns === MAX_SIGN_INS) throw new Error('The server goes on asking for a sign-in.');
    await signIn(opened);
  }
} catch (error) {
  console.error(error);
  process.exitCode = 1;
} finally {
  await opened.dispose();
}
// The suite waits for the end of the process.
process.exit();

function view({ panel }: TestPanel) {
  return panel.getSnapshot().servers.find(({ name }) => name === SERVER);
}

/** Waits until the server runs, or has failed. */
async function settled(test: TestPanel): Promise<void> {
  await until('the server', () => ['running', 'failed'].includes(view(test)?.state.kind ?? ''));
}

/** Uses the server as a client does. False where a person has to sign in first. */
async function isServed(test: TestPanel): Promise<boolean> {
  await settled(test);
  if (view(test)?.state.kind === 'failed') {
    const { lastError } = view(test) ?? {};
    if (lastError?.code === 'SIGN_IN_REQUIRED') return false;
    // Some scenarios sign in at a server of an era that the panel does not speak: the sign-in is what they are about.
    const isSignedIn = view(test)?.signIn?.state === 'signed-in';
    if (lastError?.code === 'PROTOCOL_ERA_UNSUPPORTED' && isSignedIn) return true;
    throw new Error(`The server failed: ${lastError?.code} ${lastError?.message}`);
  }
  const { token } = await test.panel.gateway.createClient({ name: `client ${Date.now()}` });
  const client = new Client({ name: 'auth-client', version: '1.0.0' });
  const requestInit = { headers: { Authorization: `Bearer ${token}` } };
  try {
    const address = new URL(serverAddress(test.panel.gateway.status().url, SERVER));
    await client.connect(new StreamableHTTPClientTransport(address, { requestInit }));
    const { tools } = await client.listTools();
    for (const { name } of tools) await client.callTool({ name, arguments: {} });
    return true;
  } catch (error) {
    const data = z.object({ data: z.object({ code: z.string() }) }).safeParse(error).data?.data;
    if (data?.code === 'SIGN_IN_REQUIRED') return false;
    throw error;
  } finally {
    await client.close();
  }
}

/** Goes to the address that the panel names; the suite's issuer asks nothing. */
async function signIn(test: TestPanel): Promise<void> {
  const { authorizationUrl } = await test.panel.signIn.signIn(SERVER);
  const answer = await fetch(authorizationUrl);
  if (!answer.ok) throw new Error(`The sign-in failed: ${JSON.stringify(view(test)?.signIn)}`);
  await until('the sign-in', () => view(test)?.signIn?.state === 'signed-in');
  await until('the new start', () => view(test)?.state.kind !== 'failed').catch(() => undefined);
}

async function until(describe: string, check: () => boolean): Promise<void> {
  await waitUntil(check, { deadlineMs: STEP_MS, describe });
}
