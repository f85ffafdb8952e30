import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dialects, type Reply, type Tool } from './dialects.ts';

/** A request of the program that waits for the script's reply. */
export interface Turn {
  readonly tools: readonly Tool[];
  resultOf(id: string): string | undefined;
  reply(reply: Reply): void;
}

/**
 * The model of one program, on loopback, for which a script replies. A request is held until then: what the script does
 * meanwhile happens between two calls of one session, without any timing.
 */
export class ScriptedModel {
  readonly #server: Server;
  #turn: Turn | undefined;
  #onTurn: (() => void) | undefined;

  private constructor(server: Server) {
    this.#server = server;
    server.on('request', (request, response) => void this.#handle(request, response));
  }

  static async open(): Promise<ScriptedModel> {
    const server = createServer({ requestTimeout: 0 }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new ScriptedModel(server);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Takes the next request with tools; undefined where none has come before the limit or `over`. */
  async next(limitMs: number, over: Promise<unknown>): Promise<Turn | undefined> {
    if (this.#turn === undefined) {
      let timer: NodeJS.Timeout | undefined;
      const come = new Promise<void>((resolve) => {
        this.#onTurn = resolve;
        timer = setTimeout(resolve, limitMs);
      });
      await Promise.race([come, over]);
      clearTimeout(timer);
    }
    const turn = this.#turn;
    this.#turn = undefined;
    return turn;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bodyOf(request);
    const path = request.url ?? '';
    const dialect = dialects.find((each) => each.path.test(path));
    if (dialect === undefined || request.method !== 'POST') return answerAside(path, response);
    const reply = (said: Reply) => {
      response.setHeader('content-type', 'text/event-stream');
      response.end(dialect.write(said));
    };
    const tools = dialect.tools(body);
    if (tools.length === 0) return reply({ kind: 'say', text: 'scripted' });
    // A program that sends its request anew has given up the one before.
    this.#turn = { tools, resultOf: (id) => dialect.result(body, id), reply };
    this.#onTurn?.();
  }
}

/** Counts of tokens and lists of models. */
function answerAside(path: string, response: ServerResponse): void {
  const isKnown = /count_?tokens/i.test(path) || path.endsWith('/models');
  response.writeHead(isKnown ? 200 : 404, { 'content-type': 'application/json' });
  const data = [{ id: 'scripted', object: 'model', created: 0, owned_by: 'test' }];
  response.end(JSON.stringify({ object: 'list', data, input_tokens: 1, totalTokens: 1 }));
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown;
  } catch {
    return undefined; // It has none.
  }
}
