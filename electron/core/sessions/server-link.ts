import { PanelError } from '../../../shared/error-codes.ts';
import type { InitializeResponse } from '../mcp/handshake.ts';
import type { LoggingLevel } from '../mcp/log-level.ts';
import { createDeferred } from '../deferred.ts';
import type { ServerProtocol } from './supervised-server.ts';

/**
 * One session of a server as who relays to it needs it: one object per connection and generation, the same for every
 * lease of that session, so that what is kept per connection (who answers the server, which level of logs it has) can be
 * kept beside it. It never comes back once it has ended: a new lease brings the link of the next generation.
 */
export interface UpstreamLink {
  /** The server's whole answer to `initialize`, as it came. */
  readonly greeting: InitializeResponse;
  /** The session has ended: nothing can be asked any more. */
  readonly hasEnded: boolean;
  /** Settles when the session has ended. */
  readonly closed: Promise<void>;
  /** Asks on nobody's behalf; `Lease.request` counts for its context. @throws PanelError SESSION_CLOSED once ended; as `McpConnection.request` */
  readonly request: ServerProtocol['request'];
  /** The same, with a long result as the bytes that came. */
  readonly requestRaw: ServerProtocol['requestRaw'];
  /** Tells the server something. @throws PanelError SESSION_CLOSED once ended; what the transport throws */
  readonly notify: ServerProtocol['notify'];
  /** The server tells something. It is heard until the undo that is returned is called, or the session ends. */
  readonly onNotification: ServerProtocol['onNotification'];
  /** Answers what the server asks, until the undo or the end of the session. @throws Error when the connection has an owner of that */
  readonly onRequest: ServerProtocol['onRequest'];
  /** Wishes for logs of a server that declares them; the server is told the most verbose of all wishes. Ends with the undo, or the session. */
  readonly wantLogLevel: (level: LoggingLevel) => () => void;
  /** Who has ever called over the connection, also in sessions before this one; what the panel asks for itself is no call. */
  readonly callers: LinkCallers;
}

/** What serves a session. */
export interface Serving {
  /** The supervised instance that serves it. */
  readonly instance: string;
  readonly pid: number | undefined;
  /** Epoch milliseconds. */
  readonly openedAt: number;
}

/** The connection of a session, as its manager needs to know it. */
export interface ServerLink extends UpstreamLink {
  readonly serving: Serving;
  /** Requests without an answer yet. */
  readonly pendingRequests: number;
  /** Ends it and releases what it holds. Called once at most, also after it ended by itself. */
  close(): Promise<void>;
}

export interface SupervisedLinkOptions {
  readonly protocol: ServerProtocol;
  readonly greeting: InitializeResponse;
  readonly serving: Serving;
  /** Who called over the connection so far: it may outlive its sessions. */
  readonly callers: LinkCallers;
  /** Ends what belongs to this session alone. */
  readonly release: () => Promise<void>;
}

/**
 * A session's hold on a supervised instance. It ends with the run below it; closing it ends what belongs to the session
 * alone: nothing for the server's own run, whose process its supervisor keeps.
 */
export class SupervisedLink implements ServerLink {
  readonly greeting: InitializeResponse;
  readonly serving: Serving;
  readonly callers: LinkCallers;
  readonly #options: SupervisedLinkOptions;
  readonly #protocol: ServerProtocol;
  readonly #closed = createDeferred<void>();
  /** Undoes of what listens to the protocol, which may live on without this session. */
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

  /** Returns the undo. An ended session listens to nothing. */
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

/** Who has ever called a server over one connection, for as long as that lasts. */
export class LinkCallers {
  #first: string | undefined;
  #areSeveral = false;

  /** It calls. */
  note(caller: string): void {
    this.#first ??= caller;
    this.#areSeveral ||= this.#first !== caller;
  }

  /** Whether anybody else ever has. */
  includeOther(caller: string): boolean {
    return this.#areSeveral || (this.#first !== undefined && this.#first !== caller);
  }
}
