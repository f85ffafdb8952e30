import { connect, type Socket } from 'node:net';
import type { Endpoint } from '../../fixtures/gateways/connect-client.ts';

const HEAD_END = '\r\n\r\n';
const VERSION = '2025-06-18';
const INITIALIZE = {
  protocolVersion: VERSION,
  capabilities: {},
  clientInfo: { name: 'raw client', version: '1' },
};
/** Milliseconds of silence after which a call has failed. */
const DEADLINE_MS = 20_000;
const TEXT = '"type":"text","text":"';

/** One session of a client over plain sockets, one request at a time. It costs so little that it hides no gateway's cost. */
export class RawClient {
  readonly #url: URL;
  readonly #connection: Connection;
  /** The stream that answers come on, before Streamable HTTP. */
  readonly #stream: Connection | undefined;
  readonly #authorization: string;
  #path: string;
  #session = '';
  #ids = 0;

  constructor({ url, token, isSse = false }: Endpoint) {
    this.#url = new URL(url);
    this.#path = this.#url.pathname;
    this.#authorization = token === undefined ? '' : `Authorization: Bearer ${token}\r\n`;
    this.#connection = new Connection(Number(this.#url.port));
    this.#stream = isSse ? new Connection(Number(this.#url.port)) : undefined;
  }

  async open(): Promise<void> {
    const address = await this.#stream?.exchange(this.#request('GET'), isEvent);
    if (address) this.#path = /^data: *(\S+)/m.exec(address)![1]!;
    const answer = await this.#ask('initialize', INITIALIZE);
    const id = /^mcp-session-id: *(\S+)/im.exec(answer)?.[1];
    if (id !== undefined) this.#session = `Mcp-Session-Id: ${id}\r\nMCP-Protocol-Version: ${VERSION}\r\n`;
    await this.#connection.exchange(
      this.#request('POST', { jsonrpc: '2.0', method: 'notifications/initialized' }),
    );
  }

  /** First text of the tool's answer; empty without one. */
  async callTool(name: string, args: object): Promise<string> {
    const answer = await this.#ask('tools/call', { name, arguments: args });
    const start = answer.indexOf(TEXT);
    return start === -1 ? '' : answer.slice(start + TEXT.length, answer.indexOf('"', start + TEXT.length));
  }

  async close(): Promise<void> {
    if (this.#session !== '') await this.#connection.exchange(this.#request('DELETE'));
    this.#connection.end();
    this.#stream?.end();
  }

  async #ask(method: string, params: object): Promise<string> {
    this.#ids += 1;
    const request = this.#request('POST', { jsonrpc: '2.0', id: this.#ids, method, params });
    const event = this.#stream?.exchange('', isEvent);
    const answer = await this.#connection.exchange(request);
    return event ?? answer;
  }

  #request(method: string, message?: object): string {
    const body = message === undefined ? '' : JSON.stringify(message);
    const { host } = this.#url;
    const own = `Host: ${host}\r\n${this.#authorization}${this.#session}`;
    const fixed = 'Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n';
    const length = `Content-Length: ${Buffer.byteLength(body)}`;
    return `${method} ${this.#path} HTTP/1.1\r\n${own}${fixed}${length}${HEAD_END}${body}`;
  }
}

/** A socket with one exchange at a time; a new one where the gateway has closed it between two of them. */
class Connection {
  readonly #port: number;
  #socket: Socket;
  #text = '';
  #isWhole = isResponse;
  #settle: { resolve: (text: string) => void; reject: (error: Error) => void } | undefined;

  constructor(port: number) {
    this.#port = port;
    this.#socket = this.#connect();
  }

  #connect(): Socket {
    const socket = connect(this.#port, '127.0.0.1').setNoDelay().setEncoding('latin1');
    socket.on('data', (chunk) => {
      this.#text += String(chunk);
      if (!this.#isWhole(this.#text)) return;
      const text = this.#text;
      this.#text = '';
      socket.setTimeout(0);
      this.#settle?.resolve(text);
    });
    socket.on('timeout', () => socket.destroy());
    socket.on('error', () => undefined);
    socket.on('end', () => socket.destroy());
    socket.on('close', () => this.#settle?.reject(new Error('the connection was closed')));
    return socket;
  }

  /** Sends a request and resolves with what came when that is whole, chunks joined. */
  async exchange(request: string, isWhole = isResponse): Promise<string> {
    if (this.#socket.destroyed) this.#socket = this.#connect();
    this.#isWhole = isWhole;
    const whole = new Promise<string>((resolve, reject) => (this.#settle = { resolve, reject }));
    this.#socket.setTimeout(DEADLINE_MS);
    if (request !== '') this.#socket.write(request);
    const text = await whole;
    return /^transfer-encoding: *chunked/im.test(text.slice(0, text.indexOf(HEAD_END))) ? joined(text) : text;
  }

  end(): void {
    this.#socket.destroy();
  }
}

function isResponse(text: string): boolean {
  const end = text.indexOf(HEAD_END);
  if (end === -1) return false;
  const length = /^content-length: *(\d+)/im.exec(text.slice(0, end))?.[1];
  if (length !== undefined) return text.length >= end + HEAD_END.length + Number(length);
  return text.startsWith('HTTP/1.1 204') || text.endsWith(`\r\n0${HEAD_END}`);
}

/** Whether the last event of a stream is whole. */
const isEvent = (text: string): boolean => text.includes('data:') && text.endsWith('\n\n\r\n');

/** A response with its chunks put together. */
function joined(text: string): string {
  let at = text.indexOf(HEAD_END) + HEAD_END.length;
  let body = text.slice(0, at);
  while (at < text.length) {
    const lineEnd = text.indexOf('\r\n', at);
    const length = Number.parseInt(text.slice(at, lineEnd), 16);
    body += text.slice(lineEnd + 2, lineEnd + 2 + length);
    at = lineEnd + 2 + length + 2;
  }
  return body;
}
