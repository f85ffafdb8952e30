import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Clock } from '../../../electron/core/clock.ts';
import { CurrentTask } from '../../../electron/core/current-task.ts';
import {
  openClientRegistry,
  type ClientRegistry,
} from '../../../electron/core/gateway/auth/client-registry.ts';
import type { RefusalReason } from '../../../shared/gateway.ts';
import { Gateway, type GatewayOptions } from '../../../electron/core/gateway/gateway.ts';
import type {
  AdmittedRequest,
  Edge,
  InboundMessage,
  GatewayReply,
} from '../../../electron/core/gateway/types.ts';
import { systemClock } from '../../../electron/core/platform/system-clock.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { readHere } from '../long-message.ts';

/** What came through the guard. */
export interface Passed {
  readonly request: AdmittedRequest;
  readonly message?: InboundMessage;
  readonly reply: GatewayReply;
}

/** An edge that answers requests with what it was given, opens streams, and remembers everything. */
export class FakeEdge implements Edge {
  readonly posts: Passed[] = [];
  readonly streams: Passed[] = [];
  readonly ended: Passed[] = [];
  /** Set to answer otherwise than by an echo. */
  answer: ((passed: Passed) => void) | undefined;

  post(request: AdmittedRequest, message: InboundMessage, reply: GatewayReply): void {
    const passed = { request, message, reply };
    this.posts.push(passed);
    if (this.answer) this.answer(passed);
    else if (message.id === undefined) reply.status(202);
    else reply.end({ jsonrpc: '2.0', id: message.id, result: { server: request.server } });
  }

  listen(request: AdmittedRequest, reply: GatewayReply): void {
    this.streams.push({ request, reply });
    reply.open();
  }

  end(request: AdmittedRequest, reply: GatewayReply): void {
    this.ended.push({ request, reply });
    reply.status(204);
  }
}

export interface GatewayFixture {
  readonly gateway: Gateway;
  readonly edge: FakeEdge;
  readonly clients: ClientRegistry;
  readonly home: string;
  readonly refusals: { readonly reason: RefusalReason; readonly clientName: string | undefined }[];
  readonly faults: unknown[];
  readonly port: number;
  /** Of a client that may use every server. */
  readonly token: string;
}

export type FixtureOptions = Partial<Omit<GatewayOptions, 'edge' | 'clients'>>;

/** A gateway on a port of its own with one client, `first`. It ends with the test. */
export async function createGatewayFixture(options: FixtureOptions = {}): Promise<GatewayFixture> {
  const home = tempFolder('gateway-');
  const clock: Clock = options.clock ?? systemClock;
  const clients = await openClientRegistry({
    path: join(home, 'clients.json'),
    clock: systemClock,
    wallClock: systemClock,
    randomBytes,
  });
  const edge = new FakeEdge();
  const refusals: GatewayFixture['refusals'] = [];
  const faults: unknown[] = [];
  const gateway = new Gateway({
    clock,
    wallClock: systemClock,
    settings: () => ({ enabled: true, port: 0 }),
    onStatus: () => undefined,
    currentTask: new CurrentTask(clock),
    reader: readHere,
    onRefused: (reason, clientName) => refusals.push({ reason, clientName }),
    onFault: (error) => faults.push(error),
    ...options,
    clients,
    edge,
  });
  onTestFinished(async () => {
    await gateway.stop();
    await clients.dispose();
  });
  await gateway.start();
  const { token } = await clients.create({ name: 'first' });
  return {
    gateway,
    edge,
    clients,
    home,
    refusals,
    faults,
    token,
    get port() {
      return gateway.status.port;
    },
  };
}

export interface Ask {
  readonly port: number;
  readonly method?: string;
  readonly path?: string;
  readonly token?: string | undefined;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: string | Buffer;
}

export interface Answered {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly text: string;
}

export const PATH = '/servers/files/mcp';
export const ping = (id: string | number = 1) => JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' });

/** One request on a connection of its own, a POST of a `ping` unless told otherwise. */
export function ask({ port, method = 'POST', path = PATH, token, headers, body }: Ask): Promise<Answered> {
  const content = body ?? (method === 'POST' ? ping() : '');
  return new Promise((resolve, reject) => {
    const req = request({
      port,
      method,
      path,
      host: '127.0.0.1',
      agent: false,
      headers: {
        ...(token !== undefined && { Authorization: `Bearer ${token}` }),
        ...(method === 'POST' && { 'Content-Type': 'application/json' }),
        ...(content.length > 0 && { 'Content-Length': String(Buffer.byteLength(content)) }),
        ...headers,
      },
    });
    req.on('error', reject);
    req.on('response', (res) => {
      const parts: Buffer[] = [];
      res.on('data', (part: Buffer) => parts.push(part));
      res.on('end', () =>
        resolve({ status: res.statusCode ?? 0, headers: res.headers, text: Buffer.concat(parts).toString() }),
      );
      res.on('error', reject);
    });
    req.end(content);
  });
}

/** A connection that is spoken to letter by letter. */
export class RawConnection {
  readonly socket: Socket;
  text = '';
  isClosed = false;

  constructor(port: number, host = '127.0.0.1') {
    this.socket = connect({ port, host });
    this.socket.setNoDelay(true);
    this.socket.on('data', (part) => (this.text += part.toString('latin1')));
    this.socket.on('error', () => undefined);
    this.socket.on('close', () => (this.isClosed = true));
  }

  /** 0 before there is an answer. */
  get status(): number {
    return Number(/^HTTP\/1\.1 (\d{3})/.exec(this.text)?.[1] ?? 0);
  }

  send(text: string | Buffer): this {
    this.socket.write(text);
    return this;
  }

  /** Resolves when `is` holds. */
  async until(is: () => boolean): Promise<void> {
    while (!is()) await new Promise((resolve) => setImmediate(resolve));
  }

  /** The status of the answer; 0 where the connection was closed without one. */
  async answered(): Promise<number> {
    await this.until(() => this.status !== 0 || this.isClosed);
    return this.status;
  }

  close(): void {
    this.socket.destroy();
  }
}

/** The head of a POST to a server, for a raw connection. */
export function headOf(port: number, token: string, extra: readonly string[], target = PATH): string {
  const lines = [
    `POST ${target} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    `Authorization: Bearer ${token}`,
    'Content-Type: application/json',
    ...extra,
  ];
  return `${lines.join('\r\n')}\r\n\r\n`;
}

/** A POST of a `ping`, for a raw connection. */
export const postOf = (port: number, token: string, target = PATH, body = ping()): string =>
  headOf(port, token, [`Content-Length: ${body.length}`], target) + body;

/** The request for a stream, for a raw connection. */
export const streamOf = (port: number, token: string, target = PATH): string =>
  `GET ${target} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\n\r\n`;
