import { setMaxListeners } from 'node:events';
import { request as requestPlain, Agent as PlainAgent, type IncomingMessage } from 'node:http';
import { request as requestSecure, Agent as SecureAgent } from 'node:https';
import type { Duplex } from 'node:stream';
import * as nodeTls from 'node:tls';
import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js';
import { DialAgent } from '../../platform/containers/engine-api.ts';
import type { TlsTrust } from './tls-trust.ts';

export interface HttpClientOptions {
  readonly tls: TlsTrust;
  /** Opens the connections for `http:` URLs only; undefined to connect to the host of the URL. */
  readonly dial?: (() => Duplex) | undefined;
}

/** HTTP client for the requests of one run, with its own sockets. */
export interface HttpClient {
  /** Sends a request. Rejects with Node's own errors, whose `code` and `syscall` give the reason; never follows a redirect. */
  readonly fetch: FetchLike;
  /** Destroys every socket, including those of requests in flight. */
  close(): void;
}

/** Milliseconds to keep an idle socket. Below 5 s, because many servers close idle sockets then, just as a request uses one. */
const IDLE_SOCKET_MS = 4000;
/** Maximum bytes of an unread response that are discarded so that its socket can be used again. */
const MAX_DISCARDED_BYTES = 64 * 1024;
/** Maximum bytes of the response headers: Node's default, which an option of the process may change. */
const MAX_HEADER_BYTES = 16 * 1024;
/** Maximum number of 1xx responses before the final one. */
const MAX_ANNOUNCEMENTS = 100;

/**
 * `fetch` over Node's own HTTP client. The global `fetch` aborts every response that is silent for five minutes, which would
 * end healthy calls and event streams; it cannot accept an unknown certificate; and its sockets outlive the run.
 */
export function createHttpClient({ tls, dial }: HttpClientOptions): HttpClient {
  const options = { keepAlive: true, timeout: IDLE_SOCKET_MS };
  const plain = dial ? new DialAgent(dial, options) : new PlainAgent(options);
  // Connections from `dial` never use TLS. The plain agent refuses an `https:` URL, because an agent refuses other protocols.
  const secure = dial
    ? plain
    : new SecureAgent({ ...options, rejectUnauthorized: tls.verify, ...trusting(tls.extraRoots) });
  return {
    fetch: (url, init = {}) => send(new URL(url), init, { plain, secure }),
    close: () => {
      plain.destroy();
      secure.destroy();
    },
  };
}

/** Makes TLS trust the extra roots besides Node's. All connections share one context, as parsing 150 certificates is slow. */
function trusting(extraRoots: readonly string[]): { secureContext?: nodeTls.SecureContext } {
  if (extraRoots.length === 0) return {};
  return { secureContext: nodeTls.createSecureContext({ ca: [...defaultRoots(), ...extraRoots] }) };
}

/** Returns Node's roots; from Node 22.15 on, these include the roots of NODE_EXTRA_CA_CERTS. */
function defaultRoots(): readonly string[] {
  const { getCACertificates, rootCertificates } = nodeTls as Partial<typeof nodeTls> & typeof nodeTls;
  return getCACertificates?.('default') ?? rootCertificates;
}

// Async, so that a URL or header that Node refuses makes the promise reject.
async function send(
  url: URL,
  init: RequestInit,
  agents: { readonly plain: PlainAgent; readonly secure: PlainAgent },
): Promise<Response> {
  const { signal } = init;
  signal?.throwIfAborted();
  const options = { method: init.method ?? 'GET', headers: headersOf(init), maxHeaderSize: MAX_HEADER_BYTES };
  const request =
    url.protocol === 'https:'
      ? requestSecure(url, { ...options, agent: agents.secure })
      : requestPlain(url, { ...options, agent: agents.plain });
  const abort = () => request.destroy(aborted());
  // All requests of the run share one signal, so many listeners are normal; this turns off Node's leak warning.
  if (signal) setMaxListeners(0, signal);
  signal?.addEventListener('abort', abort, { once: true });
  request.once('close', () => signal?.removeEventListener('abort', abort));
  return new Promise((resolve, reject) => {
    request.on('error', reject);
    request.once('close', () => reject(cutOff()));
    let announcements = 0;
    request.on('information', () => {
      announcements += 1;
      if (announcements > MAX_ANNOUNCEMENTS) request.destroy(cutOff());
    });
    request.once('response', (message) => {
      try {
        resolve(toResponse(message, signal));
      } catch (error) {
        request.destroy();
        reject(error instanceof Error ? error : new Error(String(error)));
      }
    });
    request.end(init.body ?? undefined);
  });
}

function headersOf(init: RequestInit): Record<string, string> {
  const headers = new Headers(init.headers);
  // Asks for an uncompressed response, because this client does not decompress; messages are small anyway.
  headers.set('accept-encoding', 'identity');
  return Object.fromEntries(headers.entries());
}

/** Statuses whose response has no body (Fetch standard, "null body status"). */
const BODILESS: ReadonlySet<number> = new Set([204, 205, 304]);

/** Converts Node's response to one of `fetch`. @throws RangeError for an invalid HTTP status */
function toResponse(message: IncomingMessage, signal: RequestInit['signal']): Response {
  const status = message.statusCode ?? 0;
  const headers = new Headers();
  for (let index = 0; index < message.rawHeaders.length; index += 2) {
    headers.append(message.rawHeaders[index]!, message.rawHeaders[index + 1]!);
  }
  const init = { status, statusText: message.statusMessage ?? '', headers };
  if (!BODILESS.has(status)) return new Response(bodyOf(message, signal), init);
  message.resume();
  return new Response(null, init);
}

function bodyOf(message: IncomingMessage, signal: RequestInit['signal']): ReadableStream<Uint8Array> {
  let isOver = false;
  const finish = (how: () => void) => {
    if (isOver) return;
    isOver = true;
    how();
  };
  const fail = (controller: ReadableStreamDefaultController, error: Error) =>
    finish(() => controller.error(signal?.aborted ? aborted() : error));
  return new ReadableStream<Uint8Array>({
    start: (controller) => {
      message.on('data', (chunk: Buffer) => {
        if (isOver) return;
        controller.enqueue(chunk);
        if ((controller.desiredSize ?? 0) <= 0) message.pause();
      });
      message.once('end', () => finish(() => controller.close()));
      // This is `on`, not `once`, because a later error of the socket would otherwise crash the panel.
      message.on('error', (error) => fail(controller, error));
      message.once('close', () => fail(controller, cutOff()));
    },
    pull: () => void message.resume(),
    cancel: () => finish(() => discard(message)),
  });
}

function discard(message: IncomingMessage): void {
  if (message.headers['content-type']?.includes('text/event-stream')) return void message.destroy();
  let discardedBytes = 0;
  message.on('data', (chunk: Buffer) => {
    discardedBytes += chunk.length;
    if (discardedBytes > MAX_DISCARDED_BYTES) message.destroy();
  });
  message.resume();
}

/** Returns the error for a connection that the other side closed, because Node reports no error then. */
function cutOff(): Error {
  return Object.assign(new Error('The connection was closed.'), { code: 'ECONNRESET' });
}

/** Error that `fetch` rejects with when it is aborted. */
function aborted(): Error {
  return new DOMException('The request was aborted.', 'AbortError');
}
