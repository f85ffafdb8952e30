import type { IncomingMessage } from 'node:http';
import type { AdmittedRequest, GatewayClient, InboundMessage } from '../types.ts';
import { drainBody, readBody } from './body.ts';
import type { HandlerOptions } from './handler-options.ts';
import type { ByteBudget, Limits } from './limits.ts';
import { FAULT } from './plain-response.ts';
import type { ReadMessage } from './read-message.ts';
import type { Refused } from './refusal.ts';
import type { RefusalLog } from './refusal-log.ts';
import type { HttpReply } from './reply.ts';

export interface EdgeDoorOptions extends Pick<HandlerOptions, 'doing' | 'edge' | 'onFault' | 'reader'> {
  readonly limits: Limits;
  readonly refusals: RefusalLog;
}

/** A request that has its place, and its reply. */
export interface Exchange {
  readonly req: IncomingMessage;
  readonly reply: HttpReply;
  /** What its body may hold. */
  readonly budget: ByteBudget;
}

/** The last step before the edge: reads the message of a request, and answers when the edge fails. */
export class EdgeDoor {
  readonly #options: EdgeDoorOptions;

  constructor(options: EdgeDoorOptions) {
    this.#options = options;
  }

  pass(method: 'POST' | 'GET' | 'DELETE', request: AdmittedRequest, exchange: Exchange): void {
    if (method === 'POST') return this.#readMessage(request, exchange);
    const { edge } = this.#options;
    const { req, reply } = exchange;
    drainBody(req);
    this.#handOn(reply, () => (method === 'GET' ? edge.listen(request, reply) : edge.end(request, reply)));
  }

  #readMessage(request: AdmittedRequest, { req, reply, budget }: Exchange): void {
    const { client } = request;
    const { doing, edge, reader } = this.#options;
    const onRead = (read: ReadMessage) => {
      // Its client may have left, or be a client no more.
      if (!reply.isOpen) return;
      const over = read.kind === 'refused' ? read : this.#tooManySessions(client, read.message);
      if (over) return this.#refuse(reply, over, client);
      if (read.kind === 'message') this.#handOn(reply, () => edge.post(request, read.message, reply));
    };
    readBody(req, { budget, doing, reader, onRead });
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
    return method === 'initialize' ? this.#options.limits.session(id) : undefined;
  }

  /** A reply is there already, which has to know that it is over. */
  #refuse(reply: HttpReply, { status, reason, body, headers = {} }: Refused, client: GatewayClient): void {
    if (reason !== undefined) this.#options.refusals.add(reason, client.name);
    for (const [name, value] of Object.entries(headers)) reply.header(name, value);
    reply.status(status, body);
  }
}
