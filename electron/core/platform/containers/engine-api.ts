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
/** Maximum milliseconds to wait for an answer. The limit is needed because a dead connection does not report an error. */
const ANSWER_LIMIT_MS = 15_000;

type CreateConnection = Agent['createConnection'];

/** Opens a connection, and returns it or passes it to `done`. */
export type Dial = (done: Parameters<CreateConnection>[1]) => ReturnType<CreateConnection> | Promise<Duplex>;

/** Agent of `node:http` that opens its connections with a given function. */
export class DialAgent extends Agent {
  readonly #dial: Dial;

  constructor(dial: Dial, options: AgentOptions) {
    super(options);
    this.#dial = dial;
  }

  // The agent also counts connections that are still being opened, so that it does not exceed its limit. Only a connection that
  // `dial` returns as a promise is not counted until it is open.
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
  /** Agent for short requests. */
  readonly calls: Agent;
  /** Agent for streams, each of which has its own connection. */
  readonly streams: Agent;
  /** Closes the SSH tunnel below the connections, if they use one. */
  readonly close?: () => void;
}

/** Maximum connections for short requests. They are few and kept open, because opening one over SSH takes two seconds. */
const MAX_CALLS = 4;

/** Creates the agents of one engine. `dial` opens a connection to the engine. The owner must destroy both agents. */
export const agentsBy = (dial: Dial): EngineAgents => ({
  calls: new DialAgent(dial, { keepAlive: true, maxSockets: MAX_CALLS }),
  streams: new DialAgent(dial, { keepAlive: false }),
});

/** Error for a request that reached the engine but was refused. Its message is the engine's text. */
export class EngineRefusal extends Error {
  /** HTTP status; undefined if the engine reported the refusal inside an answer. */
  readonly status: number | undefined;

  constructor(words: string, status?: number) {
    super(words);
    this.status = status;
  }
}

export interface EngineAnswer {
  readonly status: number;
  /** Parsed body of the answer; undefined if it is not JSON. */
  readonly body: unknown;
  /** Message of the engine, or else the text of the answer; used to report a refusal. */
  readonly words: string;
  /** Time according to the clock of the engine's machine, in epoch seconds. */
  readonly atS: number;
  /** Version of the engine, if the engine reports it. */
  readonly version: string | undefined;
}

interface EngineQuestion {
  readonly body?: object;
  readonly headers?: OutgoingHttpHeaders;
  /** Time limit in ms. Default 15 s. */
  readonly limitMs?: number;
}

export interface EngineAccess {
  /** Prefix of every path. Default empty. */
  readonly prefix?: string;
  /** Headers that authenticate a request. */
  readonly headers: () => Promise<OutgoingHttpHeaders>;
}

const NO_SIGN_IN: EngineAccess = { headers: () => Promise.resolve({}) };

interface StreamQuestion {
  /** HTTP method. Default GET. */
  readonly method?: string;
  readonly headers?: OutgoingHttpHeaders;
  /** Maximum milliseconds until the stream begins. Default 15 s. */
  readonly limitMs?: number;
}

/**
 * The HTTP API of one container engine. Methods reject if the engine cannot be reached. A refusal by the engine is not a
 * rejection, but a result with its status, except where EngineRefusal is thrown.
 */
export class EngineApi {
  readonly agents: EngineAgents;
  readonly access: EngineAccess;
  readonly #clock: Clock;

  constructor(agents: EngineAgents, clock: Clock, access = NO_SIGN_IN) {
    this.agents = agents;
    this.#clock = clock;
    this.access = access;
  }

  /** Returns the engine machine's time in its log format. @param path a request that every account may make @throws as `ask` */
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

  /** Opens a stream that the engine keeps writing to. The caller must destroy it. @throws EngineRefusal; other errors as `ask` */
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

  /** Connects to a container's input and output. The caller must destroy the result. @throws EngineRefusal, or as `ask` */
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
    // The listener stays registered, so that an error of the stream after the response does not crash the process.
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

/** Returns the message in an answer of the engine; without one, the whole answer. */
export const saidIn = (text: string, body = parsedJson(text)): string =>
  typeof body === 'object' && body !== null && 'message' in body ? String(body.message) : text.trim();
