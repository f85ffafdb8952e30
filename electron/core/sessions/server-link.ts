import { PanelError } from '../../../shared/error-codes.ts';
import type { InitializeResponse } from '../mcp/handshake.ts';
import type { LinkCallers } from '../mcp/link-callers.ts';
import type { LoggingLevel } from '../mcp/log-level.ts';
import { createDeferred } from '../deferred.ts';
import type { ServerProtocol } from './supervised-server.ts';

/** Main instance or replica that answers the requests of a session. */
interface Serving {
  /** Name of the supervised instance. */
  readonly instance: string;
  readonly pid: number | undefined;
  /** Time at which the session opened, in epoch milliseconds. */
  readonly openedAt: number;
}

/** The public members of `SupervisedLink`: a session's connection, as its users see it. */
export type ServerLink = Pick<SupervisedLink, keyof SupervisedLink>;

/**
 * One session's connection to a supervised instance. All leases of the session use the same object, so that state of the
 * connection (handler of server requests, log level) can be kept next to it. The connection ends when the instance's current
 * run ends, and never reopens: later leases use the connection of a new session. Closing it releases only the session's own
 * resources; the main instance continues to run, because its supervisor decides when its process ends.
 */
export class SupervisedLink {
  /** The server's whole initialize result, as received. */
  readonly greeting: InitializeResponse;
  readonly serving: Serving;
  /**
   * All callers that have used the instance's connection, including those of earlier sessions. Requests of the panel itself are
   * not recorded.
   */
  readonly callers: LinkCallers;
  readonly #protocol: ServerProtocol;
  readonly #release: () => Promise<void>;
  readonly #closed = createDeferred<void>();
  /** Functions that unsubscribe this session's listeners from the protocol, because the protocol may outlive the session. */
  readonly #undoes = new Set<() => void>();
  #hasEnded = false;

  /** @param release frees what belongs to this session only: a replica, but not the main instance */
  constructor(
    protocol: ServerProtocol,
    greeting: InitializeResponse,
    serving: Serving,
    release: () => Promise<void>,
  ) {
    this.greeting = greeting;
    this.serving = serving;
    this.callers = protocol.callers;
    this.#protocol = protocol;
    this.#release = release;
    void protocol.closed.then(() => this.#end());
  }

  /** Settles when the session has ended. */
  get closed(): Promise<void> {
    return this.#closed.promise;
  }
  /** True if the session has ended, so that requests reject. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }
  /** Number of unanswered requests. */
  get pendingRequests(): number {
    return this.#protocol.pendingRequests;
  }

  /**
   * Sends a request of the panel itself. Unlike `Lease.request`, it does not count as use of the server by any context (client
   * or window).
   * @throws PanelError SESSION_CLOSED once the session has ended; others as `McpConnection.request`
   */
  request: ServerProtocol['request'] = (method, params, options) =>
    this.#hasEnded ? Promise.reject(sessionEnded()) : this.#protocol.request(method, params, options);

  /** Works like `request`, but returns a long result as the received bytes. */
  requestRaw: ServerProtocol['requestRaw'] = (method, params, options) =>
    this.#hasEnded ? Promise.reject(sessionEnded()) : this.#protocol.requestRaw(method, params, options);

  /** Sends a notification to the server. @throws PanelError SESSION_CLOSED once the session has ended; errors of the transport */
  notify: ServerProtocol['notify'] = (method, params) =>
    this.#hasEnded ? Promise.reject(sessionEnded()) : this.#protocol.notify(method, params);

  /** Listens to notifications of the server until the returned unsubscribe function is called, or the session ends. */
  onNotification: ServerProtocol['onNotification'] = (listener) =>
    this.#whileOpen(() => this.#protocol.onNotification(listener));

  /** Handles server requests until the returned function is called or the session ends. @throws Error when the connection already has a handler */
  onRequest: ServerProtocol['onRequest'] = (answer) =>
    this.#whileOpen(() => this.#protocol.onRequest(answer));

  /**
   * Requests a log level until the returned function is called or the session ends. The server gets the most verbose level that
   * is requested over the connection at the time.
   */
  wantLogLevel(level: LoggingLevel): () => void {
    return this.#whileOpen(() => this.#protocol.logLevel.want(level));
  }

  /** Closes the connection and releases its resources. Called at most once, also for a connection that has ended already. */
  async close(): Promise<void> {
    this.#end();
    await this.#release();
  }

  /**
   * Calls `begin`, which subscribes and returns the function to unsubscribe. The subscription ends with the session, or when
   * the returned function is called. Has no effect if the session has ended.
   */
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
