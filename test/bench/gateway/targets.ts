import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fixtureServer, floodServer } from '../../fixtures/fixture-server.ts';
import { untilServing, type Endpoint } from '../../fixtures/gateways/connect-client.ts';
import { freePort } from '../../fixtures/gateways/free-port.ts';
import type { FetchedPackages } from '../../fixtures/gateways/npm-packages.ts';
import { HUB_SERVER, otherGateway, type OtherGateway } from '../../fixtures/gateways/other-gateways.ts';
import { startOwnGateway } from '../../fixtures/gateways/own-gateway.ts';
import { startNode } from '../../fixtures/gateways/start-node.ts';

/** Target of a measurement: an endpoint with the tools `echo` and `payload` of the fixture server behind it. */
export interface Target extends Endpoint {
  readonly title: string;
  readonly pid: number;
  /** Name under which the target offers a tool of the server. */
  toolName(tool: string): string;
  end(): Promise<void>;
}

/** Our gateway, with a second server that floods it. */
export interface OwnTarget extends Target {
  readonly flood: Endpoint;
}

/** The end of the path of the fixture server. */
export const SERVER_SCRIPT = 'servers/server.mjs';

const HOUR_MS = 3_600_000;
const SERVER = fixtureServer(`--safety-ms=${HOUR_MS}`);
const sameName = (tool: string) => tool;

export async function startFloor(): Promise<Target> {
  const port = await freePort();
  const floor = startNode([fileURLToPath(new URL('./floor.ts', import.meta.url)), String(port)]);
  const url = `http://127.0.0.1:${port}/mcp`;
  await untilServing({ url }, 'echo');
  return { title: 'floor', url, pid: floor.pid, toolName: sameName, end: () => floor.end() };
}

export async function startOurs(): Promise<OwnTarget> {
  // It is started by the first call to it: until then nothing is to flood.
  const flooding = { ...floodServer('notifications'), panel: { autoStart: false } };
  const gateway = await startOwnGateway({ echo: SERVER, flood: flooding });
  const { pid, token } = gateway;
  const url = gateway.urlOf('echo');
  await untilServing({ url, token }, 'echo').catch(async (error: unknown) => {
    await gateway.dispose();
    throw error;
  });
  const flood = { url: gateway.urlOf('flood'), token };
  return { title: 'ours', url, token, flood, pid, toolName: sameName, end: () => gateway.dispose() };
}

export async function startOther(name: OtherGateway, packages: FetchedPackages): Promise<Target> {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-bench-'));
  const { args, ...endpoint } = await otherGateway(name, packages, SERVER, folder);
  // mcp-hub keeps its own files in the user's folder.
  const gateway = startNode(args, { HOME: folder, XDG_CONFIG_HOME: folder, XDG_STATE_HOME: folder });
  const toolName = name === 'mcp-hub' ? (tool: string) => `${HUB_SERVER}__${tool}` : sameName;
  await untilServing(endpoint, toolName('echo'));
  const end = async () => {
    await gateway.end();
    rmSync(folder, { recursive: true, force: true });
  };
  return { title: name, ...endpoint, pid: gateway.pid, toolName, end };
}
