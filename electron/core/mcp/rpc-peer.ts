import { OpenMap } from '../open-map.ts';
import type {
  JSONRPCMessage,
  JSONRPCNotification,
  JSONRPCRequest,
  Notification,
  Progress,
  RequestId,
} from '@modelcontextprotocol/sdk/types.js';
import { Emitter } from '../emitter.ts';
import { connectionClosed } from './call-errors.ts';
import type { LongMessage, RawResult } from './long-message.ts';
import { ownIdOf } from './message-form.ts';
import type { PeerTransport } from './peer-transport.ts';
import { RpcError } from './rpc-error.ts';
import { ServerRequests } from './server-requests.ts';

interface RpcPeerOptions {
  readonly transport: PeerTransport;
  /** Id of the first request. Default 0. */
  readonly firstRequestId?: number | undefined;
  /** Called with each received message before it is handled. For a long message, it is called with the header. */
  readonly onReceived: (message: JSONRPCMessage, long: LongMessage | undefined) => void;
  /** Called when the transport failed to send a request. The request stays open until `fail` is called for it. */
  readonly onUnsent: (request: OwnRequest, error: unknown) => void;
  /** Called when the server cancels a request of the panel. There may be no open request with this id. */
  readonly onCalledOff: (id: number, reason: string | undefined) => void;
  /**
   * Called when a server request is sent on to the clients that have calls in flight. Returns a function to call when that
   * request has been answered.
   */
  readonly onAsking: () => () => void;
  /** Called when the transport has closed. */
  readonly onClosed: () => void;
}

/** Request of the panel, ready to send. */
export type OwnRequest = JSONRPCRequest & { readonly id: number };

/**
 * Notification of a server. The `params` of a long notification contain only the part that was parsed for its header; `long`
 * contains the whole notification.
 */
export interface ServerNotification extends Notification {
  readonly long?: LongMessage;
}

/**
 * Progress of a request, including fields unknown to this protocol version. The progress token is left out, because the panel
 * chose it and callers cannot use it.
 */
export type ServerProgress = Progress & Readonly<Record<string, unknown>>;

interface OpenRequest {
  resolve(result: RawResult): void;
  reject(error: unknown): void;
  onProgress: ((progress: ServerProgress) => void) | undefined;
}

/**
 * The panel's side of a JSON-RPC 2.0 connection as MCP uses it: requests with ids and progress, notifications, server requests,
 * and cancellation in both directions. It has no timeouts, because its owner handles deadlines and decides what errors mean.
 */
export class RpcPeer {
  readonly serverRequests: ServerRequests;
  readonly #options: RpcPeerOptions;
  readonly #open = new OpenMap<number, OpenRequest>();
  readonly #notified = new Emitter<ServerNotification>();
  #nextId: number;
  #isClosed = false;

  constructor(options: RpcPeerOptions) {
    this.#options = options;
    this.#nextId = options.firstRequestId ?? 0;
    this.serverRequests = new ServerRequests({
      send: (message) => void this.#send(message).catch(() => undefined),
      onAsking: options.onAsking,
    });
  }

  async start(): Promise<void> {
    const { transport, onClosed } = this.#options;
    transport.onmessage = (message) => this.#received(message, undefined);
    transport.onlongmessage = (long) => this.#received(long.outline, long);
    transport.onclose = () => {
      this.close(connectionClosed());
      onClosed();
    };
    await transport.start();
  }

  /**
   * Creates a request with a new id; undefined if the connection has ended. With `wantsProgress`, the id is also used as the
   * progress token.
   */
  compose(
    method: string,
    params: Record<string, unknown> | undefined,
    wantsProgress = false,
  ): OwnRequest | undefined {
    if (this.#isClosed) return undefined;
    const id = this.#nextId;
    this.#nextId += 1;
    if (!wantsProgress) return { jsonrpc: '2.0', id, method, ...(params && { params }) };
    const _meta = { ...(params?.['_meta'] as object | undefined), progressToken: id };
    return { jsonrpc: '2.0', id, method, params: { ...params, _meta } };
  }

  /**
   * Sends a request; it has been passed to the transport when this function returns. @throws RpcError the server's error, or
   * the error given to `fail` or `close`
   */
  ask(request: OwnRequest, onProgress?: (progress: ServerProgress) => void): Promise<RawResult> {
    return new Promise((resolve, reject) => {
      this.#open.set(request.id, { resolve, reject, onProgress });
      this.#options.transport.send(request).catch((error: unknown) => this.#options.onUnsent(request, error));
    });
  }

  /** Rejects the open request with this id with `error`, without sending anything. Returns false if there is no such request. */
  fail(id: RequestId, error: unknown): boolean {
    const request = this.#take(id);
    request?.reject(error);
    return request !== undefined;
  }

  /** Sends a notification. Resolves when the transport has sent it; rejects with the error of the transport. */
  notify(method: string, params?: Record<string, unknown>): Promise<void> {
    return this.#send({ jsonrpc: '2.0', method, ...(params && { params }) });
  }

  /** Subscribes to notifications except cancellations and progress, which belong to requests. Returns the unsubscribe function. */
  onNotification(listener: (notification: ServerNotification) => void): () => void {
    return this.#notified.subscribe(listener);
  }

  /** Rejects every open request with `error`. */
  close(error: unknown): void {
    this.#isClosed = true;
    const open = [...this.#open.values()];
    this.#open.clear();
    for (const request of open) request.reject(error);
    this.serverRequests.close();
  }

  /**
   * Sends a message. The function is async, so that an error thrown synchronously by the transport becomes a rejection as well.
   */
  async #send(message: JSONRPCMessage): Promise<void> {
    await this.#options.transport.send(message);
  }

  #received(message: JSONRPCMessage, long: LongMessage | undefined): void {
    this.#options.onReceived(message, long);
    if (!('method' in message)) this.#answered(message, long);
    else if ('id' in message) this.serverRequests.received(message, long);
    else if (message.method === 'notifications/progress') this.#progressed(message);
    else if (message.method === 'notifications/cancelled') this.#cancelled(message);
    else this.#notified.emit(long ? { ...message, long } : message);
  }

  #answered(message: Exclude<JSONRPCMessage, { method: string }>, long: LongMessage | undefined): void {
    const request = this.#take(message.id);
    if (!request) return;
    if ('error' in message) {
      const { code, message: words, data } = message.error;
      return request.reject(new RpcError(code, words, data, long));
    }
    request.resolve(long ? { kind: 'long', message: long } : { kind: 'parsed', result: message.result });
  }

  /** Removes and returns the open request with this id. */
  #take(id: RequestId | undefined): OpenRequest | undefined {
    const key = ownIdOf(id);
    const request = key === undefined ? undefined : this.#open.get(key);
    if (key !== undefined) this.#open.delete(key);
    return request;
  }

  #progressed({ params }: JSONRPCNotification): void {
    const id = ownIdOf(params?.['progressToken']);
    const onProgress = id === undefined ? undefined : this.#open.get(id)?.onProgress;
    const progress = onProgress && progressIn(params);
    if (progress) onProgress(progress);
  }

  /**
   * Handles a cancellation by the server. Both sides count ids from 0, so the id may belong to a request of either side. It is
   * looked up among the server's own requests first, because only the sender of a request should cancel it.
   */
  #cancelled({ params }: JSONRPCNotification): void {
    const { requestId, reason } = params ?? {};
    if (!isRequestId(requestId) || this.serverRequests.cancelled(requestId)) return;
    const id = ownIdOf(requestId);
    if (id !== undefined) this.#options.onCalledOff(id, typeof reason === 'string' ? reason : undefined);
  }
}

/** Returns the progress in `params`; undefined if a field has the wrong type (MCP specification, progress). */
function progressIn(params: Record<string, unknown> | undefined): ServerProgress | undefined {
  const told: Record<string, unknown> = { ...params };
  delete told['progressToken'];
  return isProgress(told) ? told : undefined;
}

function isProgress(told: Record<string, unknown>): told is ServerProgress {
  const { progress, total, message } = told;
  if (typeof progress !== 'number' || !['number', 'undefined'].includes(typeof total)) return false;
  return message === undefined || typeof message === 'string';
}

function isRequestId(id: unknown): id is RequestId {
  return typeof id === 'number' || typeof id === 'string';
}
