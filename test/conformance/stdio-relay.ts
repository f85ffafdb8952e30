import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import type { CommandLine } from '../fixtures/fixture-server.ts';

export interface StdioRelay {
  readonly url: string;
  /** What the children wrote to stderr, one text for each session. */
  said(): readonly string[];
  close(): Promise<void>;
}

type Id = string | number;

interface Message {
  readonly id?: Id;
  readonly method?: string;
  readonly params?: { readonly progressToken?: Id; readonly _meta?: { readonly progressToken?: Id } };
}

const SESSION = 'mcp-session-id';
const STREAM = { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' };
const LATE_MS = 5000;
/** Time after which a client that has closed its stream is gone: those of the suite never end their session. */
const GONE_MS = 200;

/**
 * Streamable HTTP in, a stdio child of its own for each session out: what the suite, which speaks HTTP only, says of a program on
 * pipes. Knows messages by id and progress token alone. Listens on 127.0.0.1.
 */
export async function openStdioRelay(
  command: CommandLine,
  env: Readonly<Record<string, string>> = {},
): Promise<StdioRelay> {
  const sessions = new Map<string, Session>();
  const all: Session[] = [];
  const open = async () => {
    // Else the program would meet the next client of the suite while it still has the last one, as no program of one client does.
    await Promise.all(all.filter(({ isLeft }) => isLeft).map((session) => session.end()));
    const session = new Session(spawn(command.command, command.args, { env: { ...process.env, ...env } }));
    sessions.set(session.id, session);
    all.push(session);
    return session;
  };
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    if (!isOwn(request)) return void response.writeHead(403).end();
    const id = request.headers[SESSION];
    const session = id === undefined && request.method === 'POST' ? await open() : sessions.get(String(id));
    if (!session) return void response.writeHead(404).end();
    if (request.method === 'DELETE') sessions.delete(session.id);
    await session.serve(request, response);
  };
  const relay = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  relay.listen(0, '127.0.0.1');
  await once(relay, 'listening');
  return {
    url: `http://127.0.0.1:${(relay.address() as AddressInfo).port}/mcp`,
    said: () => all.map(({ stderr }) => stderr),
    close: async () => {
      await Promise.all(all.map((session) => session.end()));
      relay.closeAllConnections();
      relay.close();
      await once(relay, 'close');
    },
  };
}

/** Of this machine: what comes by the name of another site is refused, which is a part of the suite. */
function isOwn({ headers, socket }: IncomingMessage): boolean {
  const own = `127.0.0.1:${socket.localPort ?? 0}`;
  return headers.host === own && (headers.origin === undefined || headers.origin === `http://${own}`);
}

/** One child, and the streams of the client that has it. */
class Session {
  readonly id = randomUUID();
  stderr = '';
  /** Whether its client has closed its stream. */
  isLeft = false;
  readonly #child: ChildProcess;
  readonly #exited: Promise<unknown>;
  /** Streams of the requests that are not answered, oldest first. */
  readonly #calls = new Map<Id, ServerResponse>();
  readonly #progress = new Map<Id, ServerResponse>();
  #stream: ServerResponse | undefined;
  /** What came while no stream was open. */
  #kept: string[] = [];

  constructor(child: ChildProcess) {
    this.#child = child;
    this.#exited = once(child, 'exit').catch(() => undefined);
    child.stdin!.on('error', () => undefined);
    child.stderr!.setEncoding('utf8').on('data', (text: string) => (this.stderr += text));
    createInterface({ input: child.stdout! })
      .on('line', (line) => this.#heard(JSON.parse(line) as Message, line))
      .on('close', () => this.#close());
  }

  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method === 'DELETE') {
      await this.end();
      return void response.writeHead(200).end();
    }
    if (request.method === 'GET') return this.#listen(response);
    const body = await textOf(request);
    const { id, method, params } = JSON.parse(body) as Message;
    const isAsking = id !== undefined && method !== undefined;
    if (isAsking) {
      response.writeHead(200, { ...STREAM, [SESSION]: this.id }).flushHeaders();
      this.#calls.set(id, response);
      const token = params?._meta?.progressToken;
      if (token !== undefined) this.#progress.set(token, response);
    }
    this.#child.stdin!.write(`${body}\n`);
    if (!isAsking) response.writeHead(202).end();
  }

  /** Ends the input of the child, which ends it. */
  async end(): Promise<void> {
    const late = setTimeout(() => this.#child.kill('SIGKILL'), LATE_MS);
    this.#child.stdin!.end();
    await this.#exited;
    clearTimeout(late);
  }

  #listen(response: ServerResponse): void {
    this.#stream?.end();
    this.isLeft = false;
    this.#stream = response.writeHead(200, STREAM);
    response.flushHeaders();
    response.on('close', () => {
      if (this.#stream !== response) return;
      this.#stream = undefined;
      this.isLeft = true;
      setTimeout(() => this.#stream ?? void this.end(), GONE_MS);
    });
    for (const line of this.#kept.splice(0)) tell(response, line);
  }

  #heard({ id, method, params }: Message, line: string): void {
    if (method !== undefined) {
      const token = method === 'notifications/progress' ? params?.progressToken : undefined;
      // A child on pipes does not say to which call a message belongs: the newest one is as good as any.
      const stream = this.#progress.get(token ?? '') ?? [...this.#calls.values()].at(-1) ?? this.#stream;
      return stream ? tell(stream, line) : void this.#kept.push(line);
    }
    const asked = id === undefined ? undefined : this.#calls.get(id);
    if (id === undefined || !asked) throw new Error(`an answer that nobody waits for: ${line}`);
    this.#calls.delete(id);
    for (const [token, stream] of this.#progress) if (stream === asked) this.#progress.delete(token);
    tell(asked, line);
    asked.end();
  }

  #close(): void {
    for (const stream of this.#calls.values()) stream.end();
    this.#stream?.end();
  }
}

const tell = (stream: ServerResponse, line: string): void => void stream.write(`data: ${line}\n\n`);

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
