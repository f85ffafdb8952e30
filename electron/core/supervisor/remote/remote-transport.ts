import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { FetchLike, Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/sdk/types.js';
import { PanelError } from '../../../../shared/error-codes.ts';
import type { Clock, Disposable, WallClock } from '../../clock.ts';
import { createDeferred } from '../../deferred.ts';
import { excerptOf, type FrameNoise } from '../connection/frame-reader.ts';
import { ownIdOf } from '../connection/own-id.ts';
import { AnswerQueue } from './answer-queue.ts';
import { redactUrl } from './redact-url.ts';
import {
  emptyReplyError,
  lostStreamError,
  nextStep,
  sessionGoneError,
  toCallError,
  toLoss,
  toRemoteError,
  unreadableAnswer,
} from './remote-errors.ts';
import { ResumptionGate } from './resumption-gate.ts';
import type { RemoteTransportKind } from './transport-preferences.ts';
import { createWatchedFetch } from './watched-fetch.ts';

export interface RemoteTransportOptions {
  readonly kind: RemoteTransportKind;
  readonly url: URL;
  /** Sent with each request. */
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: FetchLike;
  readonly clock: Clock;
  readonly wallClock: WallClock;
  /** Something came from the server, a message or not. */
  readonly onBytes: () => void;
  /** The request will never be answered; others may be. */
  readonly onReplyLost: (id: RequestId, error: PanelError) => void;
  /** Nothing can be asked any more. Called once, never after `close`. */
  readonly onLost: (error: PanelError) => void;
  readonly onNoise: (noise: FrameNoise) => void;
}

/** A request without an answer. */
interface Unanswered {
  /** Its stream can be continued after it has ended, and the SDK does so. */
  isResumable: boolean;
  /** Of the last event of that stream. */
  eventId?: string;
  hasEnded: boolean;
  isCancelled: boolean;
}

/** An answer that came with the end of its stream is still on its way through the SDK's parser. */
const SETTLE_MS = 50;
/** A server that has ended a session refuses each request on its way; they are heard out for so long. */
const LAST_REFUSALS_MS = 1000;
/** Attempts of the SDK to continue a stream. */
const MAX_RESUMPTIONS = 2;
const RECONNECTION = {
  initialReconnectionDelay: 1000,
  maxReconnectionDelay: 30_000,
  reconnectionDelayGrowFactor: 1.5,
  maxRetries: MAX_RESUMPTIONS,
};
/** The id of our own last question. The connection counts its ids from 0 and never comes here. */
const CHECK_ID = 2_000_000_000;

/**
 * One of the SDK's HTTP transports, with an end. Theirs have none: a refused session, a dead server and a reply that
 * breaks off are reports on the side, and requests wait for their timeout. Here a request whose reply is lost rejects,
 * and whenever something failed one more `ping` decides whether the session lives. `close` ends the protocol only; the
 * owner then ends the session, if it is to, and calls `abort`.
 */
export class RemoteTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport['onmessage'];

  readonly #options: RemoteTransportOptions;
  readonly #url: string;
  readonly #inner: StreamableHTTPClientTransport | SSEClientTransport;
  readonly #closed = createDeferred<never>();
  readonly #unanswered = new Map<RequestId, Unanswered>();
  readonly #timers = new Set<Disposable>();
  readonly #answers: AnswerQueue;
  readonly #resumptions: ResumptionGate;
  #isClosed = false;
  #isEstablished = false;
  #isChecking = false;
  #wasListening = false;
  #failedResumptions = 0;
  #listenFailure: unknown;
  /** The server has ended the session; what is told of it waits for the requests under way. */
  #sessionLoss: PanelError | undefined;

  constructor(options: RemoteTransportOptions) {
    this.#options = options;
    this.#url = redactUrl(options.url);
    this.#answers = new AnswerQueue(options.clock);
    this.#resumptions = new ResumptionGate(options.clock);
    this.#inner = this.#createInner();
    this.#closed.promise.catch(() => undefined);
  }

  get sessionId(): string | undefined {
    return this.#inner instanceof StreamableHTTPClientTransport ? this.#inner.sessionId : undefined;
  }

  setProtocolVersion(version: string): void {
    this.#inner.setProtocolVersion(version);
  }

  /** @throws PanelError */
  async start(): Promise<void> {
    this.#inner.onmessage = (message) => this.#received(message);
    this.#inner.onerror = (error) => this.#reported(error);
    // Before it is established, whatever closes the transport rejects a promise as well, and says more there.
    this.#inner.onclose = () => (this.#isEstablished ? this.#streamLost() : undefined);
    try {
      await Promise.race([this.#inner.start(), this.#closed.promise]);
    } catch (error) {
      // The SDK keeps the status of a refused stream at best; the watched fetch saw all of it.
      throw toRemoteError(this.#listenFailure ?? error, this.#url);
    }
  }

  /** A request never rejects here; it is answered, or reported to `onReplyLost`. @throws PanelError for anything else */
  async send(message: JSONRPCMessage): Promise<void> {
    const id = 'method' in message && 'id' in message ? message.id : undefined;
    const request: Unanswered | undefined =
      id === undefined ? undefined : { isResumable: false, hasEnded: false, isCancelled: false };
    if (id !== undefined && request) this.#unanswered.set(id, request);
    if (id !== undefined && this.#sessionLoss) return this.#fail(id, this.#sessionLoss);
    this.#noteCancellation(message);
    try {
      await this.#deliver(message, request && ((eventId) => this.#noteResumable(request, eventId)));
    } catch (error) {
      const failure = toRemoteError(error, this.#url);
      if (id === undefined) {
        // What the panel did not send says nothing of the session.
        if (failure.code !== 'STALLED') this.#doubt();
        throw failure;
      }
      this.#fail(id, failure);
    }
  }

  /** The handshake is done: from now on a failure puts the session in doubt. */
  established(): void {
    this.#isEstablished = true;
  }

  close(): Promise<void> {
    if (!this.#isClosed) {
      this.#isClosed = true;
      this.#answers.close();
      this.#closed.reject(new Error('The transport is closed.'));
      for (const timer of this.#timers) timer.dispose();
      this.#timers.clear();
      this.onclose?.();
    }
    return Promise.resolve();
  }

  /** Tells the server that the session is over (HTTP DELETE). Never rejects: a server may refuse, or be gone. */
  async endSession(): Promise<void> {
    if (!(this.#inner instanceof StreamableHTTPClientTransport)) return;
    await this.#inner.terminateSession().catch(() => undefined);
  }

  /** Ends everything under way. */
  async abort(): Promise<void> {
    await this.close();
    await this.#inner.close();
  }

  #createInner(): StreamableHTTPClientTransport | SSEClientTransport {
    const { kind, url, headers, fetch, clock, wallClock, onBytes } = this.#options;
    const watched = createWatchedFetch({
      fetch,
      clock,
      wallClock,
      onBytes,
      onNoise: (noise) => (this.#isClosed ? undefined : this.#options.onNoise(noise)),
      onUnreadableAnswer: ({ id, fault }) => this.#fail(ownIdOf(id) ?? id, unreadableAnswer(fault)),
      mayResume: (eventId, signal) => this.#resumptions.pass(eventId, signal),
      onListening: () => {
        this.#wasListening = true;
        this.#failedResumptions = 0;
      },
      onListeningEnded: (error) => this.#listeningEnded(error),
      onListenFailed: (failure, isResumption) => this.#listenFailed(failure, isResumption),
      onReplyEnded: (id, error) => this.#replyEnded(id, error),
    });
    // Redirects are followed within the origin only, the SDK's default: headers hold credentials.
    const options = { fetch: watched, requestInit: { headers: { ...headers } } };
    return kind === 'sse'
      ? new SSEClientTransport(url, options)
      : new StreamableHTTPClientTransport(url, { ...options, reconnectionOptions: RECONNECTION });
  }

  #deliver(message: JSONRPCMessage, onresumptiontoken?: (token: string) => void): Promise<void> {
    if (!('method' in message)) return this.#answers.send(() => this.#inner.send(message));
    return this.#inner instanceof SSEClientTransport
      ? this.#inner.send(message)
      : this.#inner.send(message, onresumptiontoken && { onresumptiontoken });
  }

  #received(message: JSONRPCMessage): void {
    if (this.#isClosed) return;
    if (!('method' in message) && message.id !== undefined) {
      const id = ownIdOf(message.id);
      if (id === CHECK_ID) return;
      if (id !== undefined) this.#forget(id);
    } else if (this.#answers.isFull && 'method' in message && 'id' in message) {
      // It asks faster than it takes answers: to refuse it would be one more.
      return this.#noise('too-many', new Error(message.method));
    }
    try {
      this.onmessage?.(message);
    } catch (error) {
      // As over stdio: one message must not end the reading of the stream.
      this.#noise('not-handled', error);
    }
    this.#loseOnceHeardOut();
  }

  /** A cancelled request is not answered, and that is no sign of trouble. */
  #noteCancellation(message: JSONRPCMessage): void {
    if (!('method' in message) || message.method !== 'notifications/cancelled') return;
    const request = this.#unanswered.get(message.params?.['requestId'] as RequestId);
    if (!request) return;
    request.isCancelled = true;
    if (request.eventId !== undefined) this.#resumptions.forget(request.eventId);
  }

  #noteResumable(request: Unanswered, eventId: string): void {
    request.isResumable = true;
    request.eventId = eventId;
    if (request.isCancelled) this.#resumptions.forget(eventId);
  }

  /** Nobody waits for it any more, so its stream need not be continued. */
  #forget(id: RequestId): Unanswered | undefined {
    const request = this.#unanswered.get(id);
    this.#unanswered.delete(id);
    if (request?.eventId !== undefined) this.#resumptions.forget(request.eventId);
    return request;
  }

  #replyEnded(id: RequestId, error: unknown): void {
    const request = this.#unanswered.get(id);
    // Over the older transport answers come on the event stream, whatever the reply to the POST was.
    if (!request || this.#isClosed || this.#options.kind === 'sse') return;
    request.hasEnded = true;
    this.#later(() => {
      if (!this.#unanswered.has(id)) return;
      // What the panel itself gave up is not asked for again.
      if (request.isResumable && !(error instanceof PanelError))
        return error === undefined ? undefined : this.#doubt();
      this.#fail(id, error === undefined ? emptyReplyError(this.#url) : toRemoteError(error, this.#url));
    });
  }

  /** @param failure why this request, and maybe only this one, gets no answer */
  #fail(id: RequestId, failure: PanelError): void {
    if (!this.#unanswered.has(id) || this.#isClosed) return;
    const request = this.#forget(id);
    const { onReplyLost } = this.#options;
    if (!this.#isEstablished) return onReplyLost(id, failure);
    if (failure.data?.['status'] === 404 && this.sessionId !== undefined) {
      // "The client MUST start a new session" (MCP specification, Streamable HTTP, session management).
      onReplyLost(id, sessionGoneError(failure, this.#url));
      return this.#lost(toLoss(failure, this.#url));
    }
    onReplyLost(id, toCallError(failure));
    if (!request?.isCancelled) this.#doubt();
    this.#loseOnceHeardOut();
  }

  #listenFailed(failure: unknown, isResumption: boolean): void {
    this.#listenFailure = failure;
    if (this.#options.kind === 'sse' || !(isResumption || this.#wasListening)) return;
    this.#failedResumptions += 1;
    const isRefused = (failure as { status?: unknown } | undefined)?.status === 405;
    if (!isRefused && this.#failedResumptions < MAX_RESUMPTIONS) return;
    const error = toRemoteError(failure, this.#url);
    if (this.#wasListening && !isRefused) return this.#lost(toLoss(error, this.#url));
    for (const [id, request] of this.#unanswered)
      if (request.hasEnded) this.#fail(id, emptyReplyError(this.#url));
  }

  #listeningEnded(error: unknown): void {
    // Given up by the panel itself: continued, it would only be given up again.
    if (error instanceof PanelError) return this.#lost(error);
    if (this.#options.kind === 'sse') this.#later(() => this.#streamLost());
    else this.#doubt();
  }

  #streamLost(): void {
    this.#lost(lostStreamError(this.#url));
  }

  /** Something failed. One more question, and what becomes of it on the level of HTTP, tells whether anything else can succeed. */
  #doubt(): void {
    if (!this.#isEstablished || this.#isChecking || this.#isClosed || this.#sessionLoss) return;
    this.#isChecking = true;
    void this.#deliver({ jsonrpc: '2.0', id: CHECK_ID, method: 'ping' })
      .catch((error: unknown) => {
        const failure = toRemoteError(error, this.#url);
        // An overloaded server may keep the session; if it stays so, the missing answers to probes say it.
        const isOverloaded = nextStep(failure) === 'retry' && failure.data?.['status'] !== undefined;
        if (!isOverloaded) this.#lost(toLoss(failure, this.#url));
      })
      .finally(() => (this.#isChecking = false));
  }

  #lost(error: PanelError): void {
    if (this.#sessionLoss) return this.#loseOnceHeardOut();
    const isSessionGone = error.data?.['status'] === 404 && this.sessionId !== undefined;
    if (!isSessionGone) return this.#tellLoss(error);
    this.#sessionLoss = error;
    this.#later(() => this.#tellLoss(error), LAST_REFUSALS_MS);
    this.#loseOnceHeardOut();
  }

  /** Each request that was refused knows that it was not carried out; the others cannot know. */
  #loseOnceHeardOut(): void {
    if (this.#sessionLoss && this.#unanswered.size === 0) this.#tellLoss(this.#sessionLoss);
  }

  #tellLoss(error: PanelError): void {
    if (!this.#isClosed) this.#options.onLost(error);
  }

  /** The SDK's reports on the side. What of them matters is seen in other ways; what is no message counts as noise. */
  #reported(error: Error): void {
    if (this.#isClosed) return;
    const noise =
      error instanceof SyntaxError ? 'not-json' : error.name === 'ZodError' ? 'not-a-message' : undefined;
    if (noise) this.#noise(noise, error);
    this.onerror?.(error);
  }

  /** The bytes are not known here; the error says what it is about. */
  #noise(noise: FrameNoise['noise'], error: unknown): void {
    const text = error instanceof Error ? error.message : String(error);
    this.#options.onNoise({ noise, excerpt: excerptOf(Buffer.from(text)), bytes: 0 });
  }

  #later(task: () => void, delayMs = SETTLE_MS): void {
    if (this.#isClosed) return;
    const timer: Disposable = this.#options.clock.setTimeout(() => {
      this.#timers.delete(timer);
      task();
    }, delayMs);
    this.#timers.add(timer);
  }
}
