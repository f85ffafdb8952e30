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

export interface RpcPeerOptions {
  readonly transport: PeerTransport;
  /** Called with each message that comes, before it is dealt with; of a long one, with its outline. */
  readonly onReceived: (message: JSONRPCMessage, long: LongMessage | undefined) => void;
  /** The transport did not get rid of a request. It is open until `fail` is called for it. */
  readonly onUnsent: (request: OwnRequest, error: unknown) => void;
  /** The server works no longer on what it was asked under this id, which may be none that is open. */
  readonly onCalledOff: (id: number, reason: string | undefined) => void;
  /** The client whose calls are in flight is being asked what the server wants of it, until the undo that is returned. */
  readonly onAsking: () => () => void;
  /** The transport has closed. */
  readonly onClosed: () => void;
}

/** A request of ours, ready to leave. */
export type OwnRequest = JSONRPCRequest & { readonly id: number };

/** What a server tells. Of a long one `params` hold only what `LongMessage.outline` says; the rest is in `long`. */
export interface ServerNotification extends Notification {
  readonly long?: LongMessage;
}

/** What a server tells of its progress, with the fields that this version does not know. The token is left out, because it is ours. */
export type ServerProgress = Progress & Readonly<Record<string, unknown>>;

interface OpenRequest {
  resolve(result: RawResult): void;
  reject(error: unknown): void;
  onProgress: ((progress: ServerProgress) => void) | undefined;
}

/**
 * One side of a JSON-RPC 2.0 conversation as MCP has it: requests with their ids and progress, notifications, what the other
 * side asks, cancellation both ways. It waits for ever; deadlines, and what an error means, are the business of its owner.
 */
export class RpcPeer {
  readonly serverRequests: ServerRequests;
  readonly #options: RpcPeerOptions;
  readonly #open = new Map<number, OpenRequest>();
  readonly #notified = new Emitter<ServerNotification>();
  #nextId = 0;
  #isClosed = false;

  constructor(options: RpcPeerOptions) {
    this.#options = options;
    this.serverRequests = new ServerRequests({
      send: (message) => void this.#send(message).catch(() => undefined),
      onAsking: options.onAsking,
    });
  }

  get isClosed(): boolean {
    return this.#isClosed;
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

  /** With an id of its own; `wantsProgress` makes the id its progress token as well. */
  compose(method: string, params: Record<string, unknown> | undefined, wantsProgress = false): OwnRequest {
    const id = this.#nextId;
    this.#nextId += 1;
    if (!wantsProgress) return { jsonrpc: '2.0', id, method, ...(params && { params }) };
    const _meta = { ...(params?.['_meta'] as object | undefined), progressToken: id };
    return { jsonrpc: '2.0', id, method, params: { ...params, _meta } };
  }

  /** Sends before it returns. @throws RpcError what the server answered, or what `fail` or `close` were given */
  ask(request: OwnRequest, onProgress?: (progress: ServerProgress) => void): Promise<RawResult> {
    return new Promise((resolve, reject) => {
      this.#open.set(request.id, { resolve, reject, onProgress });
      this.#send(request).catch((error: unknown) => this.#options.onUnsent(request, error));
    });
  }

  /** The request rejects with `error` now; nobody is told. False when it was none that is open. */
  fail(id: RequestId, error: unknown): boolean {
    const request = this.#take(id);
    request?.reject(error);
    return request !== undefined;
  }

  /** Resolves when the transport has got rid of it; rejects as the transport does. */
  notify(method: string, params?: Record<string, unknown>): Promise<void> {
    return this.#send({ jsonrpc: '2.0', method, ...(params && { params }) });
  }

  /** Hears of all but cancellations and progress, which belong to requests. Returns the undo. */
  onNotification(listener: (notification: ServerNotification) => void): () => void {
    return this.#notified.subscribe(listener);
  }

  /** Every open request rejects with `error` now. */
  close(error: unknown): void {
    this.#isClosed = true;
    const open = [...this.#open.values()];
    this.#open.clear();
    for (const request of open) request.reject(error);
    this.serverRequests.close();
  }

  /** Asynchronous, so that what a transport throws rejects as well. */
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

  /** The open request of this id, which is open no longer. */
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

  /** Only a request's sender cancels it, and both sides count their ids from 0: an id that the server used is its own. */
  #cancelled({ params }: JSONRPCNotification): void {
    const { requestId, reason } = params ?? {};
    if (!isRequestId(requestId) || this.serverRequests.cancelled(requestId)) return;
    const id = ownIdOf(requestId);
    if (id !== undefined) this.#options.onCalledOff(id, typeof reason === 'string' ? reason : undefined);
  }
}

/** Undefined for what has not the form of progress (MCP specification, progress). */
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
