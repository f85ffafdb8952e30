import { fileURLToPath } from 'node:url';
import { combinedName, combinedUri } from '../../electron/core/gateway/session/combined/names.ts';
import { ALL_SERVERS } from '../../shared/gateway-use.ts';
import { IMAGE, makeImage } from '../engines/engine-image.ts';
import { FakeCluster } from '../fixtures/cluster/fake-cluster.ts';
import { waitUntil } from '../fixtures/fixture-server.ts';
import { untilServing } from '../fixtures/gateways/connect-client.ts';
import type { FetchedPackages } from '../fixtures/gateways/npm-packages.ts';
import { otherGateway, type OtherGateway } from '../fixtures/gateways/other-gateways.ts';
import { startNode } from '../fixtures/gateways/start-node.ts';
import { startOwnGateway, type ServerEntry } from '../fixtures/gateways/own-gateway.ts';
import { inFolder } from '../support/homes.ts';
import { openBearerProxy } from './bearer-proxy.ts';
import { openStdioRelay } from './stdio-relay.ts';

const READY_MS = 20_000;
const TOOL = 'test_simple_text';
const SERVER = 'conformance';
const fixture = (file: string) => fileURLToPath(new URL(`../fixtures/conformance/${file}`, import.meta.url));
const BRIDGE = fileURLToPath(new URL('../../electron/core/bridge/main.ts', import.meta.url));
const CHECKOUT = fileURLToPath(new URL('../..', import.meta.url));
const STDIO = { command: process.execPath, args: [fixture('stdio.ts')] };

type UseUrl<T> = (url: string) => Promise<T>;

/** The fixture as the SDK serves it. */
export async function withDirect<T>(use: UseUrl<T>): Promise<T> {
  const server = startNode([fixture('http.ts')]);
  try {
    const address = () => /listening on (\S+)/.exec(server.output())?.[1];
    return await use((await waitUntil(address, { deadlineMs: READY_MS, describe: 'the fixture' })) as string);
  } finally {
    await server.end();
  }
}

/** The fixture through our gateway, with a token that a proxy adds. */
export const withOurs = <T>(use: UseUrl<T>): Promise<T> => withProxy(SERVER, undefined, use);

/** The fixture through the endpoint for all servers: a proxy gives the suite's names and addresses the form that they have there. */
export const withCombined = <T>(use: UseUrl<T>): Promise<T> => withProxy(ALL_SERVERS, combined, use);

/**
 * The fixture in a container, through our gateway.
 * @param engine a client of an engine (`docker`, `podman` or the path of one), or the address of a docker engine, on which the
 *   panel then runs it as on one elsewhere
 */
export async function withContainer<T>(engine: string, use: UseUrl<T>): Promise<T> {
  const isAddress = engine.includes('://');
  const command = isAddress ? 'docker' : engine;
  await makeImage(command);
  const mount = ['--volume', `${CHECKOUT}:${CHECKOUT}:ro`];
  const args = ['run', '-i', '--rm', '--network', 'none', ...mount, IMAGE, STDIO.command, ...STDIO.args];
  const panel = isAddress ? { runOn: { engine: 'docker', host: engine } } : {};
  return await withProxy(SERVER, undefined, use, { command, args, panel });
}

/** The fixture in a pod of a stand-in for a cluster, through our gateway. */
export async function withPod<T>(use: UseUrl<T>): Promise<T> {
  const cluster = new FakeCluster();
  await cluster.listen();
  const before = process.env['KUBECONFIG'];
  const args = ['run', '-i', '--rm', 'image', STDIO.command, ...STDIO.args];
  const panel = { runOn: { engine: 'kubernetes' } };
  return await inFolder((folder) => {
    process.env['KUBECONFIG'] = cluster.writeConfig(folder);
    return withProxy(SERVER, undefined, use, { command: 'docker', args, panel });
  }).finally(() => {
    if (before === undefined) delete process.env['KUBECONFIG'];
    else process.env['KUBECONFIG'] = before;
    cluster.close();
  });
}

/** @param changed what becomes of the text of each request */
async function withProxy<T>(
  endpoint: string,
  changed: ((body: string) => string) | undefined,
  use: UseUrl<T>,
  server: ServerEntry = STDIO,
): Promise<T> {
  const gateway = await startOwnGateway({ [SERVER]: server });
  try {
    await untilServing({ url: gateway.urlOf(SERVER), token: gateway.token }, TOOL);
    const proxy = await openBearerProxy(gateway.urlOf(endpoint), gateway.token, changed);
    try {
      return await use(proxy.url);
    } finally {
      await proxy.close();
    }
  } finally {
    await gateway.dispose();
  }
}

/** A request with the combined names of what it names. */
function combined(body: string): string {
  if (body === '') return body;
  const message = JSON.parse(body) as { params?: { name?: string; uri?: string; ref?: object } };
  const renamed = (value: { name?: string; uri?: string }) => ({
    ...value,
    ...(value.name !== undefined && { name: combinedName(SERVER, value.name) }),
    ...(value.uri !== undefined && { uri: combinedUri(SERVER, value.uri) }),
  });
  const { params } = message;
  const ref = params?.ref && renamed(params.ref);
  return JSON.stringify({
    ...message,
    ...(params && { params: { ...renamed(params), ...(ref && { ref }) } }),
  });
}

/** The fixture over its pipes, by a relay in front of it. */
export async function withRelay<T>(use: UseUrl<T>): Promise<T> {
  const relay = await openStdioRelay(STDIO);
  try {
    return await use(relay.url);
  } finally {
    await relay.close();
  }
}

/** The fixture through bridge and gateway, by the same relay. @throws when a bridge has started a server of its own */
export async function withBridge<T>(use: UseUrl<T>): Promise<T> {
  const gateway = await startOwnGateway({ [SERVER]: STDIO });
  try {
    const { home, token } = gateway;
    await untilServing({ url: gateway.urlOf(SERVER), token }, TOOL);
    const command = { command: process.execPath, args: [BRIDGE, 'connect', SERVER] };
    const env = { MCP_CONTROL_PANEL_HOME: home, MCP_CONTROL_PANEL_TOKEN: token };
    const relay = await openStdioRelay(command, env);
    const used = await use(relay.url).finally(() => relay.close());
    const astray = relay.said().filter((said) => said !== '');
    if (astray.length > 0)
      throw new Error(`${astray.length} bridges did not keep to the panel: ${astray[0]}`);
    return used;
  } finally {
    await gateway.dispose();
  }
}

/** The fixture through the gateway of others. */
export async function withOther<T>(
  name: OtherGateway,
  packages: FetchedPackages,
  use: UseUrl<T>,
): Promise<T> {
  return await inFolder(async (folder) => {
    const { args, url } = await otherGateway(name, packages, STDIO, folder);
    const gateway = startNode(args);
    try {
      await untilServing({ url }, TOOL);
      return await use(url);
    } finally {
      await gateway.end();
    }
  });
}
