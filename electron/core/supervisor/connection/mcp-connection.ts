import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { RequestOptions } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  ErrorCode as RpcErrorCode,
  McpError,
  ResultSchema,
  type JSONRPCMessage,
  type Notification,
  type Progress,
  type RequestId,
  type ServerCapabilities,
} from '@modelcontextprotocol/sdk/types.js';
import type { JsonSchemaValidator, jsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/types.js';
import { PanelError } from '../../../../shared/error-codes.ts';
import { LONGEST_TIMER_MS, type Clock } from '../../clock.ts';
import { createDeferred } from '../../deferred.ts';
import { aboutServer } from '../../phrases.ts';
import { settlesWithin, unlessAborted } from '../../wait.ts';
import { CallCutoff } from './call-cutoff.ts';
import { CallLedger, type CallLimits, type CallTerms, type OpenCall } from './call-ledger.ts';
import { excerptOf } from './frame-reader.ts';
import { ObservedTransport } from './observed-transport.ts';
import { cancelledByServer, ServerCancellations } from './server-cancellations.ts';

export type ProbeKind = 'ping' | 'tools/list';

export interface McpConnectionOptions {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly clientVersion: string;
  /** Read at each call, so that a changed setting applies to the next one. */
  readonly limits: () => CallLimits;
  /** A message that answers nothing we asked: duplicate or unknown ids. */
  readonly onUnmatched: (message: JSONRPCMessage) => void;
  readonly onNotification: (notification: Notification) => void;
  /** The server asked its client for something; it is refused, as everything is that the panel did not declare. */
  readonly onAskedBack: (method: string) => void;
  /** A call is about to leave; it waits for the promise. */
  readonly onBeforeCall: () => Promise<void> | undefined;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Longest time without progress that this caller waits, instead of the setting's. */
  readonly timeoutMs?: number;
  onProgress?(progress: Progress): void;
}

/** The panel declares nothing it cannot do; `roots` never, since some servers replace their own folders by them. */
const CAPABILITIES = {};

/** Whoever starts the server bounds it. */
const UNLIMITED: CallLimits = { timeoutMs: Infinity, maxTotalMs: Infinity };
const HANDSHAKE: Departure = { terms: { limits: UNLIMITED, allowance: UNLIMITED } };

/** A request as it leaves: what the ledger is to know of it, and who is told that it did. */
interface Departure {
  readonly terms: CallTerms | 'probe';
  onSent?(call: OpenCall): void;
}

/** The SDK would build a schema compiler for every client, about a megabyte each; the panel hands results on as they are. */
const noValidation: jsonSchemaValidator = {
  getValidator<T>(): JsonSchemaValidator<T> {
    return (input) => ({ valid: true, data: input as T, errorMessage: undefined });
  },
};

/**
 * One initialised MCP client on one transport, with what supervision needs to know of it: when the server last
 * said anything, and which calls it has not answered. It owns the protocol, not the process or socket below.
 */
export class McpConnection {
  readonly ledger = new CallLedger();
  readonly #options: McpConnectionOptions;
  readonly #client: Client;
  readonly #transport: ObservedTransport;
  readonly #cancellations = new ServerCancellations();
  readonly #closed = createDeferred<void>();
  /** Settles once the owner has said why the connection is over. */
  readonly #explained = createDeferred<void>();
  #lastActivityAtMs: number;
  #lastAnswerAtMs: number;
  #activityCount = 0;
  /** Of the request that is being sent right now; of the handshake's when there is none. */
  #departure: Departure = HANDSHAKE;
  #endError: PanelError | undefined;
  /** What the requests that were under way at the end are told. */
  #pendingError: PanelError | undefined;

  constructor(options: McpConnectionOptions) {
    this.#options = options;
    this.#lastActivityAtMs = this.#lastAnswerAtMs = options.clock.now();
    this.#transport = new ObservedTransport(options.transport, {
      onSend: (message) => this.#leaves(message),
      onUnsent: (message) => this.ledger.unsent(message),
      onReceive: (message) => this.#received(message),
    });
    const info = { name: 'mcp-control-panel', version: options.clientVersion };
    this.#client = new Client(info, { capabilities: CAPABILITIES, jsonSchemaValidator: noValidation });
    this.#client.onclose = () => this.#closed.resolve();
    // Out-of-band reports of the SDK; what matters of them reaches us as noise, activity or the end of the process.
    this.#client.onerror = () => undefined;
    // Before the handshake: a server may log or report progress as soon as it runs.
    this.#client.fallbackNotificationHandler = (notification) => {
      options.onNotification(notification);
      return Promise.resolve();
    };
    this.#client.fallbackRequestHandler = ({ method }) => {
      options.onAskedBack(method);
      return Promise.reject(new McpError(RpcErrorCode.MethodNotFound, 'Method not found'));
    };
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
    return this.ledger.calls.length;
  }
  get serverInfo(): { name: string; version: string } | undefined {
    const info = this.#client.getServerVersion();
    return info && { name: oneLine(info.name), version: oneLine(info.version) };
  }
  get capabilities(): ServerCapabilities {
    return this.#client.getServerCapabilities() ?? {};
  }

  /** The handshake, which waits for as long as the start may take. @throws PanelError SERVER_ERROR, PROTOCOL_ERROR, or the error the connection was ended with. */
  async connect(signal: AbortSignal): Promise<void> {
    try {
      await this.#client.connect(this.#transport, { timeout: LONGEST_TIMER_MS, signal });
    } catch (error) {
      throw (await this.#reasonOfEnd(error)) ?? handshakeError(error);
    }
  }

  /**
   * Calls the server. A progress token is always sent; progress extends the deadline up to the maximum.
   * @throws PanelError REQUEST_TIMEOUT, CANCELLED (by the caller or the server), SERVER_ERROR (the server's own error in
   * `data`), PROTOCOL_ERROR, why the connection ended, or why this request was lost.
   */
  async request(
    method: string,
    params: Record<string, unknown> | undefined,
    options: CallOptions = {},
  ): Promise<Record<string, unknown>> {
    // A caller that cancels meanwhile is freed at once, and nothing is sent.
    await unlessAborted(Promise.resolve(this.#options.onBeforeCall()), options.signal);
    const isSent = this.#endError === undefined;
    const cutoff = new CallCutoff(this.#options.clock, options.signal);
    const terms = termsOf(this.#options.limits(), options.timeoutMs);
    try {
      return await this.#send(
        { method, ...(params && { params }) },
        { terms, onSent: (call) => cutoff.watch(call) },
        { onprogress: (progress) => options.onProgress?.(progress), signal: cutoff.signal },
      );
    } catch (error) {
      const reason = await unlessAborted(this.#reasonOfEnd(error), options.signal);
      if (options.signal?.aborted) throw cancelled(method, error);
      const ended = isSent ? this.#pendingError : reason;
      throw lossOf(error) ?? ended ?? callError(error, method, cutoff.isTimeout(error));
    } finally {
      cutoff.dispose();
    }
  }

  /**
   * Asks for a sign of life. Any answer is one, an error too. Resolves when it came, rejects when the connection
   * ended first; there is no timeout, since nobody waits for it: the verdict looks at activity.
   */
  async probe(kind: ProbeKind): Promise<void> {
    try {
      await this.#send({ method: kind }, { terms: 'probe' });
    } catch (error) {
      if (isTooManyRequests(error)) return;
      // Not by the code: a server may use those of the SDK.
      const isOver = this.#client.transport === undefined;
      if (!(error instanceof McpError) || lossOf(error) || isOver) throw error;
    }
  }

  /** Asks for debug logs, so that a server's own heartbeats arrive. A refusal is no failure. */
  async requestDebugLogs(): Promise<void> {
    const request = { method: 'logging/setLevel', params: { level: 'debug' } };
    await this.#send(request, { terms: 'probe' }).catch(() => undefined);
  }

  /** The SDK sends before it returns. No timeout of its own counts. */
  #send(
    request: { method: string; params?: Record<string, unknown> },
    departure: Departure,
    options: RequestOptions = {},
  ): Promise<Record<string, unknown>> {
    this.#departure = departure;
    try {
      return this.#client.request(request, ResultSchema, { ...options, timeout: LONGEST_TIMER_MS });
    } finally {
      this.#departure = HANDSHAKE;
    }
  }

  /** The request was lost on its way or back, and only this one: it rejects with `error` now. That is no activity. */
  lose(id: RequestId, error: PanelError): void {
    const answer = lossAnswer(id, error);
    this.ledger.arrived(answer, this.#options.clock.now());
    this.#transport.onmessage?.(answer);
  }

  /** The same for a call; a question of supervision waits for an answer that is one. */
  loseCall(id: RequestId, error: PanelError): void {
    if (this.ledger.isOpen(id)) this.lose(id, error);
  }

  /** Ends the protocol: every pending request rejects with `pendingError` now. The first cause stays. */
  end(error: PanelError, pendingError = error): void {
    this.#endError ??= error;
    this.#pendingError ??= pendingError;
    this.#explained.resolve();
    void this.#transport.close();
    this.#closed.resolve();
  }

  /** Why the connection ended. A write fails a moment before the process is known to have ended, and why. */
  async #reasonOfEnd(error: unknown): Promise<PanelError | undefined> {
    const isBrokenPipe = error instanceof PanelError && error.code === 'CRASHED';
    if (isBrokenPipe) await settlesWithin(this.#options.clock, this.#explained.promise, BROKEN_PIPE_MS);
    return this.#endError;
  }

  #leaves(message: JSONRPCMessage): void {
    const call = this.ledger.sent(message, this.#options.clock.now(), this.#departure.terms);
    if (call) this.#departure.onSent?.(call);
  }

  /** False for an answer to nothing, of which the SDK would make an error with all its text. */
  #received(message: JSONRPCMessage): boolean {
    const now = this.#options.clock.now();
    this.#lastActivityAtMs = now;
    this.#activityCount += 1;
    const arrival = this.ledger.arrived(message, now);
    if (arrival === 'answer' || arrival === 'late-answer') this.#answered(now);
    if (arrival === 'unmatched') this.#options.onUnmatched(message);
    return arrival !== 'unmatched' && !this.#isCancelledBy(message);
  }

  /** The server says that it works on a call of ours no longer: its caller need not wait for the deadline. */
  #isCancelledBy(message: JSONRPCMessage): boolean {
    const named = this.#cancellations.namedIn(message);
    const call = named && this.ledger.calledOff(named.id);
    if (call && !call.isCancelled)
      this.#transport.onmessage?.(lossAnswer(call.id, cancelledByServer(call.method, named.reason)));
    return call !== undefined;
  }

  /** Only an answer shows that what answers is alive: messages may come from a part that lives on beside a dead one. */
  #answered(nowMs: number): void {
    this.#lastAnswerAtMs = nowMs;
    this.ledger.forgetOverdue(nowMs);
  }
}

/** A lost request has the form of an answer with an error; its `data` is ours and cannot come from a server. */
const LOST_CODE: number = RpcErrorCode.ConnectionClosed;
function lossAnswer(id: RequestId, error: PanelError) {
  return { jsonrpc: '2.0' as const, id, error: { code: LOST_CODE, message: error.message, data: error } };
}
/** From a failed write to the exit that explains it. */
const BROKEN_PIPE_MS = 1000;

/** A caller's own timeout is its own: it neither shortens nor outlasts what the server is allowed, and is waited for. */
function termsOf(setting: CallLimits, ownTimeoutMs: number | undefined): CallTerms {
  if (ownTimeoutMs === undefined) return { limits: setting, allowance: setting };
  const maxTotalMs = Math.max(setting.maxTotalMs, ownTimeoutMs);
  return {
    limits: { timeoutMs: ownTimeoutMs, maxTotalMs },
    allowance: { timeoutMs: Math.max(setting.timeoutMs, ownTimeoutMs), maxTotalMs },
  };
}

function handshakeError(error: unknown): PanelError {
  const known = error instanceof PanelError ? error : lossOf(error);
  if (known) return known;
  if (error instanceof McpError) return serverError(error, 'refused the MCP handshake');
  const message = error instanceof Error ? error.message : String(error);
  const phrase = `did not complete the MCP handshake: ${message}`;
  return new PanelError('PROTOCOL_ERROR', aboutServer(phrase), {
    short: { phrase },
    remedy:
      'Check that the command starts an MCP server that speaks over stdio, and read what it wrote to stderr.',
    cause: error,
  });
}

/** What its caller wanted: it comes before whatever else happened to the call, also at the same instant. */
function cancelled(method: string, cause: unknown): PanelError {
  return new PanelError('CANCELLED', `${method} was cancelled.`, { cause });
}

function callError(error: unknown, method: string, isTimeout: boolean): PanelError {
  if (error instanceof PanelError) return error;
  if (!(error instanceof McpError))
    return new PanelError('PROTOCOL_ERROR', `${method} failed: ${String(error)}.`, { cause: error });
  if (isTimeout) {
    return new PanelError('REQUEST_TIMEOUT', `${method} had no answer by its deadline.`, { cause: error });
  }
  return serverError(error);
}

/** What the server answered instead of a result. The SDK puts the code before its words. */
function serverError(cause: McpError, lead?: string): PanelError {
  const { code, data } = cause;
  const words = cause.message.replace(`MCP error ${code}: `, '');
  const phrase = `${lead}: ${words}`;
  return new PanelError('SERVER_ERROR', lead === undefined ? words : `The server ${phrase}`, {
    data: { rpcCode: code, rpcData: data },
    short: lead === undefined ? undefined : { phrase },
    cause,
  });
}

/** Why the request was lost; undefined when it failed in another way. */
function lossOf(error: unknown): PanelError | undefined {
  return error instanceof McpError && error.data instanceof PanelError ? error.data : undefined;
}

/** Whoever limits the rate of our questions lives. */
function isTooManyRequests(error: unknown): boolean {
  return lossOf(error)?.data?.['status'] === 429;
}

/** What a server says of itself is shown in many places: one short line of visible text. */
function oneLine(text: string): string {
  return excerptOf(Buffer.from(text));
}
