import { Agent, request, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import type { CallEnd } from './record.ts';

/** How a request ended, with its result where there is one. */
export interface Ended {
  readonly end: CallEnd;
  readonly detail?: string;
  readonly text?: string;
}

interface Answer {
  readonly id?: unknown;
  readonly result?: { readonly content?: readonly { readonly text?: string }[] };
  readonly error?: { readonly code: number; readonly message: string };
}

const PROTOCOL = '2025-06-18';

/** One session of a client with one server, over plain HTTP; it sees what a library hides: answers that never come. */
export class SoakClient {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 4 });
  readonly #url: string;
  readonly #token: string;
  #session: string | undefined;
  #ids = 0;

  constructor(url: string, token: string) {
    this.#url = url;
    this.#token = token;
  }

  get hasSession(): boolean {
    return this.#session !== undefined;
  }

  async open(deadlineMs: number): Promise<Ended> {
    this.#session = undefined;
    const params = {
      protocolVersion: PROTOCOL,
      capabilities: {},
      clientInfo: { name: 'soak', version: '1' },
    };
    const ended = await this.#ask('initialize', params, deadlineMs);
    if (ended.end === 'answered')
      await this.#post({ jsonrpc: '2.0', method: 'notifications/initialized' }, deadlineMs).catch(
        () => undefined,
      );
    return ended;
  }

  callTool(name: string, args: object, deadlineMs: number): Promise<Ended> {
    return this.#ask('tools/call', { name, arguments: args }, deadlineMs);
  }

  dispose(): void {
    this.#agent.destroy();
  }

  async #ask(method: string, params: object, deadlineMs: number): Promise<Ended> {
    const id = (this.#ids += 1);
    try {
      const { status, session, text } = await this.#post({ jsonrpc: '2.0', id, method, params }, deadlineMs);
      if (status === 404 && this.#session !== undefined)
        return { end: 'session-gone', detail: text.slice(0, 200) };
      if (session !== undefined) this.#session = session;
      const answer = messagesOf(text).find((message) => message.id === id);
      if (answer?.error) return { end: 'error', detail: `${answer.error.code} ${answer.error.message}` };
      if (answer) return { end: 'answered', text: answer.result?.content?.[0]?.text ?? '' };
      if (status >= 400) return { end: 'error', detail: `HTTP ${status} ${text.slice(0, 200)}` };
      return { end: 'lost', detail: `HTTP ${status} ended without an answer` };
    } catch (error) {
      if (error instanceof NoAnswer) return { end: 'lost', detail: error.message };
      return { end: 'error', detail: String(error) };
    }
  }

  async #post(
    message: object,
    deadlineMs: number,
  ): Promise<{ readonly status: number; readonly session: string | undefined; readonly text: string }> {
    const body = JSON.stringify(message);
    const sent = request(this.#url, {
      method: 'POST',
      agent: this.#agent,
      headers: {
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(body)),
        accept: 'application/json, text/event-stream',
        authorization: `Bearer ${this.#token}`,
        ...(this.#session !== undefined && {
          'mcp-session-id': this.#session,
          'mcp-protocol-version': PROTOCOL,
        }),
      },
    });
    const timer = setTimeout(
      () => sent.destroy(new NoAnswer(`nothing came within ${deadlineMs} ms`)),
      deadlineMs,
    );
    // Whoever reads the response is told of an error as well; the request tells it again, to nobody.
    sent.on('error', () => undefined);
    try {
      sent.end(body);
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      let text = '';
      for await (const chunk of response.setEncoding('utf8') as AsyncIterable<string>) text += chunk;
      const session = response.headers['mcp-session-id'];
      return {
        status: response.statusCode ?? 0,
        session: typeof session === 'string' ? session : undefined,
        text,
      };
    } finally {
      clearTimeout(timer);
    }
  }
}

/** The connection was there, and no answer came. */
class NoAnswer extends Error {}

/** The messages of a body: one of JSON, or a stream of events. */
function messagesOf(text: string): readonly Answer[] {
  const bodies = text.startsWith('{')
    ? [text]
    : text
        .split(/\r?\n/)
        .flatMap((line) => (line.startsWith('data:') ? [line.slice('data:'.length).trim()] : []));
  return bodies.flatMap((body) => {
    try {
      return [JSON.parse(body) as Answer];
    } catch {
      return []; // An event without data, or one that was cut off.
    }
  });
}
