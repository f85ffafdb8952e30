import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CallName } from '../../../shared/ipc/topics.ts';
import { startCore, type CoreProcess } from '../../chromium/core-process.ts';
import { readMessages, readStarts, waitUntil, type CommandLine } from '../../fixtures/fixture-server.ts';
import { freePort } from '../../fixtures/gateways/free-port.ts';
import { freezeProcess } from '../../fixtures/process-signals.ts';
import { recording } from '../gateway/live-gateway.ts';

const SERVER = 'one';
export const BRIDGE = join(import.meta.dirname, '../../../electron/core/bridge/main.ts');
const LONG = { deadlineMs: 30_000, describe: 'the panel listens' };

export interface Received {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: { readonly content?: readonly { readonly text: string }[] } & Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: { code: string } };
}

/** A home with one server, and the panel that serves it, as a process that comes and goes. */
export class BridgedHome {
  readonly home: string;
  readonly #port: number;
  #core: CoreProcess | undefined;
  #token = '';
  readonly #bridges: BridgeProcess[] = [];

  private constructor(home: string, port: number) {
    this.home = home;
    this.#port = port;
  }

  static async create(
    server: (...flags: string[]) => CommandLine,
    settings: object = {},
  ): Promise<BridgedHome> {
    const home = mkdtempSync(join(tmpdir(), 'bridge-'));
    const own = new BridgedHome(home, await freePort());
    const entry = { ...server(...recording(own.#records)), panel: { stopGraceMs: 500, ...settings } };
    writeFileSync(join(home, 'servers.json'), JSON.stringify({ mcpServers: { [SERVER]: entry } }));
    writeFileSync(join(home, 'settings.json'), JSON.stringify({ version: 1, gateway: { port: own.#port } }));
    return own;
  }

  /** Adds fields to the entry of the server. */
  writeEntry(fields: object): void {
    const path = join(this.home, 'servers.json');
    const { mcpServers } = JSON.parse(readFileSync(path, 'utf8')) as { mcpServers: Record<string, object> };
    writeFileSync(path, JSON.stringify({ mcpServers: { [SERVER]: { ...mcpServers[SERVER], ...fields } } }));
  }

  get #records() {
    return { startLog: join(this.home, 'starts'), messageLog: join(this.home, 'messages') };
  }

  /** Resolves when its server runs. Makes the token of all bridges at the first time. */
  async startPanel(): Promise<void> {
    const env = { ...process.env, MCP_CONTROL_PANEL_TEST: '1', SHELL: '/bin/sh' };
    const core = await startCore({ home: this.home, env, onPush: () => undefined });
    this.#core = core;
    await waitUntil(
      async () => (await this.askPanel<{ isListening: boolean }>('getGateway')).isListening,
      LONG,
    );
    if (this.#token === '')
      this.#token = (await this.askPanel<{ token: string }>('createClient', { name: 'client' })).token;
  }

  /** Calls the panel as its window does. @throws what it refuses with */
  async askPanel<T>(name: CallName, ...args: unknown[]): Promise<T> {
    const reply = await this.#core!.call(name, args);
    if (!reply.ok) throw new Error(reply.error.message);
    return reply.value as T;
  }

  freezePanel(): void {
    freezeProcess(this.#core!.pid);
  }

  async killPanel(): Promise<void> {
    await this.#core?.kill();
    this.#core = undefined;
  }

  async quitPanel(): Promise<void> {
    await this.#core?.quit();
    this.#core = undefined;
  }

  bridge(server = SERVER, token = this.#token): BridgeProcess {
    const bridge = new BridgeProcess(this.home, server, token);
    this.#bridges.push(bridge);
    return bridge;
  }

  /** The pid of every start of the server, oldest first. */
  starts(): number[] {
    return readStarts(this.#records.startLog);
  }

  /** How often each text reached any process of the server as a call. */
  calls(): string[] {
    return readMessages(this.#records.messageLog).flatMap(({ method, params }) =>
      method === 'tools/call'
        ? [String((params?.['arguments'] as { text?: string }).text ?? params?.['name'])]
        : [],
    );
  }

  received(method: string): number {
    return readMessages(this.#records.messageLog).filter((message) => message.method === method).length;
  }

  async dispose(): Promise<void> {
    await Promise.all(this.#bridges.map((bridge) => bridge.dispose()));
    await this.quitPanel();
    rmSync(this.home, { recursive: true, force: true });
  }
}

/** A client that talks to a bridge over its pipes. */
export class BridgeProcess {
  readonly child: ChildProcess;
  readonly exited: Promise<unknown>;
  readonly lines: Received[] = [];
  stderr = '';
  readonly #waiting = new Map<number | string, (answer: Received) => void>();
  #rest = '';
  #lastId = 0;

  constructor(home: string, server: string, token: string) {
    const env = { ...process.env, MCP_CONTROL_PANEL_HOME: home, MCP_CONTROL_PANEL_TOKEN: token };
    this.child = spawn(process.execPath, [BRIDGE, 'connect', server], { env, stdio: 'pipe' });
    this.exited = once(this.child, 'exit');
    this.child.stdout!.setEncoding('utf8').on('data', (text: string) => this.#read(text));
    this.child.stderr!.setEncoding('utf8').on('data', (text: string) => (this.stderr += text));
    this.child.stdin!.on('error', () => undefined);
  }

  /** Every line must be a message: anything else throws. */
  #read(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop()!;
    for (const line of lines) {
      const message = JSON.parse(line) as Received;
      this.lines.push(message);
      if (message.id !== undefined && message.method === undefined) this.#waiting.get(message.id)?.(message);
    }
  }

  send(message: object): void {
    this.child.stdin!.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  get nextId(): number {
    return this.#lastId + 1;
  }

  ask(method: string, params: object = {}): Promise<Received> {
    const id = (this.#lastId += 1);
    this.send({ id, method, params });
    return new Promise((resolve) => this.#waiting.set(id, resolve));
  }

  call(name: string, args: object, meta: object = {}): Promise<Received> {
    return this.ask('tools/call', { name, arguments: args, ...meta });
  }

  async echo(text: string): Promise<string | undefined> {
    const { result, error } = await this.call('echo', { text });
    return result?.content?.[0]?.text ?? error?.data?.code ?? error?.message;
  }

  async greet(capabilities: object = {}): Promise<Received> {
    const clientInfo = { name: 'test', version: '1' };
    const answer = await this.ask('initialize', { protocolVersion: '2025-06-18', capabilities, clientInfo });
    this.send({ method: 'notifications/initialized' });
    return answer;
  }

  async dispose(): Promise<void> {
    this.child.stdin!.end();
    const late = setTimeout(() => this.child.kill('SIGKILL'), 10_000);
    await this.exited;
    clearTimeout(late);
  }
}
