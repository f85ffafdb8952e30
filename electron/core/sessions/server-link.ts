import { PanelError } from '../../../shared/error-codes.ts';
import type { InitializeResponse } from '../mcp/handshake.ts';
import type { LoggingLevel } from '../mcp/log-level.ts';
import { createDeferred } from '../deferred.ts';
import type { ServerProtocol } from './supervised-server.ts';

/**
 * One session of a server, for the gateway: one object per connection and generation, the same for every lease of that session,
 * so that state of the connection (handler of server requests, log level) can be kept beside it. It never reopens: a new lease
 * has the connection of the next generation.
 */
export interface UpstreamLink {
  /** The server's whole initialize result, as received. */
  readonly greeting: InitializeResponse;
  /** True when the session has ended and requests reject. */
  readonly hasEnded: boolean;
  /** Settles when the session has ended. */
  readonly closed: Promise<void>;
  /**
   * Sends a request that counts for no context, while `Lease.request` counts for the lease's context. @throws PanelError
   * SESSION_CLOSED once the session has ended; others as `McpConnection.request`
   */
  readonly request: ServerProtocol['request'];
  /** Works as `request`, but a long result arrives as the received bytes. */
  readonly requestRaw: ServerProtocol['requestRaw'];
  /** Sends a notification to the server. @throws PanelError SESSION_CLOSED once the session has ended; errors of the transport */
  readonly notify: ServerProtocol['notify'];
  /** Listens to notifications of the server until the returned unsubscribe function is called, or the session ends. */
  readonly onNotification: ServerProtocol['onNotification'];
  /** Handles server requests until the returned function is called or the session ends. @throws Error when the connection already has a handler */
  readonly onRequest: ServerProtocol['onRequest'];
  /**
   * Requests a log level; the server gets the most verbose level requested over the connection. The request ends with the
   * returned function, or with the session.
   */
  readonly wantLogLevel: (level: LoggingLevel) => () => void;
  /** All callers over the connection, those of earlier sessions included; requests of the panel itself do not count. */
  readonly callers: LinkCallers;
}

/** Server process or replica that answers a session. */
export interface Serving {
  /** Name of the supervised instance. */
  readonly instance: string;
  readonly pid: number | undefined;
  /** Time at which the session opened, in epoch milliseconds. */
  readonly openedAt: number;
}

/** The connection of a session, as its manager needs it. */
export interface ServerLink extends UpstreamLink {
  readonly serving: Serving;
  /** Number of unanswered requests. */
  readonly pendingRequests: number;
  /** Closes the connection and releases its resources. It is called at most once, also for a connection that ended by itself. */
  close(): Promise<void>;
}

export interface SupervisedLinkOptions {
  readonly protocol: ServerProtocol;
  readonly greeting: InitializeResponse;
  readonly serving: Serving;
  /** Callers over the connection, which may outlive its sessions. */
  readonly callers: LinkCallers;
  /** Releases the resources of this session alone. */
  readonly release: () => Promise<void>;
}

/**
 * A session's connection to a supervised instance. It ends with the run of that instance. Closing it releases only the
 * session's own resources; the server's own run goes on, because its supervisor keeps the process.
 */
export class SupervisedLink implements ServerLink {
  readonly greeting: InitializeResponse;
  readonly serving: Serving;
  readonly callers: LinkCallers;
  readonly #options: SupervisedLinkOptions;
  readonly #protocol: ServerProtocol;
  readonly #closed = createDeferred<void>();
  /** Unsubscribe functions of listeners on the protocol, which may live on without this session. */
  readonly #undoes = new Set<() => void>();
  #hasEnded = false;

  constructor(options: SupervisedLinkOptions) {
    this.greeting = options.greeting;
    this.serving = options.serving;
    this.callers = options.callers;
    this.#options = options;
    this.#protocol = options.protocol;
    void options.protocol.closed.then(() => this.#end());
  }

  get closed(): Promise<void> {
    return this.#closed.promise;
  }
  get hasEnded(): boolean {
    return this.#hasEnded;
  }
  get pendingRequests(): number {
    return this.#protocol.pendingRequests;
  }

  request: UpstreamLink['request'] = (method, params, options) =>
    this.#hasEnded ? Promise.reject(sessionEnded()) : this.#protocol.request(method, params, options);

  requestRaw: UpstreamLink['requestRaw'] = (method, params, options) =>
    this.#hasEnded ? Promise.reject(sessionEnded()) : this.#protocol.requestRaw(method, params, options);

  notify: UpstreamLink['notify'] = (method, params) =>
    this.#hasEnded ? Promise.reject(sessionEnded()) : this.#protocol.notify(method, params);

  onNotification: UpstreamLink['onNotification'] = (listener) =>
    this.#whileOpen(() => this.#protocol.onNotification(listener));

  onRequest: UpstreamLink['onRequest'] = (answer) => this.#whileOpen(() => this.#protocol.onRequest(answer));

  wantLogLevel: UpstreamLink['wantLogLevel'] = (level) =>
    this.#whileOpen(() => this.#protocol.logLevel.want(level));

  async close(): Promise<void> {
    this.#end();
    await this.#options.release();
  }

  /** Subscribes until the end of the session. Returns the unsubscribe function. An ended session subscribes to nothing. */
  #whileOpen(begin: () => () => void): () => void {
    if (this.#hasEnded) return () => undefined;
    const end = begin();
    const undo = () => {
      if (this.#undoes.delete(undo)) end();
    };
    this.#undoes.add(undo);
    return undo;
  }

  #end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    for (const undo of [...this.#undoes]) undo();
    this.#closed.resolve();
  }
}

function sessionEnded(): PanelError {
  return new PanelError('SESSION_CLOSED', 'The session has ended.');
}

/** All callers of a server over one connection, for its whole life. */
export class LinkCallers {
  #first: string | undefined;
  #areSeveral = false;

  /** Notes a caller. */
  note(caller: string): void {
    this.#first ??= caller;
    this.#areSeveral ||= this.#first !== caller;
  }

  /** True when any other caller was noted. */
  includeOther(caller: string): boolean {
    return this.#areSeveral || (this.#first !== undefined && this.#first !== caller);
  }
}
