import { setMaxListeners } from 'node:events';
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/sdk/types.js';
import { PanelError } from '../../../../shared/error-codes.ts';
import type { Clock, WallClock } from '../../clock.ts';
import { outputExcerpt, type MalformedOutput } from '../../mcp/malformed-output.ts';
import type { LongMessage } from '../../mcp/long-message.ts';
import { ReaderShare } from '../../mcp/message-thread.ts';
import { ownIdOf } from '../../mcp/message-form.ts';
import { contentOf } from '../../mcp/connection-traffic.ts';
import type { OnTraffic, PeerTransport } from '../../mcp/peer-transport.ts';
import type { LongReader } from '../../mcp/worker/questions.ts';
import { AnswerQueue } from './answer-queue.ts';
import { maskedUrl } from '../../journal/config-secrets.ts';
import {
  emptyReplyError,
  lostStreamError,
  sessionGoneError,
  toCallError,
  toLoss,
  toRemoteError,
  unreadableAnswer,
} from './remote-errors.ts';
import {
  createSdkTransport,
  MAX_RESUMPTIONS,
  type SdkTransport,
  type SdkTransportOptions,
} from './sdk-transport.ts';
import { SessionJudge } from './session-judge.ts';
import { StandIns } from './guarded-body.ts';
import { UnansweredRequests } from './unanswered-requests.ts';
import { createWatchedFetch, type WatchedFetchOptions } from './watched-fetch.ts';
import { messageOf } from '../../../../shared/message-of.ts';
import { abortable, delay } from '../../wait.ts';

interface RemoteTransportOptions extends SdkTransportOptions {
  readonly reader: LongReader;
  readonly clock: Clock;
  readonly wallClock: WallClock;
  readonly onBytes: () => void;
  /** Called if the request will never be answered, although other requests may be. */
  readonly onReplyLost: (id: RequestId, error: PanelError) => void;
  /** Called once if the session can no longer be used; never called after `close`. */
  readonly onLost: (error: PanelError) => void;
  readonly onMalformed: (noise: MalformedOutput) => void;
}

/** Milliseconds to wait, after a stream has ended, for the SDK's parser to deliver a response at its end. */
const SETTLE_MS = 50;
/** Id of the transport's own `ping`. The connection counts its request ids from 0 and never gets this far. */
const CHECK_ID = 2_000_000_000;

/**
 * Wraps one of the SDK's HTTP transports and makes its failures and its end well-defined. The SDK reports a refused session, a
 * dead server and a broken reply only to `onerror`, so requests would wait for their timeout. Here, a request whose reply is
 * lost rejects. After each failure, a `ping` of this transport finds out whether the session is still alive. `close` only stops
 * the exchange of messages; after it, the owner calls `endSession` if the server has to be informed, and then `abort`.
 */
export class RemoteTransport implements PeerTransport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: PeerTransport['onmessage'];
  onlongmessage?: (message: LongMessage) => void;
  onpassed?: OnTraffic;

  readonly #options: RemoteTransportOptions;
  readonly #url: string;
  readonly #inner: SdkTransport;
  readonly #closing = new AbortController();
  readonly #unanswered: UnansweredRequests;
  readonly #standIns = new StandIns();
  readonly #judge: SessionJudge;
  readonly #answers: AnswerQueue;
  #isEstablished = false;
  #wasListening = false;
  #failedResumptions = 0;
  #listenFailure: unknown;

  constructor(options: RemoteTransportOptions) {
    this.#options = options;
    // A task may be waiting for each reply that has ended, so many listeners are not a leak.
    setMaxListeners(0, this.#closing.signal);
    this.#url = maskedUrl(options.url);
    this.#answers = new AnswerQueue(options.clock);
    this.#unanswered = new UnansweredRequests(options.clock);
    const fetch = createWatchedFetch({ ...options, ...this.#watchHooks() });
    this.#inner = createSdkTransport({ ...options, fetch });
    this.#judge = new SessionJudge({
      clock: options.clock,
      url: this.#url,
      ask: () => this.#deliver({ jsonrpc: '2.0', id: CHECK_ID, method: 'ping' }),
      hasId: () => this.sessionId !== undefined,
      unanswered: () => this.#unanswered.size,
      onLost: (error) => options.onLost(error),
    });
  }

  get sessionId(): string | undefined {
    return this.#inner.sessionId;
  }

  setProtocolVersion(version: string): void {
    this.#inner.setProtocolVersion?.(version);
  }

  /** Opens the transport. @throws PanelError when the session cannot be opened */
  async start(): Promise<void> {
    this.#inner.onmessage = (message) => this.#received(message);
    this.#inner.onerror = (error) => this.#reported(error);
    // Before the handshake, a close also rejects a promise, whose error has more details.
    this.#inner.onclose = () => (this.#isEstablished ? this.#streamLost() : undefined);
    try {
      await abortable(this.#inner.start(), this.#closing.signal);
    } catch (error) {
      // For a refused stream, the SDK's error contains at most the status, whereas `#listenFailure` contains the complete
      // refusal.
      throw toRemoteError(this.#listenFailure ?? error, this.#url);
    }
  }

  /** Sends a message. Never rejects for a request: it is answered or passed to `onReplyLost`. @throws PanelError for others */
  async send(message: JSONRPCMessage): Promise<void> {
    this.onpassed?.('to-server', message, contentOf(message));
    const id = 'method' in message && 'id' in message ? message.id : undefined;
    const onEventId = id === undefined ? undefined : this.#unanswered.add(id);
    if (id !== undefined && this.#judge.loss) return this.#fail(id, this.#judge.loss);
    this.#unanswered.noteCancellation(message);
    try {
      await this.#deliver(message, onEventId);
    } catch (error) {
      const failure = toRemoteError(error, this.#url);
      if (id === undefined) {
        // If the panel itself refused the message, that says nothing about the session.
        if (failure.code !== 'STALLED') this.#doubt();
        throw failure;
      }
      this.#fail(id, failure);
    }
  }

  /** Called after the handshake. From then on, each failure makes the transport check whether the session is still alive. */
  established(): void {
    this.#isEstablished = true;
  }

  close(): Promise<void> {
    if (!this.#isClosed) {
      this.#closing.abort(new Error('The transport is closed.'));
      this.#answers.close();
      this.#judge.dispose();
      this.onclose?.();
    }
    return Promise.resolve();
  }

  /** Tells the server that the session has ended (HTTP DELETE). Never rejects, because a server may refuse or be gone. */
  async endSession(): Promise<void> {
    await this.#inner.terminateSession?.().catch(() => undefined);
  }

  /** Closes the transport and aborts every request in flight. */
  async abort(): Promise<void> {
    await this.close();
    await this.#inner.close();
  }

  #watchHooks(): Omit<WatchedFetchOptions, 'fetch' | 'clock' | 'wallClock'> {
    return {
      reader: new ReaderShare(this.#options.reader),
      onBytes: () => this.#options.onBytes(),
      onMalformed: (noise) => (this.#isClosed ? undefined : this.#options.onMalformed(noise)),
      onUnreadableAnswer: ({ id, fault }) => this.#fail(ownIdOf(id) ?? id, unreadableAnswer(fault)),
      standInFor: (message) => this.#standIns.of(message),
      mayResume: (eventId, signal) => this.#unanswered.mayResume(eventId, signal),
      onListening: () => {
        this.#wasListening = true;
        this.#failedResumptions = 0;
      },
      onListeningEnded: (error) => this.#listeningEnded(error),
      onListenFailed: (failure, isResumption) => this.#listenFailed(failure, isResumption),
      onReplyEnded: (id, error) => this.#replyEnded(id, error),
    };
  }

  #deliver(message: JSONRPCMessage, onEventId?: (eventId: string) => void): Promise<void> {
    if (!('method' in message)) return this.#answers.send(() => this.#inner.send(message));
    return this.#inner.send(message, onEventId && { onresumptiontoken: onEventId });
  }

  #received(read: JSONRPCMessage): void {
    if (this.#isClosed) return;
    const long = this.#standIns.take(read);
    const message = long?.outline ?? read;
    if (!('method' in message) && message.id !== undefined) {
      const id = ownIdOf(message.id);
      if (id === CHECK_ID) return;
      if (id !== undefined) this.#unanswered.take(id);
    } else if (this.#answers.isFull && 'method' in message && 'id' in message) {
      // The server sends requests faster than it accepts responses. The request is dropped without a response, because even a
      // refusal would be one more response.
      return this.#noise('too-many', new Error(message.method));
    }
    try {
      this.onpassed?.('from-server', message, long?.parts ?? contentOf(message));
      if (long) this.onlongmessage?.(long);
      else this.onmessage?.(message);
    } catch (error) {
      // As with stdio, an error in one message must not stop the reading of the stream.
      this.#noise('not-handled', error);
    }
    this.#judge.requestEnded();
  }

  #replyEnded(id: RequestId, error: unknown): void {
    const request = this.#unanswered.get(id);
    // With SSE, responses arrive on the event stream, whatever the reply to the POST was.
    if (!request || this.#isClosed || this.#options.kind === 'sse') return;
    request.hasEnded = true;
    this.#later(() => {
      if (!this.#unanswered.get(id)) return;
      // A stream that the panel itself aborted (PanelError) is not resumed.
      if (request.isResumable && !(error instanceof PanelError))
        return error === undefined ? undefined : this.#doubt();
      this.#fail(id, error === undefined ? emptyReplyError(this.#url) : toRemoteError(error, this.#url));
    });
  }

  /** @param failure why this request, and possibly only this one, gets no response */
  #fail(id: RequestId, failure: PanelError): void {
    const request = this.#isClosed ? undefined : this.#unanswered.take(id);
    if (!request) return;
    const { onReplyLost } = this.#options;
    if (!this.#isEstablished) return onReplyLost(id, failure);
    if (failure.data?.['status'] === 404 && this.sessionId !== undefined) {
      // MCP specification, Streamable HTTP, session management: after a 404, "the client MUST start a new session".
      onReplyLost(id, sessionGoneError(failure, this.#url));
      return this.#judge.lost(toLoss(failure, this.#url));
    }
    onReplyLost(id, toCallError(failure));
    if (!request.isCancelled) this.#doubt();
    this.#judge.requestEnded();
  }

  #listenFailed(failure: unknown, isResumption: boolean): void {
    this.#listenFailure = failure;
    if (this.#options.kind === 'sse' || !(isResumption || this.#wasListening)) return;
    this.#failedResumptions += 1;
    const isRefused = (failure as { status?: unknown } | undefined)?.status === 405;
    if (!isRefused && this.#failedResumptions < MAX_RESUMPTIONS) return;
    const error = toRemoteError(failure, this.#url);
    if (this.#wasListening && !isRefused) return this.#judge.lost(toLoss(error, this.#url));
    for (const id of this.#unanswered.ended()) this.#fail(id, emptyReplyError(this.#url));
  }

  #listeningEnded(error: unknown): void {
    // With a PanelError, the panel itself aborted the stream. A new stream would be aborted again, so the session is lost.
    if (error instanceof PanelError) return this.#judge.lost(error);
    if (this.#options.kind === 'sse') this.#later(() => this.#streamLost());
    else this.#doubt();
  }

  #doubt(): void {
    if (this.#isEstablished) this.#judge.doubt();
  }

  #streamLost(): void {
    this.#judge.lost(lostStreamError(this.#url));
  }

  /** Handles the SDK's `onerror` reports. They matter only as malformed output, because losses are detected in other ways. */
  #reported(error: Error): void {
    if (this.#isClosed) return;
    const noise =
      error instanceof SyntaxError ? 'not-json' : error.name === 'ZodError' ? 'not-a-message' : undefined;
    if (noise) this.#noise(noise, error);
    this.onerror?.(error);
  }

  /** Reports malformed output. The bytes are unknown here, so the error's text serves as the excerpt. */
  #noise(noise: MalformedOutput['noise'], error: unknown): void {
    const text = messageOf(error);
    this.#options.onMalformed({ noise, excerpt: outputExcerpt(Buffer.from(text)), bytes: 0 });
  }

  /** Runs the task after `SETTLE_MS`, unless the transport is closed before then. */
  #later(task: () => void): void {
    const isDue = delay(this.#options.clock, SETTLE_MS, this.#closing.signal);
    void isDue.then(() => (this.#isClosed ? undefined : task()));
  }

  get #isClosed(): boolean {
    return this.#closing.signal.aborted;
  }
}
