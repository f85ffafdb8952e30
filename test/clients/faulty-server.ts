import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inheritedEnvironment } from '../e2e/support/app-environment.ts';
import { TEST_RUN_NAME } from '../e2e/support/processes.ts';
import { startCore, type CoreProcess } from '../chromium/core-process.ts';
import {
  fixtureServer,
  readMessages,
  readStarts,
  waitUntil,
  type CommandLine,
} from '../fixtures/fixture-server.ts';
import { freePort } from '../fixtures/gateways/free-port.ts';
import { writeHome, type Servers } from '../support/homes.ts';
import type { Snapshot } from '../../shared/domain.ts';
import type { GatewayStatus } from '../../shared/gateway.ts';
import type { CallName } from '../../shared/ipc/topics.ts';
import { SERVER, type Way } from './programs.ts';

const ARRIVAL_MS = 120_000;
/** Longer than any conversation. */
const SAFETY_MS = 3_600_000;

/** The server whose faults are made, by its own command line. */
export class FaultyServer {
  readonly command: CommandLine;
  readonly #folder: string;

  /** Its processes are marked with the id, which not every program passes on. */
  constructor(folder: string, id: string) {
    this.#folder = folder;
    const { command, args } = fixtureServer(
      `--safety-ms=${SAFETY_MS}`,
      `--start-log=${this.#path('starts')}`,
      `--message-log=${this.#path('messages')}`,
      `--tools-file=${this.#path('tools')}`,
      '--announce-tools',
    );
    this.command = { command: '/usr/bin/env', args: [`${TEST_RUN_NAME}=${id}`, command, ...args] };
    this.offer('sleep', 'payload');
  }

  /** Lists these tools from now on, and says so. */
  offer(...tools: readonly string[]): void {
    writeFileSync(this.#path('tools'), `${tools.join('\n')}\n`);
  }

  /** How many calls of `sleep` have reached it. */
  get sleeps(): number {
    return readMessages(this.#path('messages')).filter(
      ({ method, params }) => method === 'tools/call' && params?.['name'] === 'sleep',
    ).length;
  }

  async untilSleeping(before: number): Promise<void> {
    await waitUntil(() => this.sleeps > before, {
      deadlineMs: ARRIVAL_MS,
      describe: 'the call at the server',
    });
  }

  /** Sends the signal to the process that runs now. */
  signal(name: 'SIGKILL' | 'SIGSTOP'): void {
    process.kill(readStarts(this.#path('starts')).at(-1)!, name);
  }

  #path(name: string): string {
    return join(this.#folder, name);
  }
}

/** The real core that serves the server, on a home and a port that outlive it. */
export class Panel {
  readonly #home: string;
  readonly #port: number;
  readonly #id: string;
  readonly #env: Readonly<Record<string, string>>;
  #core: CoreProcess | undefined;

  private constructor(home: string, port: number, id: string, env: Readonly<Record<string, string>>) {
    this.#home = home;
    this.#port = port;
    this.#id = id;
    this.#env = env;
  }

  /** @param own servers other than the faulty one, and variables such as another home of the user */
  static async create(
    folder: string,
    server: FaultyServer,
    id: string,
    own: { readonly servers?: Servers; readonly env?: Readonly<Record<string, string>> } = {},
  ): Promise<Panel> {
    const port = await freePort();
    const servers = own.servers ?? { [SERVER]: server.command };
    const home = writeHome(join(folder, 'panel'), servers, { version: 1, gateway: { port } });
    return new Panel(home, port, id, own.env ?? {});
  }

  /** Resolves when it can be reached. */
  async start(): Promise<void> {
    const own = {
      MCP_CONTROL_PANEL_HOME: this.#home,
      MCP_CONTROL_PANEL_TEST: '1',
      SHELL: '/bin/sh',
      [TEST_RUN_NAME]: this.#id,
    };
    const env = { ...inheritedEnvironment(), ...this.#env, ...own };
    this.#core = await startCore({ home: this.#home, env, hasDoorkeeper: true, onPush: () => undefined });
    const listens = async () => ((await this.call('getGateway')) as GatewayStatus).isListening;
    await waitUntil(listens, { deadlineMs: ARRIVAL_MS, describe: 'the gateway to listen' });
  }

  /** Starts it and waits for its server. Returns a new client, and its way to the server. */
  async begin(): Promise<{ readonly id: string; readonly way: Way }> {
    await this.start();
    const isRunning = async () => {
      const { servers } = (await this.call('getSnapshot')) as Snapshot;
      return servers.some(({ state }) => state.kind === 'running');
    };
    await waitUntil(isRunning, { deadlineMs: ARRIVAL_MS, describe: 'the server to run' });
    const { id, token } = (await this.call('createClient', { name: 'program' })) as {
      id: string;
      token: string;
    };
    const url = `http://127.0.0.1:${this.#port}/servers/${SERVER}/mcp`;
    return { id, way: { kind: 'gateway', url, token } };
  }

  async call(name: CallName, ...args: readonly unknown[]): Promise<unknown> {
    const reply = await this.#core!.call(name, args);
    if (!reply.ok) throw new Error(`${name}: ${reply.error.message}`);
    return reply.value;
  }

  /** Resolves when the doorkeeper has all that it needs to answer for it. */
  async isKept(): Promise<void> {
    // A file that is still being written has another name.
    const listsKept = () =>
      readdirSync(this.#home, { recursive: true }).some((name) =>
        /catalogue.\w{40}\.json$/.test(String(name)),
      );
    const isReady = async () =>
      ((await this.call('getGateway')) as GatewayStatus).doorkeeper?.isReady === true;
    const isKept = async () =>
      listsKept() && existsSync(join(this.#home, 'doorkeeper.json')) && (await isReady());
    await waitUntil(isKept, { deadlineMs: ARRIVAL_MS, describe: 'the doorkeeper to be ready' });
  }

  /** Lets clients start it, or not. */
  letStart(startWithClients: boolean): Promise<unknown> {
    return this.call('putSettings', { gateway: { startWithClients } });
  }

  kill(): Promise<void> {
    return this.#core!.kill();
  }

  async quit(): Promise<void> {
    await this.#core?.quit();
  }
}
