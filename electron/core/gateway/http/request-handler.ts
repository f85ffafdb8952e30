import type { Clock, WallClock } from '../../clock.ts';
import type { CurrentTask } from '../../current-task.ts';
import type { LongReader } from '../../mcp/worker/questions.ts';
import type { ClientRegistry } from '../auth/client-registry.ts';
import type { AdmittedRequest, Edge, GatewayClient } from '../types.ts';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { drainBody, readBody, type ReadMessage } from './body.ts';
import { BrokenRequests } from './broken-requests.ts';
import type { RefusalReason } from '../../../../shared/gateway.ts';
import {
  hostsOf,
  admit,
  senderOf,
  type GuardRules,
  type Admission,
  type Refused,
  type TokenReader,
} from './guard.ts';
import { Limits, Place, type GatewayLimits } from './limits.ts';
import type { RequestTaker } from './listener.ts';
import { OpenReplies } from './open-replies.ts';
import { HttpReply } from './reply.ts';
import { INTERNAL_ERROR } from '../../mcp/rpc-error.ts';

/** The pages `/metrics` and `/healthz`. A request for a page that is undefined is answered with 404. */
interface PageSource {
  /** GET /metrics, for a token with the scope `metrics`: text in the OpenMetrics format. */
  readonly metrics?: (() => string) | undefined;
  /** GET /healthz, public on this machine: JSON. */
  readonly healthz?: (() => object) | undefined;
}

/** Rules for requests, and the parts that handle them. */
export interface HandlerOptions {
  readonly clock: Clock;
  readonly wallClock: WallClock;
  readonly clients: TokenReader & Pick<ClientRegistry, 'seen'>;
  readonly edge: Edge;
  /** Records the time that the main loop spends on requests, so that the cause of a delay can be named. */
  readonly currentTask: Pick<CurrentTask, 'run'>;
  /** Parses bodies that are too long for the main thread. */
  readonly reader: LongReader;
  /** Returns the pages; called at each request for a page. */
  readonly pages?: () => PageSource;
  /** Receives each refusal, with the name of the client if it is known. Must not throw. */
  readonly onRefused: (reason: RefusalReason, clientName?: string) => void;
  /** Receives internal errors, whose details are not sent to the client. Must not throw. */
  readonly onFault: (error: unknown) => void;
}

type Options = HandlerOptions & { readonly limits: GatewayLimits };

type Passed = Extract<Admission, { kind: 'mcp' }>;

/** Checks requests and passes the admitted ones to the edge, the part that handles MCP messages, one message each. */
export class RequestHandler implements RequestTaker {
  readonly #options: Options;
  readonly #limits: Limits;
  readonly #broken: BrokenRequests;
  readonly #replies: OpenReplies;
  #rules: GuardRules;

  constructor(options: Options) {
    this.#options = options;
    this.#limits = new Limits(options.clock, options.limits);
    this.#broken = new BrokenRequests(options.clock, options.onRefused);
    this.#replies = new OpenReplies({
      clock: options.clock,
      maxUnreadBytes: options.limits.unreadBytes,
      onUnread: ({ name }) => options.onRefused('unread', name),
    });
    this.#rules = this.#rulesFor(0);
  }

  /** Number of open responses, so that a test can assert that nothing leaked. */
  get openReplies(): number {
    return this.#replies.size;
  }

  /** Accepts only `Host` values of this port from now on. */
  servesPort(port: number): void {
    this.#rules = this.#rulesFor(port);
  }

  /**
   * Handles a request. If the client has sent it before the previous request on the same connection was answered (pipelining),
   * the connection is closed. No known client does that, and a response that waits behind another one does not notice that its
   * client has left, so it would count as open forever.
   */
  take(req: IncomingMessage, res: ServerResponse, expectsContinue: boolean): void {
    const { socket } = req;
    const before = this.#broken.began(socket, res);
    if (!before) return this.#mark(() => this.#take(req, res, expectsContinue));
    if (!before.writableEnded) {
      this.#options.onRefused('malformed');
      socket.destroy();
      return;
    }
    before.once('close', () => {
      if (!socket.destroyed) this.#mark(() => this.#take(req, res, expectsContinue));
    });
  }

  broken(error: Error, socket: Duplex): void {
    this.#broken.refuse(error, socket);
  }

  dropped(): void {
    this.#options.onRefused('connections');
  }

  /** Closes all open responses of a client that lost its access. */
  clientEnded(clientId: string): void {
    this.#replies.drop(clientId);
    this.#limits.forget(clientId);
  }

  dispose(): void {
    this.#replies.dispose();
  }

  /** Records the work of one event-loop tick as done for clients. */
  #mark(act: () => void): void {
    this.#options.currentTask.run('serve-clients', undefined, act);
  }

  #take(req: IncomingMessage, res: ServerResponse, expectsContinue: boolean): void {
    const { method = '', url: target = '', headers, rawHeaders } = req;
    const verdict = admit({ method, target, headers, rawHeaders, connection: req.socket }, this.#rules);
    const client = senderOf(verdict);
    const over = client && this.#limits.request(client.id);
    if (client && !over) this.#options.clients.seen(client.id, this.#options.wallClock.epochMs());
    const pass = over ?? verdict;
    if (pass.kind === 'refused') {
      // After a refusal, a client that waits for `100 Continue` does not send the body. The parser would take its next request
      // for that body, so the connection must be closed.
      if (expectsContinue) res.setHeader('Connection', 'close');
      else drainBody(req);
      return this.#refuse(res, pass, client);
    }
    if (expectsContinue) res.writeContinue();
    if (pass.kind === 'page') this.#sendPage(pass.page, res);
    else this.#passOn(pass, req, res);
  }

  /** Opens the reply of a request and passes the request to the edge. A POST is passed on once its message is read. */
  #passOn({ method, request }: Passed, req: IncomingMessage, res: ServerResponse): void {
    const { client } = request;
    const place = method === 'GET' ? this.#limits.stream(client.id) : this.#limits.call(client.id);
    if (!(place instanceof Place)) {
      drainBody(req);
      return this.#refuse(res, place, client);
    }
    const reply = new HttpReply(res, client, place, this.#replies);
    if (method === 'POST') return this.#readMessage(request, req, reply);
    const { edge } = this.#options;
    drainBody(req);
    try {
      if (method === 'GET') edge.listen(request, reply);
      else edge.end(request, reply);
    } catch (error) {
      this.#failed(reply, error);
    }
  }

  #readMessage(request: AdmittedRequest, req: IncomingMessage, reply: HttpReply): void {
    const { client } = request;
    const { currentTask, edge, reader } = this.#options;
    const onRead = (read: ReadMessage) => {
      // The client may have left or been revoked meanwhile.
      if (!reply.isOpen) return;
      if (read.kind === 'refused') return this.#refuseOver(reply, read, client);
      const { message } = read;
      const over = message.method === 'initialize' ? this.#limits.session(client.id) : undefined;
      if (over) return this.#refuseOver(reply, over, client);
      try {
        edge.post(request, message, reply);
      } catch (error) {
        this.#failed(reply, error);
      }
    };
    readBody(req, { place: reply.place, currentTask, reader, onRead });
  }

  /** Answers a request that failed in the edge. */
  #failed(reply: HttpReply, error: unknown): void {
    this.#options.onFault(error);
    reply.status(500, FAULT);
  }

  /** Sends a refusal through the open reply instead of directly, so that the request's slot is released when the reply ends. */
  #refuseOver(
    reply: HttpReply,
    { status, reason, body, headers = {} }: Refused,
    client: GatewayClient,
  ): void {
    if (reason !== undefined) this.#options.onRefused(reason, client.name);
    for (const [name, value] of Object.entries(headers)) reply.header(name, value);
    reply.status(status, body);
  }

  #sendPage(page: 'metrics' | 'healthz', res: ServerResponse): void {
    const { pages, onFault } = this.#options;
    try {
      sendPage(res, page, pages?.() ?? {});
    } catch (error) {
      onFault(error);
      sendFault(res);
    }
  }

  #refuse(res: ServerResponse, refusal: Refused, client?: GatewayClient): void {
    if (refusal.reason !== undefined)
      this.#options.onRefused(refusal.reason, client?.name ?? refusal.clientName);
    sendRefusal(res, refusal);
  }

  #rulesFor(port: number): GuardRules {
    const { clients, pages } = this.#options;
    return {
      hosts: hostsOf(port),
      clients,
      hasPage: (page) => pages?.()[page] !== undefined,
    };
  }
}

const METRICS_TYPE = { 'Content-Type': 'application/openmetrics-text; version=1.0.0; charset=utf-8' };
const JSON_TYPE = { 'Content-Type': 'application/json' };

/** Answer that is sent to the client for an internal error. */
const FAULT = {
  jsonrpc: '2.0',
  id: null,
  error: { code: INTERNAL_ERROR, message: 'The panel failed; see its events.' },
};

function sendFault(res: ServerResponse): void {
  send(res, 500, JSON.stringify(FAULT), JSON_TYPE);
}

/** Sends a page. @throws errors of the page, with nothing sent */
function sendPage(res: ServerResponse, page: 'metrics' | 'healthz', { metrics, healthz }: PageSource): void {
  if (page === 'metrics') send(res, 200, metrics?.() ?? '', METRICS_TYPE);
  else send(res, 200, JSON.stringify(healthz?.() ?? {}), JSON_TYPE);
}

function sendRefusal(res: ServerResponse, { status, body, headers }: Refused): void {
  send(res, status, JSON.stringify(body), { ...JSON_TYPE, ...headers });
}

function send(
  res: ServerResponse,
  status: number,
  text: string,
  headers: Readonly<Record<string, string>>,
): void {
  res.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(text) });
  res.end(text);
}
