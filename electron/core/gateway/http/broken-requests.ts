import { STATUS_CODES, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Clock } from '../../clock.ts';
import { errnoOf } from '../../errno.ts';
import type { RefusalReason } from '../../../../shared/gateway.ts';

/**
 * Milliseconds for which the connection stays open after the answer, and further input is read and discarded. If the connection
 * were closed immediately, the sender would lose the answer.
 */
const LINGER_MS = 2000;

/**
 * Answers requests that the HTTP parser of Node.js could not read. Such a connection is closed after the answer, because the
 * parser cannot find the next request in it.
 */
export class BrokenRequests {
  readonly #clock: Clock;
  readonly #onRefused: (reason: RefusalReason) => void;
  readonly #answered = new WeakSet<Duplex>();
  readonly #responses = new WeakMap<Duplex, ServerResponse>();

  constructor(clock: Clock, onRefused: (reason: RefusalReason) => void) {
    this.#clock = clock;
    this.#onRefused = onRefused;
  }

  /** Records a request with a complete head. @returns the response to the socket's previous request, if it has not ended */
  began(socket: Duplex, res: ServerResponse): ServerResponse | undefined {
    const before = this.#responses.get(socket);
    this.#responses.set(socket, res);
    return before?.writableFinished === false ? before : undefined;
  }

  refuse(error: Error, socket: Duplex): void {
    if (this.#answered.has(socket)) return;
    this.#answered.add(socket);
    const code = errnoOf(error);
    const isGone = code === 'ECONNRESET' || code === 'EPIPE' || !socket.writable;
    const { status, reason } = refusalFor(code);
    if (!isGone) this.#onRefused(reason);
    // If another answer is being sent on this socket, an error text would be taken for a part of that answer. The connection is
    // then closed without a text.
    if (isGone || this.#isAnswering(socket)) socket.destroy();
    else this.#answer(socket, status);
  }

  #isAnswering(socket: Duplex): boolean {
    const res = this.#responses.get(socket);
    return res !== undefined && res.headersSent && !res.writableFinished;
  }

  #answer(socket: Duplex, status: number): void {
    const head = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`;
    socket.end(`${head}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
    const timer = this.#clock.setTimeout(() => socket.destroy(), LINGER_MS);
    socket.once('close', () => timer.dispose());
    socket.once('end', () => socket.destroy());
    socket.on('error', () => socket.destroy());
    socket.resume();
  }
}

function refusalFor(code: string | undefined): { status: number; reason: RefusalReason } {
  if (code === 'HPE_HEADER_OVERFLOW') return { status: 431, reason: 'too-large' };
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return { status: 408, reason: 'slow' };
  return { status: 400, reason: 'malformed' };
}
