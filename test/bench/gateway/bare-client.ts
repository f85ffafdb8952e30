import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import type { Endpoint } from '../../fixtures/gateways/connect-client.ts';
import type { Caller } from './callers.ts';

interface Answer {
  readonly id?: number;
  readonly result?: { readonly content?: readonly { readonly text?: string }[] };
  readonly error?: { readonly message: string };
}

type Settle = (answer: Answer) => void;

const EVENT_END = /\r?\n\r?\n/;

/** A client of plain requests on one kept connection, initialized. It speaks Streamable HTTP, or the SSE before it. */
export async function connectBareClient({ url, token, isSse = false }: Endpoint): Promise<Caller> {
  const client = new BareClient(url, token);
  if (isSse) await client.openStream();
  const params = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'bare', version: '1' },
  };
  await client.ask('initialize', params);
  await client.send({ method: 'notifications/initialized' });
  return client;
}

class BareClient implements Caller {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  readonly #pending = new Map<number, Settle>();
  readonly #headers: Record<string, string>;
  #url: string;
  #stream: IncomingMessage | undefined;
  #lastId = 0;

  constructor(url: string, token: string | undefined) {
    this.#url = url;
    this.#headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    };
  }

  async callTool(name: string, args: object): Promise<string> {
    const { result, error } = await this.ask('tools/call', { name, arguments: args });
    if (error) throw new Error(error.message);
    return result?.content?.[0]?.text ?? '';
  }

  async ask(method: string, params: object): Promise<Answer> {
    const id = (this.#lastId += 1);
    const answer = new Promise<Answer>((resolve) => this.#pending.set(id, resolve));
    await this.send({ id, method, params });
    return answer;
  }

  /** Resolves when the response has ended. */
  async send(message: object): Promise<void> {
    const response = await this.#request('POST', this.#url, JSON.stringify({ jsonrpc: '2.0', ...message }));
    const session = response.headers['mcp-session-id'];
    if (typeof session === 'string') this.#headers['mcp-session-id'] = session;
    await this.#read(response);
  }

  /** The stream that answers come on, and the address that is posted to, before Streamable HTTP. */
  async openStream(): Promise<void> {
    this.#stream = await this.#request('GET', this.#url, undefined, new Agent());
    const address = new Promise<string>((resolve) => {
      this.#read(this.#stream!, (event, data) => (event === 'endpoint' ? resolve(data) : undefined)).catch(
        () => undefined, // It was closed.
      );
    });
    this.#url = new URL(await address, this.#url).href;
  }

  async close(): Promise<void> {
    if (this.#headers['mcp-session-id'] !== undefined) (await this.#request('DELETE', this.#url)).resume();
    this.#stream?.destroy();
    this.#agent.destroy();
  }

  async #request(method: string, url: string, body?: string, agent = this.#agent): Promise<IncomingMessage> {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const sent = request(url, { method, agent, headers: { ...this.#headers, ...length } });
    sent.end(body);
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    return response;
  }

  async #read(response: IncomingMessage, onEvent?: (event: string, data: string) => void): Promise<void> {
    const isStream = response.headers['content-type']?.startsWith('text/event-stream') === true;
    let text = '';
    for await (const chunk of response.setEncoding('utf8') as AsyncIterable<string>) {
      text += chunk;
      if (!isStream || !EVENT_END.test(chunk)) continue;
      const events = text.split(EVENT_END);
      text = events.pop()!;
      for (const event of events) this.#take(event, onEvent);
    }
    if (isStream) return;
    if (text.startsWith('{')) this.#settle(text);
  }

  #take(event: string, onEvent?: (event: string, data: string) => void): void {
    const lines = event.split(/\r?\n/);
    const field = (name: string) =>
      lines
        .find((line) => line.startsWith(`${name}:`))
        ?.slice(name.length + 1)
        .trim() ?? '';
    const data = field('data');
    onEvent?.(field('event'), data);
    if (data.startsWith('{')) this.#settle(data);
  }

  #settle(text: string): void {
    const answer = JSON.parse(text) as Answer;
    if (answer.id === undefined) return;
    this.#pending.get(answer.id)?.(answer);
    this.#pending.delete(answer.id);
  }
}
