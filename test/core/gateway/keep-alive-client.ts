import { connect, type Socket } from 'node:net';

/** An answer as it came. */
export interface Answered {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

const END_OF_HEAD = '\r\n\r\n';

/**
 * A client that speaks to the endpoint of one server over one connection, which it keeps, one request after the other. It is
 * made of a socket alone, because a hundred of Node.js’s own clients would need more of the machine than what they call.
 */
export class KeepAliveClient {
  readonly #socket: Socket;
  readonly #head: string;
  #sessionId: string | undefined;
  #received = '';
  #waiting: { resolve: (answered: Answered) => void; reject: (error: Error) => void } | undefined;

  constructor(url: string, token: string) {
    const { hostname, port, pathname, host } = new URL(url);
    this.#head = ` ${pathname} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\n`;
    this.#socket = connect({ host: hostname, port: Number(port), noDelay: true });
    this.#socket.setEncoding('utf8').on('data', (text: string) => this.#took(text));
    this.#socket.on('error', (error) => this.#waiting?.reject(error));
    this.#socket.on('close', () => this.#waiting?.reject(new Error('The connection was closed.')));
  }

  /** The id of its session; another one's, where it takes that. */
  get sessionId(): string | undefined {
    return this.#sessionId;
  }
  set sessionId(id: string | undefined) {
    this.#sessionId = id;
  }

  async initialize(): Promise<void> {
    const status = await this.begin();
    if (status !== 200) throw new Error(`initialize was answered with ${status}`);
    await this.#post({ method: 'notifications/initialized' });
  }

  /** Asks for a session, in place of the one before. Resolves with the status. */
  async begin(): Promise<number> {
    const clientInfo = { name: 'raw', version: '1' };
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
    const { status, head } = await this.#post({ id: 0, method: 'initialize', params });
    this.#sessionId = headerIn(head, 'Mcp-Session-Id');
    return status;
  }

  /** The body of the answer to a call of `echo`, as it came. */
  async echo(id: number | string, text: string): Promise<string> {
    const params = { name: 'echo', arguments: { text } };
    return (await this.request(id, 'tools/call', params)).body;
  }

  request(id: number | string, method: string, params: object): Promise<Answered> {
    return this.#post({ id, method, params });
  }

  /** Ends the session. Resolves with the status. */
  async end(): Promise<number> {
    return (await this.#ask('DELETE')).status;
  }

  close(): void {
    this.#socket.destroy();
  }

  #post(message: object): Promise<Answered> {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message });
    const lengths = `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`;
    return this.#ask('POST', lengths, body);
  }

  #ask(method: string, lines = '', body = ''): Promise<Answered> {
    const session = this.#sessionId === undefined ? '' : `Mcp-Session-Id: ${this.#sessionId}\r\n`;
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      this.#socket.write(`${method}${this.#head}${lines}${session}\r\n${body}`);
    });
  }

  /** What it is answered is plain ASCII, so that its length in bytes is its length. */
  #took(text: string): void {
    this.#received += text;
    const end = this.#received.indexOf(END_OF_HEAD);
    if (end < 0) return;
    const head = this.#received.slice(0, end);
    const from = end + END_OF_HEAD.length;
    const until = from + Number(headerIn(head, 'Content-Length') ?? 0);
    if (this.#received.length < until) return;
    const body = this.#received.slice(from, until);
    this.#received = this.#received.slice(until);
    const { resolve } = this.#waiting!;
    this.#waiting = undefined;
    resolve({ status: Number(head.split(' ')[1]), head, body });
  }
}

function headerIn(head: string, name: string): string | undefined {
  const line = head.split('\r\n').find((each) => each.toLowerCase().startsWith(`${name.toLowerCase()}: `));
  return line?.slice(name.length + 2);
}
