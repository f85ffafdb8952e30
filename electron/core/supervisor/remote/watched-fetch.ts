import { extractWWWAuthenticateParams } from '@modelcontextprotocol/sdk/client/auth.js';
import { mediaTypeEssence } from '@modelcontextprotocol/sdk/shared/mediaType.js';
import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { RequestId } from '@modelcontextprotocol/sdk/types.js';
import type { Clock, WallClock } from '../../clock.ts';
import { settlesWithin } from '../../wait.ts';
import { eventParts, messageParts, type BodyHooks, type BodyParts } from './guarded-body.ts';
import { maskedUrl } from '../../journal/config-secrets.ts';
import { HttpRefusal } from './remote-errors.ts';

export interface WatchedFetchOptions extends BodyHooks {
  readonly fetch: FetchLike;
  readonly clock: Clock;
  readonly wallClock: WallClock;
  /** Resolves when a stream may be resumed after this event; rejects if it may not. */
  readonly mayResume: (lastEventId: string, signal: RequestInit['signal']) => Promise<void>;
  /** Called when a stream for the server's own messages is open. */
  readonly onListening: () => void;
  /** Called when the stream for the server's own messages has ended; `error` is set if it was cut. */
  readonly onListeningEnded: (error: unknown) => void;
  /** Called when the stream for the server's own messages could not be opened, or could not be resumed (`isResumption`). */
  readonly onListenFailed: (failure: unknown, isResumption: boolean) => void;
  /** Called when the reply to a request has ended, with or without the response; `error` is set if it was cut. */
  readonly onReplyEnded: (id: RequestId, error: unknown) => void;
}

/** Milliseconds to wait for an explanation in the body of an error response. */
const EXPLANATION_MS = 1000;
const MAX_EXPLANATION_CHARACTERS = 200;
/** Maximum bytes of the body that are searched for the explanation, because a quoted string may never end. */
const MAX_EXPLAINED_BYTES = 8192;
/** Longest delay in ms that a server may request; longer ones are shortened to this. */
const LONGEST_RETRY_AFTER_MS = 3_600_000;

/**
 * Returns the `fetch` for the SDK's transports. The SDK reports neither the headers of an error response nor a reply that ends
 * without its response, so both are observed here. A refused POST rejects with `HttpRefusal`.
 */
export function createWatchedFetch(options: WatchedFetchOptions): FetchLike {
  return async (url, init) => {
    const method = init?.method ?? 'GET';
    if (method === 'GET') return listen(options, url, init);
    const response = await options.fetch(url, init);
    options.onBytes();
    if (method !== 'POST') return response;
    if (response.status >= 400) throw await readRefusal(response, options);
    if (isRedirect(response)) return withoutBody(response);
    const id = requestIdIn(init?.body);
    if (id === undefined) return response;
    const replyEnded = (error?: unknown) => options.onReplyEnded(id, error);
    const reader = readerOf(response);
    if (reader) {
      const partsOf = isEventStream(response) ? eventParts : messageParts;
      return watchBody(response, { reader, parts: partsOf(reader, options), onEnded: replyEnded });
    }
    replyEnded();
    return response;
  };
}

async function listen(
  options: WatchedFetchOptions,
  url: string | URL,
  init: RequestInit | undefined,
): Promise<Response> {
  const lastEventId = new Headers(init?.headers).get('last-event-id');
  const isResumption = lastEventId !== null;
  if (isResumption) await options.mayResume(lastEventId, init?.signal);
  try {
    const response = await options.fetch(url, init);
    options.onBytes();
    if (isRedirect(response)) return withoutBody(response);
    const reader = response.ok ? readerOf(response) : undefined;
    if (!reader) {
      options.onListenFailed(refusalFrom(response, '', options.wallClock), isResumption);
      return response;
    }
    options.onListening();
    return watchBody(response, {
      reader,
      parts: eventParts(reader, options),
      onEnded: options.onListeningEnded,
    });
  } catch (error) {
    options.onListenFailed(error, isResumption);
    throw error;
  }
}

function isRedirect({ status }: Response): boolean {
  return status >= 300 && status < 400;
}

/** Drops the body of a redirect, which may never end. The SDK follows the redirect within the origin, or reports its target. */
function withoutBody({ body, status, statusText, headers }: Response): Response {
  void body?.cancel().catch(() => undefined);
  return new Response(null, { status, statusText, headers });
}

/** Whether the SDK, by its own rule, reads the body as an event stream; it reads any other body as a whole. */
function isEventStream({ headers }: Response): boolean {
  return mediaTypeEssence(headers.get('content-type')) === 'text/event-stream';
}

interface WatchedBody {
  readonly reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly parts: BodyParts;
  readonly onEnded: (error?: unknown) => void;
}

/** Returns the response with its body split into parts; the body is read no faster than the SDK reads it. */
function watchBody(response: Response, { reader, parts, onEnded }: WatchedBody): Response {
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
    try {
      const { done, value } = await parts.next();
      if (!done) return controller.enqueue(value);
      controller.close();
      onEnded();
    } catch (error) {
      controller.error(error);
      onEnded(error);
    }
  };
  const cancel = async (reason: unknown) => {
    await reader.cancel(reason);
    onEnded(reason);
  };
  const body = new ReadableStream<Uint8Array>({ pull, cancel }, { highWaterMark: 0 });
  const { status, statusText, headers } = response;
  return new Response(body, { status, statusText, headers });
}

async function readRefusal(
  response: Response,
  { clock, wallClock }: WatchedFetchOptions,
): Promise<HttpRefusal> {
  const reader = readerOf(response);
  const isForPeople = !response.headers.get('content-type')?.includes('html');
  let text = '';
  if (reader && isForPeople) {
    const read = reader.read().then(({ value }) => {
      text = new TextDecoder().decode(value?.subarray(0, MAX_EXPLAINED_BYTES)).trim();
    });
    await settlesWithin(clock, read, EXPLANATION_MS);
  }
  void reader?.cancel().catch(() => undefined);
  return refusalFrom(response, text, wallClock);
}

/** Returns a reader for the body. The type is asserted, because Node's types do not say that a body consists of bytes. */
function readerOf(response: Response): ReadableStreamDefaultReader<Uint8Array> | undefined {
  return response.body?.getReader() as ReadableStreamDefaultReader<Uint8Array> | undefined;
}

/** Returns the explanation in a body. JSON-RPC errors and most frameworks have a `message`; other texts are shown unchanged. */
function explanationIn(text: string): string {
  const message = /"(?:message|error_description|detail)"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(text)?.[1];
  return (message ?? text).replace(/\s+/g, ' ').slice(0, MAX_EXPLANATION_CHARACTERS);
}

function refusalFrom(response: Response, text: string, wallClock: WallClock): HttpRefusal {
  const metadata = extractWWWAuthenticateParams(response).resourceMetadataUrl;
  const code = /"code"\s*:\s*(-\d{5})\b/.exec(text)?.[1];
  return new HttpRefusal(response.status, explanationIn(text), {
    rpcCode: code === undefined ? undefined : Number(code),
    retryAfterMs: retryAfterMs(response.headers.get('retry-after'), wallClock),
    resourceMetadataUrl: metadata && maskedUrl(metadata),
  });
}

/**
 * Returns the delay in ms that a `Retry-After` header requests, as seconds or as a date (RFC 9110, 10.2.3). It is limited to
 * between 0 and `LONGEST_RETRY_AFTER_MS`.
 */
function retryAfterMs(value: string | null, wallClock: WallClock): number | undefined {
  if (value === null || value.trim() === '') return undefined;
  const ms = /^\d+$/.test(value.trim()) ? Number(value) * 1000 : Date.parse(value) - wallClock.epochMs();
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(0, ms), LONGEST_RETRY_AFTER_MS);
}

function requestIdIn(body: unknown): RequestId | undefined {
  if (typeof body !== 'string') return undefined;
  const message = JSON.parse(body) as { id?: RequestId; method?: string };
  return message.method === undefined ? undefined : message.id;
}
