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
import { CallLedger } from './call-ledger.ts';
import { LinkCallers } from './link-callers.ts';
import { outputExcerpt } from './malformed-output.ts';
import { handshakeRequests, requestInitialize, type InitializeResponse } from './handshake.ts';
import { ProtocolLogLevel } from './log-level.ts';
import { parsedResult, type LongMessage, type RawResult } from './long-message.ts';
import type { CallLimits } from './open-call.ts';
import { OutgoingCalls, type CallResult, type CallOptions } from './outgoing-calls.ts';
import { ConnectionTraffic } from './connection-traffic.ts';
import type { TrafficMessage, PeerTransport } from './peer-transport.ts';
import { RpcError } from './rpc-error.ts';
import { RpcPeer, type OwnRequest, type ServerNotification } from './rpc-peer.ts';
import type { AnswerRequest, ServerRequest } from './server-requests.ts';

export type { CallResult, CallOptions } from './outgoing-calls.ts';

export type ProbeKind = 'ping' | 'tools/list';

interface McpConnectionOptions {
  readonly transport: PeerTransport;
  readonly clock: Clock;
  readonly clientVersion: string;
  /** Id of the first request. Default 0. */
  readonly firstRequestId?: number | undefined;
  /** Client capabilities declared to the server; none by default. Whoever declares them must also set `onRequest`. */
  readonly clientCapabilities?: ClientCapabilities;
  /** Returns the limits of a call. Called for each call, so that a changed setting applies to the next one. */
  readonly limits: () => CallLimits;
  /** Called for an answer that belongs to no request of the panel, because its id is a duplicate or unknown. */
  readonly onUnmatched: (message: JSONRPCMessage, long: LongMessage | undefined) => void;
}

/** Default capabilities. They never include `roots`, because some servers replace their own folders with the client's roots. */
const NO_CAPABILITIES: ClientCapabilities = {};

/** Maximum milliseconds to wait after a failed write for the process exit that explains it. */
const BROKEN_PIPE_MS = 1000;

/**
 * Initialized MCP client on one transport. It also records what supervision needs: when the server last sent anything, and
 * which calls are unanswered. It owns the protocol, not the process or socket below it.
 */
export class McpConnection {
  readonly ledger = new CallLedger();
  /** All callers that have used the connection since it began; recorded by the code that calls on their behalf. */
  readonly callers = new LinkCallers();
  /** Log level of the server. Every subscriber to the server's logs sets its level here. */
  readonly logLevel = new ProtocolLogLevel(
    (level) => this.#calls.ask('logging/setLevel', { level }, 'probe').answer,
  );
  readonly #options: McpConnectionOptions;
  readonly #peer: RpcPeer;
  readonly #calls: OutgoingCalls;
  readonly #passages: ConnectionTraffic;
  readonly #roundTrips = new Emitter<number>();
  readonly #closed = createDeferred<void>();
  /** Settles when the owner has called `end` with the reason why the connection ended. */
  readonly #explained = createDeferred<void>();
  #greeting: InitializeResponse | undefined;
  #lastActivityAtMs: number;
  #lastAnswerAtMs: number;
  #endError: PanelError | undefined;

  constructor(options: McpConnectionOptions) {
    this.#options = options;
    this.#lastActivityAtMs = this.#lastAnswerAtMs = options.clock.now();
    this.#peer = new RpcPeer({
      transport: options.transport,
      firstRequestId: options.firstRequestId,
      onReceived: (message, long) => this.#received(message, long),
      onUnsent: (request, error) => void this.#unsent(request, error),
      onCalledOff: (id, reason) => this.#calls.calledOff(id, reason),
      onAsking: () => this.#calls.clientAsked(),
      onClosed: () => this.#closed.resolve(),
    });
    this.#passages = new ConnectionTraffic(options.transport, this.ledger);
    this.#calls = new OutgoingCalls({
      clock: options.clock,
      peer: this.#peer,
      ledger: this.ledger,
      limits: options.limits,
      endError: () => this.#endError ?? connectionClosed(),
    });
  }

  /** Settles when the connection has ended for any reason. */
  get closed(): Promise<void> {
    return this.#closed.promise;
  }
  /** Monotonic time of the last inbound message; before the first message, the time of construction. */
  get lastActivityAtMs(): number {
    return this.#lastActivityAtMs;
  }
  /** Monotonic time of the last answer to the panel, including late ones; before the first answer, the time of construction. */
  get lastAnswerAtMs(): number {
    return this.#lastAnswerAtMs;
  }
  get pendingRequests(): number {
    return this.ledger.size;
  }
  /** Use of the server by callers; health checks do not count as use. */
  get use(): Pick<OutgoingCalls, 'isInUse' | 'lastUseAtMs'> {
    return this.#calls;
  }
  /** Complete initialize result as received; undefined before the handshake. */
  get greeting(): InitializeResponse | undefined {
    return this.#greeting;
  }
  /** Name and version of the server for display, each as one short line of visible text; undefined before the handshake. */
  get serverInfo(): { name: string; version: string } | undefined {
    const info = this.#greeting?.serverInfo;
    const oneLine = (text: string) => outputExcerpt(Buffer.from(text));
    return info && { name: oneLine(info.name), version: oneLine(info.version) };
  }
  get capabilities(): ServerCapabilities {
    return this.#greeting?.capabilities ?? {};
  }

  /** Subscribes to notifications other than progress and cancellations. Returns the unsubscribe function. */
  onNotification(listener: (notification: ServerNotification) => void): () => void {
    return this.#peer.onNotification(listener);
  }
  /** Subscribes to all requests of the server except `ping`, answered or refused. Returns the unsubscribe function. */
  onAsked(listener: (request: ServerRequest) => void): () => void {
    return this.#peer.serverRequests.onAsked(listener);
  }
  /** Sets the function that answers the server's requests. Returns a function that removes it. @throws Error if one is set */
  onRequest(answer: AnswerRequest): () => void {
    return this.#peer.serverRequests.onRequest(answer);
  }
  /** Sets a function that each call waits for before it is sent. Returns its removal. @throws Error if one is set */
  onBeforeCall(hold: () => Promise<void> | undefined): () => void {
    return this.#calls.onBeforeCall(hold);
  }
  /** Subscribes to the end of calls, as seen by their callers. Returns the unsubscribe function. */
  onCallEnded(listener: (end: CallResult) => void): () => void {
    return this.#calls.onCallEnded(listener);
  }
  /** Subscribes to every message in both directions. Returns the unsubscribe function. */
  onPassed(listener: (passed: TrafficMessage) => void): () => void {
    return this.#passages.subscribe(listener);
  }
  /** Subscribes to the round-trip times of answered probes, in milliseconds. Returns the unsubscribe function. */
  onProbeAnswered(listener: (rttMs: number) => void): () => void {
    return this.#roundTrips.subscribe(listener);
  }

  /** Performs the handshake, without a timeout. @throws PanelError SERVER_ERROR, PROTOCOL_ERROR, or the error given to `end` */
  async connect(signal: AbortSignal): Promise<void> {
    const { transport, clientVersion, clientCapabilities = NO_CAPABILITIES } = this.#options;
    try {
      await this.#peer.start();
      this.#greeting = await requestInitialize(handshakeRequests(this.#calls, signal), {
        clientVersion,
        capabilities: clientCapabilities,
        clock: this.#options.clock,
      });
      transport.setProtocolVersion?.(this.#greeting.protocolVersion);
      await this.#peer.notify('notifications/initialized');
    } catch (error) {
      void transport.close();
      throw (await this.#reasonOfEnd(error)) ?? handshakeError(error);
    }
  }

  /**
   * Calls the server. A progress token is always sent; progress extends the deadline up to the maximum. A result of up to 100
   * 000 values is parsed; a long result is parsed in a separate thread for long messages.
   * @throws PanelError REQUEST_TIMEOUT, CANCELLED (by the caller or the server), SERVER_ERROR (`cause` is the server's own
   * `RpcError`), PROTOCOL_ERROR, or the reason why the connection ended or this request was lost.
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

  /** Calls the server as `request` does, but returns a long result as raw bytes whatever they contain. */
  requestRaw(
    method: string,
    params: Record<string, unknown> | undefined,
    options: CallOptions = {},
  ): Promise<RawResult> {
    return this.#calls.request(method, params, options);
  }

  /** Sends a notification to the server. @throws any error of the transport */
  notify(method: string, params?: Record<string, unknown>): Promise<void> {
    return this.#calls.notify(method, params);
  }

  /**
   * Sends a health check. Any answer counts, even an error. Resolves with the round-trip time in milliseconds; rejects if the
   * connection ends first. It has no timeout, because no caller waits for it and the server is judged by its activity.
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

  /** Rejects one request with `error`, because it or its answer was lost in transit. Not counted as activity of the server. */
  lose(id: RequestId, error: PanelError): void {
    this.ledger.lost(id);
    this.#peer.fail(id, error);
  }

  /** Rejects a lost call as `lose` does. A health check is left open, because its real answer may still arrive. */
  loseCall(id: RequestId, error: PanelError): void {
    if (this.ledger.isOpen(id)) this.lose(id, error);
  }

  /** Ends the protocol: every pending request rejects with `pendingError` immediately. A second call keeps the first `error`. */
  end(error: PanelError, pendingError = error): void {
    this.#endError ??= error;
    this.#peer.close(pendingError);
    this.#calls.dispose();
    this.#explained.resolve();
    void this.#options.transport.close();
    this.#closed.resolve();
  }

  async #unsent(request: OwnRequest, error: unknown): Promise<void> {
    this.ledger.lost(request.id);
    await this.#reasonOfEnd(error);
    this.#peer.fail(request.id, error);
  }

  /**
   * Returns the reason why the connection ended. After a failed write it waits briefly, because the exit of the process and its
   * cause become known a moment later.
   */
  async #reasonOfEnd(error: unknown): Promise<PanelError | undefined> {
    const isBrokenPipe = error instanceof PanelError && error.code === 'CRASHED';
    if (isBrokenPipe) await settlesWithin(this.#options.clock, this.#explained.promise, BROKEN_PIPE_MS);
    return this.#endError;
  }

  #received(message: JSONRPCMessage, long: LongMessage | undefined): void {
    const now = this.#options.clock.now();
    this.#lastActivityAtMs = now;
    const arrival = this.ledger.arrived(message, now);
    if (arrival === 'probe-answer') this.#answered(now, 'probe');
    if (arrival === 'answer' || arrival === 'late-answer') this.#answered(now, 'call');
    if (arrival === 'unmatched') this.#options.onUnmatched(message, long);
  }

  /**
   * Records an answer. Only answers prove that the server works, because other messages may come from a part of the server that
   * still runs after another part has failed.
   */
  #answered(nowMs: number, what: 'call' | 'probe'): void {
    this.#lastAnswerAtMs = nowMs;
    this.ledger.forgetOverdue(nowMs, what);
  }
}

/** True for HTTP 429. A server that limits the rate of requests is alive. */
function isTooManyRequests(error: unknown): boolean {
  return error instanceof PanelError && error.data?.['status'] === 429;
}
