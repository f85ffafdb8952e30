import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { CreateMessageRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { connectClient, type ConnectedClient } from '../../fixtures/gateways/connect-client.ts';
import type { KindsPanel } from './kinds-panel.ts';
import { PROBE_INTERVAL_MS, THRESHOLD_MS, type Action, type Kind } from './read-kinds.ts';

/** The wait of a client, which is longer than every life. */
const PATIENCE_MS = 600_000;
const CALL_EVERY_MS = THRESHOLD_MS / 4;
const STUFFING = 'x'.repeat(1024 * 1024);

const fixture = (name: string) => fileURLToPath(new URL(`../../fixtures/servers/${name}`, import.meta.url));
const THROTTLE = fixture('throttle.mjs');
export const TRACER = fixture('tracer.py');

/** How a call ended: `answered`, the code of its error, or that nothing had come yet. */
interface CallEnd {
  readonly action: Action;
  readonly end: string;
}

/** One kind, up and with a client. The caller disposes it. */
export interface LivedKind {
  /** Carries one action out; a healthy kind's call has ended when this resolves. */
  act(action: Action): Promise<void>;
  /** How the calls ended that were waited for; those that were sent are waited for now. */
  callEnds(): Promise<readonly CallEnd[]>;
  dispose(): Promise<void>;
}

/** Starts the kind, and has it answer one call and then rest, so that its silence counts from here on. */
export async function bringToLife(bench: KindsPanel, kind: Kind): Promise<LivedKind> {
  await bench.panel.servers.start(bench.nameOf(kind));
  const connected = await connectClient(bench.endpointOf(kind), { capabilities: { sampling: {} } });
  connected.client.setRequestHandler(CreateMessageRequestSchema, async ({ params }) => {
    const { content } = params.messages[0]!;
    await sleep(Number(!Array.isArray(content) && content.type === 'text' ? content.text : 0));
    return { role: 'assistant', model: 'none', content: { type: 'text', text: 'done' } };
  });
  const lived = new Life(bench, kind, connected);
  await lived.act({ verb: 'call', text: 'log:1', ms: 0, hangs: false });
  await sleep(1.2 * PROBE_INTERVAL_MS);
  return lived;
}

class Life implements LivedKind {
  readonly #bench: KindsPanel;
  readonly #kind: Kind;
  readonly #connected: ConnectedClient;
  readonly #ends: Promise<CallEnd>[] = [];
  readonly #releases: (() => void)[] = [];

  constructor(bench: KindsPanel, kind: Kind, connected: ConnectedClient) {
    this.#bench = bench;
    this.#kind = kind;
    this.#connected = connected;
  }

  async act(action: Action): Promise<void> {
    const { verb, text, ms } = action;
    switch (verb) {
      case 'call':
      case 'late':
        return void (await this.#call(action, 'work', { steps: text }));
      case 'send':
        return void this.#call(action, 'work', { steps: text });
      case 'back':
        return void (await this.#call(action, 'background', { steps: text }));
      case 'stuff':
        return void this.#call(action, 'work', { steps: 'log:1', stuffing: STUFFING });
      case 'cancel':
        return this.#callOff(action);
      case 'calls':
        return this.#goOnCalling(ms);
      case 'pass':
        return sleep(ms);
      case 'freeze':
      case 'thaw':
        return void process.kill(this.#pidOf(text), verb === 'freeze' ? 'SIGSTOP' : 'SIGCONT');
      case 'hold':
        return this.#upon('python3', TRACER, 'hold');
      case 'trace':
        return this.#upon('python3', TRACER, 'follow');
      case 'throttle':
        return this.#upon(process.execPath, THROTTLE);
      case 'release':
        return this.#release();
    }
  }

  callEnds(): Promise<readonly CallEnd[]> {
    return Promise.all(this.#ends);
  }

  async dispose(): Promise<void> {
    this.#release();
    await this.#bench.panel.servers.stop(this.#bench.nameOf(this.#kind));
    await this.#bench.sweep(this.#kind);
    await this.#connected.close().catch(() => undefined);
  }

  #call(action: Action, tool: string, args: Record<string, unknown>): Promise<CallEnd> {
    const end = this.#request(tool, args).then((text) => ({ action, end: text }));
    this.#ends.push(end);
    return end;
  }

  /** How it ended, for a program: never rejects. */
  async #request(tool: string, args: Record<string, unknown>, signal?: AbortSignal): Promise<string> {
    const options = { timeout: PATIENCE_MS, ...(signal && { signal }) };
    try {
      await this.#connected.client.callTool({ name: tool, arguments: args }, undefined, options);
      return 'answered';
    } catch (error) {
      return codeOf(error);
    }
  }

  async #callOff({ text }: Action): Promise<void> {
    const abort = new AbortController();
    const ended = this.#request('work', { steps: text }, abort.signal);
    await sleep(CALL_EVERY_MS);
    abort.abort();
    await ended;
  }

  /** What becomes of these calls is not judged. */
  async #goOnCalling(ms: number): Promise<void> {
    const until = performance.now() + ms;
    while (performance.now() < until) {
      void this.#request('work', { steps: 'log:1' });
      await sleep(CALL_EVERY_MS);
    }
  }

  #pidOf(role: string): number {
    return this.#bench.pidOf(this.#kind, role);
  }

  /** Resolves once the program is at the server; it ends with the release. */
  async #upon(command: string, program: string, ...words: string[]): Promise<void> {
    const args = [program, String(this.#pidOf('server')), ...words];
    const helper = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    this.#releases.push(() => void helper.kill('SIGTERM'));
    const hasEnded = once(helper, 'exit').then(() => Promise.reject(new Error(`${program} ended`)));
    await Promise.race([once(helper.stdout, 'data'), hasEnded]);
    hasEnded.catch(() => undefined);
  }

  #release(): void {
    for (const release of this.#releases.splice(0)) release();
  }
}

/** The code of the panel, where it has one: `STALLED`. */
function codeOf(error: unknown): string {
  if (typeof error === 'object' && error !== null && 'data' in error) {
    const { data } = error;
    if (typeof data === 'object' && data !== null && 'code' in data) return String(data.code);
  }
  return String(error);
}
