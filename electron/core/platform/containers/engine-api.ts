import { parsedJson } from '../../../../shared/parsed.ts';
import {
  Agent,
  request,
  type AgentOptions,
  type ClientRequest,
  type IncomingMessage,
  type OutgoingHttpHeaders,
} from 'node:http';
import { PassThrough, type Duplex } from 'node:stream';
import type { Clock } from '../../clock.ts';

const MAX_ANSWER_BYTES = 4 * 1024 * 1024;
/** Milliseconds for an answer, because a dead connection says nothing. */
const ANSWER_LIMIT_MS = 15_000;

type CreateConnection = Agent['createConnection'];

/** Makes a connection, which it returns or hands to `done`. */
export type Dial = (done: Parameters<CreateConnection>[1]) => ReturnType<CreateConnection> | Promise<Duplex>;

/** An agent of `node:http` whose connections are made by a function. */
export class DialAgent extends Agent {
  readonly #dial: Dial;

  constructor(dial: Dial, options: AgentOptions) {
    super(options);
    this.#dial = dial;
  }

  // A connection that is not made yet counts, too: so few stay few. Only one that is promised does not.
  override createConnection(
    _: unknown,
    done?: Parameters<CreateConnection>[1],
  ): ReturnType<CreateConnection> {
    const made = this.#dial(done);
    if (!(made instanceof Promise)) return made;
    made.then(
      (socket) => done?.(null, socket),
      (error: unknown) =>
        done?.(error instanceof Error ? error : new Error(String(error)), new PassThrough()),
    );
    return undefined;
  }
}

export interface EngineAgents {
  /** For short questions. */
  readonly calls: Agent;
  /** For streams, each of which has a connection of its own. */
  readonly streams: Agent;
  /** Ends what carries the connections. */
  readonly close?: () => void;
}

/** Connections for short questions: few, and kept, because one over SSH takes two seconds. */
const MAX_CALLS = 4;

/** Makes the agents of one engine from a function that makes a connection to it. The owner destroys both. */
export const agentsBy = (dial: Dial): EngineAgents => ({
  calls: new DialAgent(dial, { keepAlive: true, maxSockets: MAX_CALLS }),
  streams: new DialAgent(dial, { keepAlive: false }),
});

/** The engine was reached, and refuses. The message has its words. */
export class EngineRefusal extends Error {
  /** HTTP status; undefined where the refusal is a part of a longer answer. */
  readonly status: number | undefined;

  constructor(words: string, status?: number) {
    super(words);
    this.status = status;
  }
}

export interface EngineAnswer {
  readonly status: number;
  /** Parsed answer; undefined for one that is no JSON. */
  readonly body: unknown;
  /** What the engine says about a refusal. */
  readonly words: string;
  /** Time of the engine's machine, in seconds of the epoch. */
  readonly atS: number;
  /** Version of the engine, where it says so. */
  readonly version: string | undefined;
}

interface EngineQuestion {
  readonly body?: object;
  readonly headers?: OutgoingHttpHeaders;
  /** Default 15 s. */
  readonly limitMs?: number;
}

export interface EngineAccess {
  /** Stands before every path. Default empty. */
  readonly prefix?: string;
  /** Headers that sign a request in. */
  readonly headers: () => Promise<OutgoingHttpHeaders>;
}

const NO_SIGN_IN: EngineAccess = { headers: () => Promise.resolve({}) };

interface StreamQuestion {
  /** Default GET. */
  readonly method?: string;
  readonly headers?: OutgoingHttpHeaders;
  /** For the beginning of the stream. Default 15 s. */
  readonly limitMs?: number;
}

/** The API of one engine. Every method rejects where the engine is not reached, never because it refuses. */
export class EngineApi {
  readonly agents: EngineAgents;
  readonly access: EngineAccess;
  readonly #clock: Clock;

  constructor(agents: EngineAgents, clock: Clock, access = NO_SIGN_IN) {
    this.agents = agents;
    this.#clock = clock;
    this.access = access;
  }

  /** Time of the engine's machine, as its logs write it. @param path a question that every account may ask @throws as `ask` */
  async now(path: string): Promise<string> {
    const { atS } = await this.ask('GET', path);
    return new Date(atS * 1000).toISOString();
  }

  async ask(method: string, path: string, question: EngineQuestion = {}): Promise<EngineAnswer> {
    const { body, headers, limitMs } = question;
    const text = body && JSON.stringify(body);
    const call = await this.#call(this.agents.calls, method, path, {
      'Content-Type': 'application/json',
      'Content-Length': String(Buffer.byteLength(text ?? '')),
      ...headers,
    });
    return this.#within(call, async () => readAnswer(await answerTo(call, text)), limitMs);
  }

  /** Opens a stream that the engine goes on writing. The caller destroys it. @throws EngineRefusal too */
  async stream(
    path: string,
    { method = 'GET', headers = {}, limitMs }: StreamQuestion = {},
  ): Promise<IncomingMessage> {
    const call = await this.#call(this.agents.streams, method, path, headers);
    const response = await this.#within(call, () => answerTo(call), limitMs);
    if (response.statusCode === 200) return response;
    const { status, words } = await readAnswer(response);
    throw new EngineRefusal(words, status);
  }

  /** Makes a connection to a container. The caller destroys it. @throws EngineRefusal too */
  async attach(path: string): Promise<Duplex> {
    const headers = { Connection: 'Upgrade', Upgrade: 'tcp', 'Content-Length': '0' };
    const call = await this.#call(this.agents.streams, 'POST', path, headers);
    const upgraded = new Promise<Duplex>((resolve) =>
      call.once('upgrade', (_, socket, head) => {
        if (head.length > 0) socket.unshift(head);
        resolve(socket);
      }),
    );
    const refused = async () => {
      throw new EngineRefusal((await readAnswer(await answerTo(call))).words);
    };
    return this.#within(call, () => Promise.race([upgraded, refused()]));
  }

  cut(): void {
    this.agents.calls.destroy();
    this.agents.streams.destroy();
    this.agents.close?.();
  }

  async #call(
    agent: Agent,
    method: string,
    path: string,
    own: OutgoingHttpHeaders = {},
  ): Promise<ClientRequest> {
    const { prefix = '' } = this.access;
    const headers = { ...(await this.access.headers()), ...own };
    return request({ agent, method, path: prefix + path, headers, host: 'engine' });
  }

  async #within<T>(call: ClientRequest, wait: () => Promise<T>, limitMs = ANSWER_LIMIT_MS): Promise<T> {
    const timer = this.#clock.setTimeout(
      () => call.destroy(new Error('the engine does not answer')),
      limitMs,
    );
    try {
      return await wait();
    } finally {
      timer.dispose();
    }
  }
}

function answerTo(call: ClientRequest, body?: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    call.once('response', resolve);
    // Also that of a stream which breaks later.
    call.on('error', reject);
    call.end(body);
  });
}

async function readAnswer(response: IncomingMessage): Promise<EngineAnswer> {
  let text = '';
  for await (const part of response.setEncoding('utf8')) {
    text += String(part);
    if (text.length > MAX_ANSWER_BYTES) throw new Error('the answer of the engine is too long');
  }
  const body = parsedJson(text);
  const { statusCode: status = 0, headers } = response;
  const version = /^Docker\/([\w.+~-]+)/.exec(String(headers['server'] ?? ''))?.[1];
  return {
    status,
    body,
    words: saidIn(text, body) || `status ${status}`,
    atS: Date.parse(headers.date ?? '') / 1000,
    version,
  };
}

/** What an engine says in an answer: its message, or else all of it. */
export const saidIn = (text: string, body = parsedJson(text)): string =>
  typeof body === 'object' && body !== null && 'message' in body ? String(body.message) : text.trim();
