import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hashToken } from '../../../electron/core/gateway/auth/tokens.ts';
import { fixtureServer, readMessages, readStarts, waitUntil } from '../../fixtures/fixture-server.ts';
import { freePort } from '../../fixtures/gateways/free-port.ts';
import { recording } from '../gateway/live-gateway.ts';
import { isAlive } from '../../support/proc.ts';

const HEADLESS = join(import.meta.dirname, '../../../electron/core/headless.ts');
const SERVER = 'one';
const TOKEN = `mcpcp_${'t'.repeat(43)}`;
const SOON = { deadlineMs: 20_000 };

export interface Answer {
  readonly status: number;
  readonly sessionId: string | null;
  readonly body: {
    readonly result?: Record<string, unknown>;
    readonly error?: { readonly code: number; readonly message: string };
  };
}

/** A home with one server and one client, whose panel and doorkeeper are processes that come and go. */
export class KeptHome {
  readonly home: string;
  readonly port: number;
  #panel: ChildProcess | undefined;
  #sessionId: string | undefined;
  #lastId = 0;

  private constructor(home: string, port: number) {
    this.home = home;
    this.port = port;
  }

  static async create({ startWithClients = false } = {}): Promise<KeptHome> {
    const kept = new KeptHome(mkdtempSync(join(tmpdir(), 'doorkeeper-')), await freePort());
    const entry = { ...fixtureServer(...recording(kept.#records)), panel: { stopGraceMs: 500 } };
    const client = { id: 'c', name: 'client', sha256: hashToken(TOKEN), createdAt: 1 };
    kept.write('servers.json', { mcpServers: { [SERVER]: entry } });
    kept.write('settings.json', { version: 1, gateway: { port: kept.port, startWithClients } });
    kept.write('clients.json', { version: 1, clients: [client] });
    return kept;
  }

  write(name: string, content: object): void {
    writeFileSync(join(this.home, name), JSON.stringify(content));
  }

  get #records() {
    return { startLog: join(this.home, 'starts'), messageLog: join(this.home, 'messages') };
  }

  /** Starts the panel. Resolves when it can be replaced by its doorkeeper. */
  async startPanel(): Promise<void> {
    this.#panel = spawn(process.execPath, [HEADLESS, '--home', this.home], {
      env: { ...process.env, MCP_CONTROL_PANEL_TEST: '', SHELL: '/bin/sh' },
      stdio: 'ignore',
    });
    await this.isKept();
  }

  /** Resolves when the doorkeeper stands by with all that it needs to answer for the panel. */
  async isKept(): Promise<void> {
    await waitUntil(() => this.areListsKept(), { ...SOON, describe: 'the lists are kept' });
    await waitUntil(() => this.keepers().length === 1, { ...SOON, describe: 'the doorkeeper stands by' });
  }

  areListsKept(): boolean {
    const files = readdirSync(this.home, { recursive: true }).map(String);
    return (
      files.includes('doorkeeper.json') && files.some((name) => /^catalogue.[0-9a-f]{40}\.json$/.test(name))
    );
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    const panel = this.#panel!;
    const exited = once(panel, 'exit');
    panel.kill(signal);
    await exited;
    this.#panel = undefined;
  }

  /** Pids of the doorkeepers of this home. */
  keepers(): number[] {
    return this.#processes('keep');
  }

  /** Pids of the panels of this home. */
  panels(): number[] {
    return this.#processes('--home');
  }

  #processes(word: string): number[] {
    return readdirSync('/proc').flatMap((pid) => {
      try {
        const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
        // Those of a doorkeeper end with the command of the panel.
        const isKeeper = words.includes('keep');
        return words.includes(this.home) && words.includes(word) && isKeeper === (word === 'keep')
          ? [Number(pid)]
          : [];
      } catch {
        return [];
      }
    });
  }

  /** Pids of the servers' starts that still run. */
  livingServers(): number[] {
    return readStarts(this.#records.startLog).filter(isAlive);
  }

  /** Texts that reached any process of the server in a call. */
  calls(): unknown[] {
    return readMessages(this.#records.messageLog).flatMap(({ method, params }) =>
      method === 'tools/call' ? [(params?.['arguments'] as { text?: string }).text] : [],
    );
  }

  async post(message: object, sessionId = this.#sessionId): Promise<Answer> {
    const response = await fetch(`http://127.0.0.1:${this.port}/servers/${SERVER}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${TOKEN}`,
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        ...(sessionId !== undefined && { 'mcp-session-id': sessionId }),
      },
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
    });
    const text = await response.text();
    const json = text.startsWith('{') ? text : (/^data: (.+)$/m.exec(text)?.[1] ?? '{}');
    return {
      status: response.status,
      sessionId: response.headers.get('mcp-session-id'),
      body: JSON.parse(json) as Answer['body'],
    };
  }

  ask(method: string, params: object = {}): Promise<Answer> {
    this.#lastId += 1;
    return this.post({ id: this.#lastId, method, params });
  }

  /** Begins a session, which later requests belong to. */
  async greet(): Promise<Answer> {
    const clientInfo = { name: 'test', version: '1' };
    this.#sessionId = undefined;
    const answer = await this.ask('initialize', {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo,
    });
    this.#sessionId = answer.sessionId ?? undefined;
    return answer;
  }

  echo(text: string): Promise<Answer> {
    return this.ask('tools/call', { name: 'echo', arguments: { text } });
  }

  /** Resolves when the doorkeeper holds the port. */
  async held(deadlineMs: number): Promise<void> {
    const answers = () =>
      this.ask('server/discover').then(
        ({ status }) => status === 400,
        () => false,
      );
    await waitUntil(answers, { deadlineMs, describe: 'the port is held' });
  }

  async dispose(): Promise<void> {
    // The doorkeeper first: without one, nobody starts a panel.
    for (const pid of [...this.keepers(), ...this.panels()]) process.kill(pid, 'SIGKILL');
    await waitUntil(() => this.livingServers().length === 0, { ...SOON, describe: 'no server is left' });
    rmSync(this.home, { recursive: true, force: true });
  }
}
