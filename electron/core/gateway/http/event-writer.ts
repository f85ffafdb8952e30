import type { ServerResponse } from 'node:http';
import { endWith, inOneLine, type Body } from './reply-body.ts';

/** What waits for a client that reads too slowly; one message may be longer. */
const MAX_QUEUED_BYTES = 1024 * 1024;
const HEADERS = { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache' };
const COMMENT = ':\n\n';

/**
 * A response as an event stream. Events that come in one go, such as those of one part of a server's output, leave in one
 * write, because each write costs more than the event.
 */
export class EventWriter {
  readonly #res: ServerResponse;
  readonly #onWritten: () => void;
  #gathered = '';

  /** @param onWritten called after each write of messages, of which a part may wait */
  constructor(res: ServerResponse, onWritten: () => void) {
    this.#res = res;
    this.#onWritten = onWritten;
  }

  begin(): void {
    this.#res.writeHead(200, HEADERS);
    this.#res.flushHeaders();
  }

  /** Whether the client takes what it is sent, so that `text` can be added. */
  hasRoomFor(text: string): boolean {
    const queuedBytes = this.#res.writableLength + this.#gathered.length;
    return queuedBytes === 0 || queuedBytes + text.length <= MAX_QUEUED_BYTES;
  }

  message(text: string): void {
    if (this.#gathered === '') queueMicrotask(() => this.#flush());
    this.#gathered += eventOf(text);
  }

  /** Where something waits to be taken, a comment would only wait behind it. */
  comment(): void {
    if (this.#gathered === '' && this.#res.writableLength === 0) this.#res.write(COMMENT);
  }

  /** @param last the answer, if there is one */
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
