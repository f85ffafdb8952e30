import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { serverAddress } from '../../../shared/gateway-use.ts';
import { appEnvironment } from '../../e2e/support/app-environment.ts';
import { electronCommand, openDisplay } from '../../e2e/support/electron-command.ts';
import { fixtureServer, floodServer } from '../../fixtures/fixture-server.ts';
import { untilServing, type Endpoint } from '../../fixtures/gateways/connect-client.ts';
import { freePort } from '../../fixtures/gateways/free-port.ts';
import type { FetchedPackages } from '../../fixtures/gateways/npm-packages.ts';
import { HUB_SERVER, otherGateway, type OtherGateway } from '../../fixtures/gateways/other-gateways.ts';
import { createClients, startOwnGateway, type OwnGateway } from '../../fixtures/gateways/own-gateway.ts';
import { startNode } from '../../fixtures/gateways/start-node.ts';
import { treeOf } from '../../support/proc.ts';
import { writeHome, type Servers } from '../../support/homes.ts';

/** Target of a measurement: an endpoint with the tools `echo` and `payload` of the fixture server behind it. */
export interface Target extends Endpoint {
  readonly title: string;
  readonly pid: number;
  /** Tokens that clients share out; without them all send `token`, if there is one. */
  readonly tokens?: readonly string[];
  /** Name under which the target offers a tool of the server. */
  toolName(tool: string): string;
  /** Stops and continues all processes of a gateway of others, because some work on after their clients have left. */
  pause?(): void;
  resume?(): void;
  end(): Promise<void>;
}

/** Our gateway, with a second server that floods it. */
export interface OwnTarget extends Target {
  readonly flood: Endpoint;
}

/** The end of the path of the fixture server. */
export const SERVER_SCRIPT = 'servers/server.mjs';

/** Title of the relay floor in the app's runtime. */
export const RELAY_IN_ELECTRON = 'relay floor in Electron';

/** Number of clients that the user has made in the panel. */
const TOKENS = 20;
const HOUR_MS = 3_600_000;
const SERVER = fixtureServer(`--safety-ms=${HOUR_MS}`);
const sameName = (tool: string) => tool;

export const startFloor = (): Promise<Target> => startScript('floor', []);

export const startRelayFloor = (): Promise<Target> =>
  startScript('relay floor', [randomUUID(), SERVER.command, ...SERVER.args]);

/** The relay floor in the main process of the app's runtime, without a window: what that runtime costs by itself. */
export async function startRelayInElectron(): Promise<Target> {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-bench-'));
  const port = await freePort();
  const token = randomUUID();
  const words = JSON.stringify(['', '', String(port), token, SERVER.command, ...SERVER.args]);
  const relay = stripTypeScriptTypes(readFileSync(scriptOf('relay floor'), 'utf8'));
  writeFileSync(join(folder, 'relay.mjs'), relay);
  writeFileSync(join(folder, 'main.cjs'), `process.argv = ${words}; import('./relay.mjs');`);
  writeFileSync(join(folder, 'package.json'), '{"main":"main.cjs"}');
  const { pid, dispose } = await startElectron(folder, { home: folder, app: folder, endSignal: 'SIGKILL' });
  const url = `http://127.0.0.1:${port}/mcp`;
  await untilServing({ url, token }, 'echo');
  return { title: RELAY_IN_ELECTRON, url, token, pid, toolName: sameName, end: dispose };
}

const scriptOf = (title: 'floor' | 'relay floor') =>
  fileURLToPath(new URL(`./${title.replace(' ', '-')}.ts`, import.meta.url));

/** A program of the benchmark's own; its first argument after the port is the token. */
async function startScript(title: 'floor' | 'relay floor', args: readonly string[]): Promise<Target> {
  const port = await freePort();
  const floor = startNode([scriptOf(title), String(port), ...args]);
  const url = `http://127.0.0.1:${port}/mcp`;
  const [token] = args;
  await untilServing({ url, token }, 'echo');
  return { title, url, token, pid: floor.pid, toolName: sameName, end: () => floor.end() };
}

/** @param place the panel without a window on Node, or the app with its window on its Electron */
export async function startOurs(place: 'core' | 'app'): Promise<OwnTarget> {
  // It is started by the first call to it: until then nothing is to flood.
  const flooding = { ...floodServer('notifications'), panel: { autoStart: false } };
  const servers = { echo: SERVER, flood: flooding };
  const panel =
    place === 'core' ? await startOwnGateway(servers, { clients: TOKENS }) : await startApp(servers);
  const { pid, tokens } = panel;
  const [token] = tokens;
  const url = panel.urlOf('echo');
  await untilServing({ url, token }, 'echo').catch(async (error: unknown) => {
    await panel.dispose();
    throw error;
  });
  const flood = { url: panel.urlOf('flood'), token };
  return { title: 'ours', url, token, tokens, flood, pid, toolName: sameName, end: () => panel.dispose() };
}

async function startApp(servers: Servers): Promise<Pick<OwnGateway, 'pid' | 'tokens' | 'urlOf' | 'dispose'>> {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-bench-'));
  const port = await freePort();
  const home = writeHome(join(folder, 'home'), servers, { version: 1, gateway: { port } });
  const tokens = await createClients(home, TOKENS);
  const urlOf = (server: string) => serverAddress(`http://127.0.0.1:${port}`, server);
  return { ...(await startElectron(folder, { home, endSignal: 'SIGTERM' })), tokens, urlOf };
}

interface ElectronStart {
  readonly home: string;
  /** Folder of another app than ours. */
  readonly app?: string;
  readonly endSignal: NodeJS.Signals;
}

/** @param folder is removed by `dispose` */
async function startElectron(folder: string, { home, app, endSignal }: ElectronStart) {
  const display = await openDisplay();
  const { executablePath, args } = await electronCommand();
  const [ours = '', ...flags] = args;
  const env = appEnvironment(home, display.env);
  const electron = spawn(executablePath, [app ?? ours, ...flags], { env, stdio: 'ignore' });
  const dispose = async () => {
    const exited = once(electron, 'exit');
    electron.kill(endSignal);
    await exited;
    await display.end();
    rmSync(folder, { recursive: true, force: true });
  };
  return { pid: electron.pid!, dispose };
}

export async function startOther(name: OtherGateway, packages: FetchedPackages): Promise<Target> {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-bench-'));
  const { args, ...endpoint } = await otherGateway(name, packages, SERVER, folder);
  // mcp-hub keeps its own files in the user's folder.
  const gateway = startNode(args, { HOME: folder, XDG_CONFIG_HOME: folder, XDG_STATE_HOME: folder });
  const toolName = name === 'mcp-hub' ? (tool: string) => `${HUB_SERVER}__${tool}` : sameName;
  await untilServing(endpoint, toolName('echo'));
  const { pid } = gateway;
  const signal = (what: 'SIGSTOP' | 'SIGCONT') => {
    for (const each of treeOf(pid)) process.kill(each, what);
  };
  const end = async () => {
    await gateway.end();
    rmSync(folder, { recursive: true, force: true });
  };
  const [pause, resume] = [() => signal('SIGSTOP'), () => signal('SIGCONT')];
  pause();
  return { title: name, ...endpoint, pid, toolName, pause, resume, end };
}
