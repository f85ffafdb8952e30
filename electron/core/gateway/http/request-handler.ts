import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { GatewayClient } from '../types.ts';
import { drainBody, MAX_BODY_BYTES } from './body.ts';
import { BrokenRequests } from './broken-requests.ts';
import { EdgeDoor } from './edge-door.ts';
import type { HandlerOptions } from './handler-options.ts';
import { hostsOf, judge, senderOf, type GuardRules, type Verdict } from './guard.ts';
import { Limits, type GatewayLimits, type GiveBack } from './limits.ts';
import type { RequestTaker } from './listener.ts';
import { OpenReplies } from './open-replies.ts';
import { sendFault, sendPage, sendRefusal } from './plain-response.ts';
import type { Refused } from './refusal.ts';
import { RefusalLog } from './refusal-log.ts';

type Options = HandlerOptions & { readonly limits: GatewayLimits };

type Passed = Extract<Verdict, { kind: 'mcp' }>;

/** Judges requests and hands those that may pass on to the edge, one message each. */
export class RequestHandler implements RequestTaker {
  readonly #options: Options;
  readonly #limits: Limits;
  readonly #refusals: RefusalLog;
  readonly #broken: BrokenRequests;
  readonly #replies: OpenReplies;
  readonly #door: EdgeDoor;
  #rules: GuardRules;

  constructor(options: Options) {
    this.#options = options;
    this.#limits = new Limits(options.clock, options.limits);
    this.#refusals = new RefusalLog(options.clock, options.onRefused);
    this.#broken = new BrokenRequests(options.clock, (reason) => this.#refusals.add(reason));
    this.#replies = new OpenReplies({
      clock: options.clock,
      maxUnreadBytes: options.limits.unreadBytes,
      onUnread: ({ name }) => this.#refusals.add('unread', name),
    });
    this.#door = new EdgeDoor({ ...options, limits: this.#limits, refusals: this.#refusals });
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
    const place = this.#placeFor(method, client.id);
    if (typeof place !== 'function') {
      drainBody(req);
      return this.#refuse(res, place, client);
    }
    const { budget, giveBack } = this.#limits.bytes();
    const reply = this.#replies.open(client, res, () => {
      place();
      giveBack();
    });
    this.#door.pass(method, request, { req, reply, budget });
  }

  #placeFor(method: Passed['method'], clientId: string): GiveBack | Refused {
    return method === 'GET' ? this.#limits.stream(clientId) : this.#limits.call(clientId);
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
    if (refusal.reason !== undefined) this.#refusals.add(refusal.reason, client?.name ?? refusal.clientName);
    sendRefusal(res, refusal);
  }

  #rulesFor(port: number): GuardRules {
    const { clients, pages } = this.#options;
    return {
      hosts: hostsOf(port),
      authenticate: (token) => clients.authenticate(token),
      refuseFormer: (token) => clients.refuseFormer?.(token),
      hasPage: (page) => pages?.()[page] !== undefined,
      maxBodyBytes: MAX_BODY_BYTES,
    };
  }
}
