import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { AdmittedRequest, GatewayClient, InboundMessage } from '../types.ts';
import { drainBody, MAX_BODY_BYTES, readBody } from './body.ts';
import { BrokenRequests } from './broken-requests.ts';
import type { HandlerOptions } from './handler-options.ts';
import { hostsOf, judge, senderOf, type GuardRules, type Verdict } from './guard.ts';
import { Limits, type GatewayLimits, type GiveBack } from './limits.ts';
import type { RequestTaker } from './listener.ts';
import { OpenReplies } from './open-replies.ts';
import type { ReadMessage } from './read-message.ts';
import type { Refused } from './refusal.ts';
import { RefusalLog } from './refusal-log.ts';
import type { HttpReply } from './reply.ts';

type Options = HandlerOptions & { readonly limits: GatewayLimits };

type Passed = Extract<Verdict, { kind: 'mcp' }>;

interface Exchange {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly reply: HttpReply;
}

const FAULT = {
  jsonrpc: '2.0',
  id: null,
  error: { code: -32_603, message: 'The panel failed; see its events.' },
};

/** Judges requests and hands those that may pass on to the edge, one message each. */
export class RequestHandler implements RequestTaker {
  readonly #options: Options;
  readonly #limits: Limits;
  readonly #refusals: RefusalLog;
  readonly #broken: BrokenRequests;
  readonly #replies: OpenReplies;
  #rules: GuardRules;

  constructor(options: Options) {
    this.#options = options;
    this.#limits = new Limits(options.clock, options.limits);
    this.#refusals = new RefusalLog(options.clock, options.onRefused);
    this.#broken = new BrokenRequests(options.clock, (reason) => this.#refusals.add(reason));
    this.#replies = new OpenReplies(options.clock);
    this.#rules = this.#rulesFor(0);
  }

  /** Responses that are not over, so that a test can assert that nothing leaked. */
  get openReplies(): number {
    return this.#replies.size;
  }

  /** From now on it answers for this port alone. */
  servesPort(port: number): void {
    this.#rules = this.#rulesFor(port);
  }

  /**
   * One request of a connection at a time, as all clients do it: an answer that waits behind another one does not learn that
   * its client has left, and would hold its place for ever. Whoever does not wait loses the connection.
   */
  take(req: IncomingMessage, res: ServerResponse, expectsContinue: boolean): void {
    const { socket } = req;
    const before = this.#broken.began(socket, res);
    if (!before) return this.#mark(() => this.#take(req, res, expectsContinue));
    if (!before.writableEnded) {
      this.#refusals.add('malformed');
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
    this.#refusals.add('connections');
  }

  /** The client may use nothing any more: what is open of it is broken off. */
  clientEnded(clientId: string): void {
    this.#replies.drop(clientId);
    this.#limits.forget(clientId);
  }

  dispose(): void {
    this.#replies.dispose();
    this.#refusals.dispose();
  }

  /** Work for a client in one turn. */
  #mark(act: () => void): void {
    this.#options.doing.run('serve-clients', undefined, act);
  }

  #take(req: IncomingMessage, res: ServerResponse, expectsContinue: boolean): void {
    const { method = '', url: target = '', headers, rawHeaders } = req;
    const verdict = judge({ method, target, headers, rawHeaders }, this.#rules);
    const pass = this.#overLimit(verdict) ?? verdict;
    if (pass.kind === 'refused') {
      // Whoever waits for a word sends its body no more, and the next request could not be told from it.
      if (expectsContinue) res.setHeader('Connection', 'close');
      else drainBody(req);
      return this.#refuse(res, pass, senderOf(verdict));
    }
    if (expectsContinue) res.writeContinue();
    if (pass.kind === 'page') this.#sendPage(pass.page, res);
    else this.#passOn(pass, req, res);
  }

  #overLimit(verdict: Verdict): Refused | undefined {
    const client = senderOf(verdict);
    if (!client) return undefined;
    const over = this.#limits.request(client.id);
    if (!over) this.#options.clients.seen(client.id, this.#options.wallClock.epochMs());
    return over;
  }

  #passOn({ method, request }: Passed, req: IncomingMessage, res: ServerResponse): void {
    const { client } = request;
    const { edge } = this.#options;
    const place = this.#placeFor(method, client.id);
    if (typeof place !== 'function') {
      drainBody(req);
      return this.#refuse(res, place, client);
    }
    res.once('close', place);
    const reply = this.#replies.open(client.id, res);
    if (method === 'POST') return this.#readMessage(request, { req, res, reply });
    drainBody(req);
    this.#handOn(reply, () => (method === 'GET' ? edge.listen(request, reply) : edge.end(request, reply)));
  }

  #placeFor(method: Passed['method'], clientId: string): GiveBack | Refused {
    return method === 'GET' ? this.#limits.stream(clientId) : this.#limits.call(clientId);
  }

  #readMessage(request: AdmittedRequest, { req, res, reply }: Exchange): void {
    const { client } = request;
    const { budget, giveBack } = this.#limits.bytes();
    res.once('close', giveBack);
    const { doing, edge } = this.#options;
    const onRead = (read: ReadMessage) => {
      // Its client may have left, or be a client no more.
      if (!reply.isOpen) return;
      const over = read.kind === 'refused' ? read : this.#tooManySessions(client, read.message);
      if (over) return this.#refuseLate(reply, over, client);
      if (read.kind === 'message') this.#handOn(reply, () => edge.post(request, read.message, reply));
    };
    readBody(req, { budget, doing, onRead });
  }

  #handOn(reply: HttpReply, act: () => void): void {
    try {
      act();
    } catch (error) {
      this.#options.onFault(error);
      reply.status(500, FAULT);
    }
  }

  #tooManySessions({ id }: GatewayClient, { method }: InboundMessage): Refused | undefined {
    return method === 'initialize' ? this.#limits.session(id) : undefined;
  }

  #sendPage(page: 'metrics' | 'healthz', res: ServerResponse): void {
    try {
      const { metrics, healthz } = this.#options.pages?.() ?? {};
      if (page === 'metrics') send(res, 200, metrics?.() ?? '', METRICS_TYPE);
      else send(res, 200, JSON.stringify(healthz?.() ?? {}), JSON_TYPE);
    } catch (error) {
      this.#options.onFault(error);
      send(res, 500, JSON.stringify(FAULT), JSON_TYPE);
    }
  }

  #refuse(res: ServerResponse, { status, reason, body, headers }: Refused, client?: GatewayClient): void {
    if (reason !== undefined) this.#refusals.add(reason, client?.name);
    send(res, status, JSON.stringify(body), { ...JSON_TYPE, ...headers });
  }

  /** A reply is there already, which has to know that it is over. */
  #refuseLate(
    reply: HttpReply,
    { status, reason, body, headers = {} }: Refused,
    client: GatewayClient,
  ): void {
    if (reason !== undefined) this.#refusals.add(reason, client.name);
    for (const [name, value] of Object.entries(headers)) reply.header(name, value);
    reply.status(status, body);
  }

  #rulesFor(port: number): GuardRules {
    const { clients, pages } = this.#options;
    return {
      hosts: hostsOf(port),
      authenticate: (token) => clients.authenticate(token),
      hasPage: (page) => pages?.()[page] !== undefined,
      maxBodyBytes: MAX_BODY_BYTES,
    };
  }
}

const METRICS_TYPE = { 'Content-Type': 'application/openmetrics-text; version=1.0.0; charset=utf-8' };
const JSON_TYPE = { 'Content-Type': 'application/json' };

function send(
  res: ServerResponse,
  status: number,
  text: string,
  headers: Readonly<Record<string, string>>,
): void {
  res.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(text) });
  res.end(text);
}
