import type { ServerResponse } from 'node:http';
import type { Reply } from '../types.ts';
import type { Kept, ReplyKeeper } from './reply-keeper.ts';

/** A client that waits for longer is sent an event stream: many give up a response of which nothing has come for minutes. */
const QUIET_MS = 10_000;
const COMMENT_MS = 15_000;
/** A client that has taken nothing for so long, while there was something, is gone, whatever its socket says. */
const STUCK_MS = 60_000;
/** What waits for a client that reads too slowly; one message may be longer. */
const MAX_QUEUED_BYTES = 1024 * 1024;
const STREAM_HEADERS = { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache' };
const COMMENT = ':\n\n';
const [LINE_FEED, CARRIAGE_RETURN, SPACE] = [0x0a, 0x0d, 0x20];

type Body = string | readonly Uint8Array[];
type State = 'waiting' | 'streaming' | 'ended' | 'gone';

/** A `Reply` over a response of Node.js: JSON with its length, unless something has to go before the answer. */
export class HttpReply implements Reply, Kept {
  readonly #res: ServerResponse;
  readonly #keeper: ReplyKeeper;
  readonly #goneListeners = new Set<() => void>();
  #state: State = 'waiting';
  #takenBytes = 0;
  #takenAtMs: number;
  dueAtMs: number;

  constructor(res: ServerResponse, keeper: ReplyKeeper) {
    this.#res = res;
    this.#keeper = keeper;
    this.#takenAtMs = keeper.nowMs();
    this.dueAtMs = this.#takenAtMs + QUIET_MS;
    keeper.watch(this);
    res.once('close', () => this.#closed());
  }

  get isOpen(): boolean {
    return this.#state === 'waiting' || this.#state === 'streaming';
  }

  header(name: string, value: string): void {
    if (this.#state === 'waiting') this.#res.setHeader(name, value);
  }

  status(code: number, body?: object): void {
    if (this.#state === 'streaming') return body ? this.end(body) : this.close();
    if (this.#state !== 'waiting') return;
    this.#state = 'ended';
    if (body) return this.#sendJson(code, JSON.stringify(body));
    this.#res.writeHead(code, { 'Content-Length': 0 });
    this.#res.end();
  }

  stream(message: object): boolean {
    if (!this.isOpen) return false;
    const text = JSON.stringify(message);
    const queuedBytes = this.#res.writableLength;
    if (queuedBytes > 0 && queuedBytes + text.length > MAX_QUEUED_BYTES) return false;
    this.#beginStream();
    this.#res.write(`event: message\ndata: ${text}\n\n`);
    return true;
  }

  open(): void {
    if (this.#state !== 'waiting') return;
    this.#beginStream();
    this.#comment();
  }

  end(message: object | readonly Uint8Array[]): void {
    if (!this.isOpen) return;
    const body = isParts(message) ? message : JSON.stringify(message);
    const isStream = this.#state === 'streaming';
    this.#ending();
    if (isStream) this.#sendLastEvent(body);
    else this.#sendJson(200, body);
  }

  close(): void {
    if (this.#state === 'waiting') this.#beginStream();
    if (this.#state !== 'streaming') return;
    this.#ending();
    this.#res.end();
  }

  onGone(listener: () => void): () => void {
    if (this.#state === 'gone') listener();
    else if (this.isOpen) this.#goneListeners.add(listener);
    return () => void this.#goneListeners.delete(listener);
  }

  /** Breaks the connection off, such as when its client may use nothing any more. */
  drop(): void {
    this.#res.destroy();
    this.#closed();
  }

  /** For the keeper: it has waited for long. */
  onDue(nowMs: number): void {
    this.dueAtMs = nowMs + COMMENT_MS;
    if (this.#isStuck(nowMs)) return this.drop();
    if (this.#state === 'waiting') this.open();
    else if (this.#state === 'streaming') this.#comment();
  }

  /** Its queue alone does not tell: a server may refill it as fast as the client takes from it. */
  #isStuck(nowMs: number): boolean {
    const { socket, writableLength } = this.#res;
    // Behind another response on the same connection, it waits for that one, and not for its client.
    const takenBytes = socket ? socket.bytesWritten - socket.writableLength : 0;
    if (!socket || writableLength === 0 || takenBytes > this.#takenBytes) this.#takenAtMs = nowMs;
    this.#takenBytes = takenBytes;
    return nowMs - this.#takenAtMs >= STUCK_MS;
  }

  #beginStream(): void {
    if (this.#state !== 'waiting') return;
    this.#state = 'streaming';
    this.dueAtMs = this.#keeper.nowMs() + COMMENT_MS;
    this.#res.writeHead(200, STREAM_HEADERS);
    this.#res.flushHeaders();
  }

  /** Where something waits to be taken, a comment would only wait behind it. */
  #comment(): void {
    if (this.#res.writableLength === 0) this.#res.write(COMMENT);
  }

  #ending(): void {
    this.#state = 'ended';
    this.#takenAtMs = this.#keeper.nowMs();
  }

  #sendJson(code: number, body: Body): void {
    this.#res.writeHead(code, { 'Content-Type': 'application/json', 'Content-Length': lengthOf(body) });
    this.#send(body);
  }

  #sendLastEvent(body: Body): void {
    if (typeof body === 'string') return this.#send(`event: message\ndata: ${body}\n\n`);
    this.#res.write('event: message\ndata: ');
    this.#send([...body.map(inOneLine), Buffer.from('\n\n')]);
  }

  #send(body: Body): void {
    if (typeof body === 'string') return void this.#res.end(body);
    const last = body.length - 1;
    for (const part of body.slice(0, last)) this.#res.write(part);
    this.#res.end(body[last]);
  }

  #closed(): void {
    this.#keeper.forget(this);
    const wasOpen = this.isOpen;
    if (wasOpen) this.#state = 'gone';
    const listeners = [...this.#goneListeners];
    this.#goneListeners.clear();
    if (wasOpen) for (const listener of listeners) listener();
  }
}

function isParts(message: object | readonly Uint8Array[]): message is readonly Uint8Array[] {
  return Array.isArray(message);
}

function lengthOf(body: Body): number {
  if (typeof body === 'string') return Buffer.byteLength(body);
  return body.reduce((sum, part) => sum + part.length, 0);
}

/** A line break of JSON stands between its values alone, where a space will do; in an event it would end the data. */
function inOneLine(part: Uint8Array): Uint8Array {
  if (!part.includes(LINE_FEED) && !part.includes(CARRIAGE_RETURN)) return part;
  return part.map((byte) => (byte === LINE_FEED || byte === CARRIAGE_RETURN ? SPACE : byte));
}
