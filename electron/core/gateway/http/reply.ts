import type { ServerResponse } from 'node:http';
import type { GatewayClient, GatewayReply } from '../types.ts';
import type { Place } from './limits.ts';
import type { UnreadBytes, UnreadResponse } from './unread-bytes.ts';

/** Milliseconds until a response becomes an event stream, because many clients abandon a response that is silent for minutes. */
const QUIET_MS = 10_000;
const COMMENT_MS = 15_000;
/** Milliseconds after which a client that reads none of its waiting data counts as gone, even if its socket is open. */
const STUCK_MS = 60_000;

type State = 'waiting' | 'streaming' | 'ended' | 'gone';

export type OpenReply = Pick<HttpReply, 'client' | 'drop' | 'dueAtMs' | 'onDue'>;

/** What all open responses share: the count of unread bytes, the clock, and the timer for `onDue`. */
export interface ReplyWatch {
  readonly unread: UnreadBytes;
  /** Returns the current time in monotonic milliseconds. */
  now(): number;
  /** Begins to watch an open response: calls its `onDue` each time its `dueAtMs` is reached, until `over` is called. */
  begin(reply: OpenReply): void;
  /** Ends the watch of the response. Returns true if the response was open until now. */
  over(reply: OpenReply): boolean;
}

/**
 * The reply to one request, sent through a response of Node.js. The reply is JSON with a stated length. If messages have to be
 * sent before the answer, it is an event stream instead.
 */
export class HttpReply implements GatewayReply, UnreadResponse {
  readonly client: GatewayClient;
  readonly place: Place;
  readonly #res: ServerResponse;
  readonly #watch: ReplyWatch;
  /** Set only for a response that is a stream; most are not. */
  #eventWriter: EventWriter | undefined;
  #goneListeners: Set<() => void> | undefined;
  #state: State = 'waiting';
  #takenBytes = 0;
  #sentBytes = 0;
  #takenAtMs: number;
  /** Monotonic milliseconds of the next call of `onDue`. */
  dueAtMs: number;

  /** @param place slot of the request, which is released once its response has ended */
  constructor(res: ServerResponse, client: GatewayClient, place: Place, watch: ReplyWatch) {
    this.client = client;
    this.place = place;
    this.#res = res;
    this.#watch = watch;
    this.#takenAtMs = watch.now();
    this.dueAtMs = this.#takenAtMs + QUIET_MS;
    watch.begin(this);
    res.on('close', () => this.#closed());
  }

  get isOpen(): boolean {
    return this.#state === 'waiting' || this.#state === 'streaming';
  }
  get bytes(): { readonly in: number; readonly out: number } {
    // `in` is 0 for a body that is sent in chunks, because such a request does not state the length of its body.
    return { in: Number(this.#res.req.headers['content-length'] ?? 0), out: this.#sentBytes };
  }
  get takenAtMs(): number {
    return this.#takenAtMs;
  }

  header(name: string, value: string): void {
    if (this.#state === 'waiting') this.#res.setHeader(name, value);
  }

  status(code: number, body?: object): void {
    if (this.#state === 'streaming') return body ? this.end(body) : this.close();
    if (this.#state !== 'waiting') return;
    this.#state = 'ended';
    if (body) return sendJson(this.#res, code, JSON.stringify(body));
    this.#res.writeHead(code, { 'Content-Length': 0 });
    this.#res.end();
  }

  stream(message: object): boolean {
    if (!this.isOpen) return false;
    const text = JSON.stringify(message);
    if (!this.#events.hasRoomFor(text)) return false;
    this.#beginStream();
    this.#events.message(text);
    this.#sentBytes += text.length;
    return true;
  }

  open(): void {
    if (this.#state !== 'waiting') return;
    this.#beginStream();
    this.#events.comment();
  }

  end(message: object | readonly Uint8Array[], onWritten?: () => void): void {
    if (!this.isOpen) return;
    const body = isParts(message) ? message : JSON.stringify(message);
    const bytes = sizeOf(body);
    this.#sentBytes += bytes;
    const isStream = this.#state === 'streaming';
    this.#ending();
    const { socket } = this.#res;
    // `finish` is also emitted when the connection breaks, while the system may still be reading the body. `onWritten` must not
    // be called then, because the caller frees the memory of the body in it.
    if (onWritten) this.#res.once('finish', () => socket?.destroyed === false && onWritten());
    if (isStream) return this.#events.end(body);
    sendJson(this.#res, 200, body, bytes);
    this.#written();
  }

  close(): void {
    if (this.#state === 'waiting') this.#beginStream();
    if (this.#state !== 'streaming') return;
    this.#ending();
    this.#events.end();
  }

  onGone(listener: () => void): () => void {
    if (this.#state === 'gone') listener();
    else if (this.isOpen) (this.#goneListeners ??= new Set()).add(listener);
    return () => void this.#goneListeners?.delete(listener);
  }

  /** Closes the connection, for example because the client was revoked. */
  drop(): void {
    this.#res.destroy();
    this.#closed();
  }

  /** Called by the shared timer at `dueAtMs`. Sends something to keep the client waiting, or closes a response no longer read. */
  onDue(nowMs: number): void {
    this.dueAtMs = nowMs + COMMENT_MS;
    this.unreadAt(nowMs);
    if (nowMs - this.#takenAtMs >= STUCK_MS) return this.drop();
    if (this.#state === 'waiting') this.open();
    else if (this.#state === 'streaming') this.#events.comment();
  }

  /**
   * Returns the number of bytes that wait for the client, and notes whether it has read any. Both counters of the socket are
   * used for that, because the length of the queue can stay the same while the client reads and more is written.
   */
  unreadAt(nowMs: number): number {
    const { socket, writableLength } = this.#res;
    // A response without a socket waits for an earlier response on the same connection. The client is not to blame for that, so
    // it counts as reading.
    const takenBytes = socket ? socket.bytesWritten - socket.writableLength : 0;
    if (!socket || writableLength === 0 || takenBytes > this.#takenBytes) this.#takenAtMs = nowMs;
    this.#takenBytes = takenBytes;
    return writableLength;
  }

  get #events(): EventWriter {
    return (this.#eventWriter ??= new EventWriter(this.#res, () => this.#written()));
  }

  #written(): void {
    this.#watch.unread.note(this, this.#res.writableLength);
  }

  #beginStream(): void {
    if (this.#state !== 'waiting') return;
    this.#state = 'streaming';
    this.dueAtMs = this.#watch.now() + COMMENT_MS;
    this.#events.begin();
  }

  #ending(): void {
    this.#state = 'ended';
    this.#takenAtMs = this.#watch.now();
  }

  #closed(): void {
    // This method runs twice if the panel closes the response: immediately, and again when the connection has closed.
    if (!this.#watch.over(this)) return;
    this.#watch.unread.forget(this);
    this.place.giveBack();
    const listeners = this.isOpen ? this.#goneListeners : undefined;
    if (this.isOpen) this.#state = 'gone';
    this.#goneListeners = undefined;
    for (const listener of [...(listeners ?? [])]) listener();
  }
}

/** Maximum bytes that may wait for a slow client; a single message may be longer. */
const MAX_QUEUED_BYTES = 1024 * 1024;
const HEADERS = { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache' };
const COMMENT = ':\n\n';

/** A response as an event stream. Events of one event-loop tick share one write, because a write costs more than an event. */
export class EventWriter {
  readonly #res: ServerResponse;
  readonly #onWritten: () => void;
  #gathered = '';

  /** @param onWritten called after each write of messages, even if the client has not read all of them yet */
  constructor(res: ServerResponse, onWritten: () => void) {
    this.#res = res;
    this.#onWritten = onWritten;
  }

  begin(): void {
    this.#res.writeHead(200, HEADERS);
    this.#res.flushHeaders();
  }

  /**
   * True if another event with `text` may be added. False if the client reads too slowly, so that too much data waits already.
   */
  hasRoomFor(text: string): boolean {
    const queuedBytes = this.#res.writableLength + this.#gathered.length;
    return queuedBytes === 0 || queuedBytes + text.length <= MAX_QUEUED_BYTES;
  }

  message(text: string): void {
    if (this.#gathered === '') queueMicrotask(() => this.#flush());
    this.#gathered += eventOf(text);
  }

  /** Sends a keep-alive comment, unless data waits, because the comment would only queue behind it. */
  comment(): void {
    if (this.#gathered === '' && this.#res.writableLength === 0) this.#res.write(COMMENT);
  }

  /** Ends the stream. @param last the answer, if there is one */
  end(last?: Body): void {
    if (typeof last === 'string') this.#gathered += eventOf(last);
    this.#flush();
    if (last === undefined || typeof last === 'string') return void this.#res.end();
    this.#res.write('event: message\ndata: ');
    endWith(this.#res, [...last.map(inOneLine), Buffer.from('\n\n')]);
    this.#onWritten();
  }

  #flush(): void {
    const text = this.#gathered;
    this.#gathered = '';
    if (text === '' || this.#res.destroyed) return;
    this.#res.write(text);
    this.#onWritten();
  }
}

function eventOf(text: string): string {
  return `event: message\ndata: ${text}\n\n`;
}

/** JSON as a text, or as bytes in parts, which are written without being copied. */
type Body = string | readonly Uint8Array[];

const [LINE_FEED, CARRIAGE_RETURN, SPACE] = [0x0a, 0x0d, 0x20];

/** Ends the response with a JSON body and its length. */
function sendJson(res: ServerResponse, code: number, body: Body, bytes = sizeOf(body)): void {
  res.writeHead(code, { 'Content-Type': 'application/json', 'Content-Length': bytes });
  endWith(res, body);
}

/** Writes the body and ends the response. */
function endWith(res: ServerResponse, body: Body): void {
  if (typeof body === 'string') return void res.end(body);
  const last = body.length - 1;
  for (let index = 0; index < last; index += 1) res.write(body[index]);
  res.end(body[last]);
}

/** Replaces line breaks with spaces, because a line break would end the event's data. In JSON they occur only between values. */
function inOneLine(part: Uint8Array): Uint8Array {
  if (!part.includes(LINE_FEED) && !part.includes(CARRIAGE_RETURN)) return part;
  return part.map((byte) => (byte === LINE_FEED || byte === CARRIAGE_RETURN ? SPACE : byte));
}

function isParts(message: object | readonly Uint8Array[]): message is readonly Uint8Array[] {
  return Array.isArray(message);
}

const sizeOf = (body: Body): number =>
  typeof body === 'string' ? Buffer.byteLength(body) : body.reduce((sum, part) => sum + part.length, 0);
