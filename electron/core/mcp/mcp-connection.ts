import type {
  ClientCapabilities,
  JSONRPCMessage,
  RequestId,
  ServerCapabilities,
} from '@modelcontextprotocol/sdk/types.js';
import { PanelError } from '../../../shared/error-codes.ts';
import type { Clock } from '../clock.ts';
import { createDeferred } from '../deferred.ts';
import { Emitter } from '../emitter.ts';
import { settlesWithin } from '../wait.ts';
import { cancelledByCaller, connectionClosed, handshakeError } from './call-errors.ts';
import { CallLedger, type CallLimits, type CallTerms } from './call-ledger.ts';
import { outputExcerpt } from './malformed-output.ts';
import { requestInitialize, type InitializeResponse } from './handshake.ts';
import { ProtocolLogLevel } from './log-level.ts';
import { parsedResult, type LongMessage, type RawResult } from './long-message.ts';
import { OutgoingCalls, type CallResult, type CallOptions } from './outgoing-calls.ts';
import { ConnectionTraffic } from './connection-traffic.ts';
import type { TrafficMessage, PeerTransport } from './peer-transport.ts';
import { RpcError } from './rpc-error.ts';
import { RpcPeer, type OwnRequest, type ServerNotification } from './rpc-peer.ts';
import type { AnswerRequest, ServerRequest } from './server-requests.ts';

export type { CallResult, CallOptions } from './outgoing-calls.ts';

export type ProbeKind = 'ping' | 'tools/list';

export interface McpConnectionOptions {
  readonly transport: PeerTransport;
  readonly clock: Clock;
  readonly clientVersion: string;
  /** What the server may ask of its client; nothing without it. Whoever declares something owns `onRequest`. */
  readonly clientCapabilities?: ClientCapabilities;
  /** Read at each call, so that a changed setting applies to the next one. */
  readonly limits: () => CallLimits;
  /** A message that answers nothing we asked: duplicate or unknown ids. */
  readonly onUnmatched: (message: JSONRPCMessage, long: LongMessage | undefined) => void;
}

/** The panel declares nothing it cannot do; `roots` never, since some servers replace their own folders by them. */
const NO_CAPABILITIES: ClientCapabilities = {};

/** Whoever starts the server bounds it. */
const UNLIMITED: CallLimits = { timeoutMs: Infinity, maxTotalMs: Infinity };
const HANDSHAKE: CallTerms = { limits: UNLIMITED, allowance: UNLIMITED };

/** From a failed write to the exit that explains it. */
const BROKEN_PIPE_MS = 1000;

/**
 * One initialised MCP client on one transport, with what supervision needs to know of it: when the server last
 * said anything, and which calls it has not answered. It owns the protocol, not the process or socket below.
 */
export class McpConnection {
  readonly ledger = new CallLedger();
  /** Every wish for logs of the server goes through it. */
  readonly logLevel = new ProtocolLogLevel(
    (level) => this.#calls.ask('logging/setLevel', { level }, 'probe').answer,
  );
  readonly #options: McpConnectionOptions;
  readonly #peer: RpcPeer;
  readonly #calls: OutgoingCalls;
  readonly #passages: ConnectionTraffic;
  readonly #roundTrips = new Emitter<number>();
  readonly #closed = createDeferred<void>();
  /** Settles once the owner has said why the connection is over. */
  readonly #explained = createDeferred<void>();
  #greeting: InitializeResponse | undefined;
  #lastActivityAtMs: number;
  #lastAnswerAtMs: number;
  #activityCount = 0;
  #endError: PanelError | undefined;

  constructor(options: McpConnectionOptions) {
    this.#options = options;
    this.#lastActivityAtMs = this.#lastAnswerAtMs = options.clock.now();
    this.#peer = new RpcPeer({
      transport: options.transport,
      onReceived: (message, long) => this.#received(message, long),
      onUnsent: (request, error) => void this.#unsent(request, error),
      onCalledOff: (id, reason) => this.#calls.calledOff(id, reason),
      onAsking: () => this.#calls.clientAsked(),
      onClosed: () => this.#closed.resolve(),
    });
    this.#passages = new ConnectionTraffic(options.transport);
    this.#calls = new OutgoingCalls({
      passages: this.#passages,
      clock: options.clock,
      peer: this.#peer,
      ledger: this.ledger,
      limits: options.limits,
      endError: () => this.#endError ?? connectionClosed(),
    });
  }

  /** Settles when the connection has ended, for whatever reason. */
  get closed(): Promise<void> {
    return this.#closed.promise;
  }
  /** Monotonic time of the last inbound message; of the construction before the first. */
  get lastActivityAtMs(): number {
    return this.#lastActivityAtMs;
  }
  /** Monotonic time of the last answer to a request of ours, a late one too; of the construction before the first. */
  get lastAnswerAtMs(): number {
    return this.#lastAnswerAtMs;
  }
  /** Grows with every inbound message; tells two moments with activity between them apart. */
  get activityCount(): number {
    return this.#activityCount;
  }
  get pendingRequests(): number {
    return this.ledger.size;
  }
  /** The server's whole answer to `initialize`, as it came; undefined before. */
  get greeting(): InitializeResponse | undefined {
    return this.#greeting;
  }
  /** To be shown: each is one short line of visible text. */
  get serverInfo(): { name: string; version: string } | undefined {
    const info = this.#greeting?.serverInfo;
    return info && { name: oneLine(info.name), version: oneLine(info.version) };
  }
  get capabilities(): ServerCapabilities {
    return this.#greeting?.capabilities ?? {};
  }

  /** The server tells something; not its progress and cancellations, which belong to requests. Returns the undo. */
  onNotification(listener: (notification: ServerNotification) => void): () => void {
    return this.#peer.onNotification(listener);
  }
  /** The server asks its client for something, whether that is answered or refused; not `ping`. Returns the undo. */
  onAsked(listener: (request: ServerRequest) => void): () => void {
    return this.#peer.serverRequests.onAsked(listener);
  }
  /** Answers what the server asks; without an owner it is refused. Returns the undo. @throws Error when there is an owner */
  onRequest(answer: AnswerRequest): () => void {
    return this.#peer.serverRequests.onRequest(answer);
  }
  /** A call is about to leave; it waits for the promise. Returns the undo. @throws Error when there is an owner */
  onBeforeCall(hold: () => Promise<void> | undefined): () => void {
    return this.#calls.onBeforeCall(hold);
  }
  /** A call that was sent is over for its caller. Returns the undo. */
  onCallEnded(listener: (end: CallResult) => void): () => void {
    return this.#calls.onCallEnded(listener);
  }
  /** A message leaves or has come, of whatever kind. Returns the undo. */
  onPassed(listener: (passed: TrafficMessage) => void): () => void {
    return this.#passages.subscribe(listener);
  }
  /** A probe was answered, so many milliseconds after it was sent. Returns the undo. */
  onProbeAnswered(listener: (rttMs: number) => void): () => void {
    return this.#roundTrips.subscribe(listener);
  }

  /** The handshake, which waits for as long as the start may take. @throws PanelError SERVER_ERROR, PROTOCOL_ERROR, or the error the connection was ended with. */
  async connect(signal: AbortSignal): Promise<void> {
    const { transport, clientVersion, clientCapabilities = NO_CAPABILITIES } = this.#options;
    try {
      await this.#peer.start();
      this.#greeting = await requestInitialize((method, params) => this.#askUntil(signal, method, params), {
        clientVersion,
        capabilities: clientCapabilities,
      });
      transport.setProtocolVersion?.(this.#greeting.protocolVersion);
      await this.#peer.notify('notifications/initialized');
    } catch (error) {
      void transport.close();
      throw (await this.#reasonOfEnd(error)) ?? handshakeError(error);
    }
  }

  /**
   * Calls the server. A progress token is always sent; progress extends the deadline up to the maximum. A result of up to
   * 100 000 values is parsed, a long one in the thread of long messages.
   * @throws PanelError REQUEST_TIMEOUT, CANCELLED (by the caller or the server), SERVER_ERROR (`cause` is the server's own
   * `RpcError`), PROTOCOL_ERROR, why the connection ended, or why this request was lost.
   */
  async request(
    method: string,
    params: Record<string, unknown> | undefined,
    options: CallOptions = {},
  ): Promise<Record<string, unknown>> {
    const raw = await this.requestRaw(method, params, options);
    return parsedResult(raw, options.signal).catch((error: unknown) => {
      throw options.signal?.aborted ? cancelledByCaller(method, error) : error;
    });
  }

  /** The same, with a long result as the bytes that came, whatever they hold. */
  requestRaw(
    method: string,
    params: Record<string, unknown> | undefined,
    options: CallOptions = {},
  ): Promise<RawResult> {
    return this.#calls.request(method, params, options);
  }

  /** Tells the server something. @throws what the transport throws */
  notify(method: string, params?: Record<string, unknown>): Promise<void> {
    return this.#calls.notify(method, params);
  }

  /**
   * Asks for a sign of life. Any answer is one, an error too. Resolves with the round trip in milliseconds when it came,
   * rejects when the connection ended first; there is no timeout, since nobody waits for it: the verdict looks at activity.
   */
  async probe(kind: ProbeKind): Promise<number> {
    const { clock } = this.#options;
    const sentAtMs = clock.now();
    try {
      await this.#calls.ask(kind, undefined, 'probe').answer;
    } catch (error) {
      if (!(error instanceof RpcError) && !isTooManyRequests(error)) throw error;
    }
    const rttMs = clock.now() - sentAtMs;
    this.#roundTrips.emit(rttMs);
    return rttMs;
  }

  /** The request was lost on its way or back, and only this one: it rejects with `error` now. That is no activity. */
  lose(id: RequestId, error: PanelError): void {
    this.ledger.lost(id);
    this.#peer.fail(id, error);
  }

  /** The same for a call; a question of supervision waits for an answer that is one. */
  loseCall(id: RequestId, error: PanelError): void {
    if (this.ledger.isOpen(id)) this.lose(id, error);
  }

  /** Ends the protocol: every pending request rejects with `pendingError` now. The first cause stays. */
  end(error: PanelError, pendingError = error): void {
    this.#endError ??= error;
    this.#peer.close(pendingError);
    this.#explained.resolve();
    void this.#options.transport.close();
    this.#closed.resolve();
  }

  /** The handshake is not cancelled towards the server (MCP specification, cancellation). */
  async #askUntil(
    signal: AbortSignal,
    method: string,
    params: Record<string, unknown>,
  ): Promise<Record<string, unknown>> {
    const { call, answer } = this.#calls.ask(method, params, HANDSHAKE);
    const onAbort = () => (call ? this.#peer.fail(call.id, signal.reason) : undefined);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      return await parsedResult(await answer, signal);
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  async #unsent(request: OwnRequest, error: unknown): Promise<void> {
    this.ledger.lost(request.id);
    await this.#reasonOfEnd(error);
    this.#peer.fail(request.id, error);
  }

  /** Why the connection ended. A write fails a moment before the process is known to have ended, and why. */
  async #reasonOfEnd(error: unknown): Promise<PanelError | undefined> {
    const isBrokenPipe = error instanceof PanelError && error.code === 'CRASHED';
    if (isBrokenPipe) await settlesWithin(this.#options.clock, this.#explained.promise, BROKEN_PIPE_MS);
    return this.#endError;
  }

  #received(message: JSONRPCMessage, long: LongMessage | undefined): void {
    const now = this.#options.clock.now();
    this.#lastActivityAtMs = now;
    this.#activityCount += 1;
    const arrival = this.ledger.arrived(message, now);
    if (arrival === 'probe-answer') this.#answered(now, 'probe');
    if (arrival === 'answer' || arrival === 'late-answer') this.#answered(now, 'call');
    if (arrival === 'unmatched') this.#options.onUnmatched(message, long);
  }

  /** Only an answer shows that what answers is alive: messages may come from a part that lives on beside a dead one. */
  #answered(nowMs: number, what: 'call' | 'probe'): void {
    this.#lastAnswerAtMs = nowMs;
    this.ledger.forgetOverdue(nowMs, what);
  }
}

/** Whoever limits the rate of our questions lives. */
function isTooManyRequests(error: unknown): boolean {
  return error instanceof PanelError && error.data?.['status'] === 429;
}

/** What a server says of itself is shown in many places: one short line of visible text. */
function oneLine(text: string): string {
  return outputExcerpt(Buffer.from(text));
}
