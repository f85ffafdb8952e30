import type { ServerResponse } from 'node:http';
import type { GatewayClient, Reply } from '../types.ts';
import { EventWriter } from './event-writer.ts';
import { bodyOf, sendJson } from './reply-body.ts';
import type { Kept, ReplyKeeper } from './reply-keeper.ts';
import type { UnreadBytes, UnreadResponse } from './unread-bytes.ts';

/** A client that waits for longer is sent an event stream: many give up a response of which nothing has come for minutes. */
const QUIET_MS = 10_000;
const COMMENT_MS = 15_000;
/** A client that has taken nothing for so long, while there was something, is gone, whatever its socket says. */
const STUCK_MS = 60_000;

type State = 'waiting' | 'streaming' | 'ended' | 'gone';

/** What an open response is watched by. */
export interface ReplyWatch {
  readonly client: GatewayClient;
  readonly keeper: ReplyKeeper;
  readonly unread: UnreadBytes;
  /** The response is over, answered or not. Called once. */
  readonly onOver: () => void;
}

/** A `Reply` over a response of Node.js: JSON with its length, unless something has to go before the answer. */
export class HttpReply implements Reply, Kept, UnreadResponse {
  readonly client: GatewayClient;
  readonly #res: ServerResponse;
  readonly #events: EventWriter;
  readonly #keeper: ReplyKeeper;
  readonly #unread: UnreadBytes;
  readonly #onOver: () => void;
  readonly #goneListeners = new Set<() => void>();
  #state: State = 'waiting';
  #takenBytes = 0;
  #takenAtMs: number;
  dueAtMs: number;

  constructor(res: ServerResponse, { client, keeper, unread, onOver }: ReplyWatch) {
    this.client = client;
    this.#res = res;
    this.#events = new EventWriter(res, () => this.#written());
    this.#keeper = keeper;
    this.#unread = unread;
    this.#onOver = onOver;
    this.#takenAtMs = keeper.nowMs();
    this.dueAtMs = this.#takenAtMs + QUIET_MS;
    keeper.watch(this);
    res.once('close', () => this.#closed());
  }

  get isOpen(): boolean {
    return this.#state === 'waiting' || this.#state === 'streaming';
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
    return true;
  }

  open(): void {
    if (this.#state !== 'waiting') return;
    this.#beginStream();
    this.#events.comment();
  }

  end(message: object | readonly Uint8Array[]): void {
    if (!this.isOpen) return;
    const body = bodyOf(message);
    const isStream = this.#state === 'streaming';
    this.#ending();
    if (isStream) return this.#events.end(body);
    sendJson(this.#res, 200, body);
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
    this.unreadAt(nowMs);
    if (nowMs - this.#takenAtMs >= STUCK_MS) return this.drop();
    if (this.#state === 'waiting') this.open();
    else if (this.#state === 'streaming') this.#events.comment();
  }

  /** Its queue alone does not tell: a server may refill it as fast as the client takes from it. */
  unreadAt(nowMs: number): number {
    const { socket, writableLength } = this.#res;
    // Behind another response on the same connection, it waits for that one, and not for its client.
    const takenBytes = socket ? socket.bytesWritten - socket.writableLength : 0;
    if (!socket || writableLength === 0 || takenBytes > this.#takenBytes) this.#takenAtMs = nowMs;
    this.#takenBytes = takenBytes;
    return writableLength;
  }

  #written(): void {
    this.#unread.note(this, this.#res.writableLength);
  }

  #beginStream(): void {
    if (this.#state !== 'waiting') return;
    this.#state = 'streaming';
    this.dueAtMs = this.#keeper.nowMs() + COMMENT_MS;
    this.#events.begin();
  }

  #ending(): void {
    this.#state = 'ended';
    this.#takenAtMs = this.#keeper.nowMs();
  }

  #closed(): void {
    // What is broken off closes here, and once more when its connection has.
    if (!this.#keeper.forget(this)) return;
    this.#unread.forget(this);
    this.#onOver();
    const wasOpen = this.isOpen;
    if (wasOpen) this.#state = 'gone';
    const listeners = [...this.#goneListeners];
    this.#goneListeners.clear();
    if (wasOpen) for (const listener of listeners) listener();
  }
}
