import type { Clock, Disposable, WallClock } from '../clock.ts';
import { INTERNAL_ERROR } from '../mcp/rpc-error.ts';
import { asResult, closeUnanswered } from '../gateway/session/answers.ts';
import { classify, refusals, sessionOf } from '../gateway/session/era.ts';
import { factsOf, initializeResultFor } from '../gateway/session/initialize.ts';
import type { SessionIdSource } from '../gateway/session/options.ts';
import { withoutTools } from '../gateway/session/without-tools.ts';
import type {
  AdmittedRequest,
  Edge,
  GatewayReply,
  InboundMessage,
  MessageId,
  SessionFacts,
} from '../gateway/types.ts';
import type { Offers } from './offers.ts';

/** A request that waits for the panel. */
export interface Held {
  readonly request: AdmittedRequest;
  readonly message: InboundMessage;
  readonly reply: GatewayReply;
}

export interface DoorkeeperOptions {
  readonly clock: Clock;
  readonly wallClock: WallClock;
  readonly createNonce: () => string;
  readonly sessionIds: SessionIdSource;
  readonly offers: Pick<Offers, 'has' | 'find'>;
  /** Returns the names of tools that are hidden from the session's client; undefined if it sees all. */
  readonly hiddenFrom: (facts: Pick<SessionFacts, 'clientId' | 'server'>) => ReadonlySet<string> | undefined;
  /** True if the user quit the panel. */
  readonly hasQuit: () => boolean;
  /** Starts the panel if that is allowed. Called with each request. */
  readonly startPanel: () => void;
  /** Sends a request to the panel, which must begin to listen within `withinMs`. Never rejects. */
  readonly forward: (held: Held, withinMs: number) => Promise<void>;
  /** Limits, which tests may override. */
  readonly bounds?: Partial<typeof defaultBounds>;
}

const defaultBounds = { holdMs: 20_000, maxHeld: 64, maxHeldBytes: 8 * 1024 * 1024 };

interface Waiting extends Held {
  readonly bytes: number;
  readonly untilMs: number;
  readonly timer: Disposable;
}

/**
 * The gateway's endpoint while the panel is not running. It answers what it can answer without a server, for example with the
 * tool list from the panel's last run. It keeps every other request and sends it to the panel when the panel is back, so each
 * of these requests reaches a server only once.
 */
export class Doorkeeper implements Edge {
  readonly #options: DoorkeeperOptions;
  readonly #bounds: typeof defaultBounds;
  readonly #held = new Set<Waiting>();
  readonly #streams = new Set<GatewayReply>();
  #heldBytes = 0;
  #hasLeft = false;

  constructor(options: DoorkeeperOptions) {
    this.#options = options;
    this.#bounds = { ...defaultBounds, ...options.bounds };
  }

  post(request: AdmittedRequest, message: InboundMessage, reply: GatewayReply): void {
    if (this.#hasLeft) return void this.#options.forward({ request, message, reply }, this.#bounds.holdMs);
    const { id, method } = message;
    const kind = classify(message, request.protocolVersion);
    if (kind === 'modern') return refusals.laterEra(reply, id);
    if (kind === 'invalid') return refusals.invalid(reply, id);
    this.#wanted();
    if (kind === 'initialize') return void this.#initialize({ request, message, reply });
    const facts = this.#find(request, reply, method === undefined ? undefined : id);
    if (!facts) return;
    if (method !== undefined && id !== undefined)
      return void this.#requested(facts, { request, message, reply }, id);
    reply.status(202);
    if (method === 'notifications/cancelled') this.#cancelled(request, message);
  }

  listen(request: AdmittedRequest, reply: GatewayReply): void {
    // The client opens the stream again, this time at the panel.
    if (this.#hasLeft) return closeUnanswered(reply);
    this.#wanted();
    if (!this.#find(request, reply)) return;
    reply.open();
    this.#streams.add(reply);
    reply.onGone(() => this.#streams.delete(reply));
  }

  end(request: AdmittedRequest, reply: GatewayReply): void {
    const facts = this.#find(request, reply);
    if (facts) void this.#options.sessionIds.retire(facts).then(() => reply.status(204));
  }

  /** Leaves the port to the panel, which is about to listen. From now on, all requests are forwarded to the panel. */
  leave(): void {
    this.#hasLeft = true;
    for (const stream of this.#streams) closeUnanswered(stream);
    this.#streams.clear();
    for (const waiting of [...this.#held]) {
      this.#drop(waiting);
      void this.#options.forward(waiting, waiting.untilMs - this.#options.clock.now());
    }
  }

  #wanted(): void {
    if (!this.#options.hasQuit()) this.#options.startPanel();
  }

  /** Returns the facts of the request's session. Answers the request and returns undefined when there is none. */
  #find(request: AdmittedRequest, reply: GatewayReply, id?: MessageId): SessionFacts | undefined {
    const { offers, sessionIds } = this.#options;
    return sessionOf(request, { sessionIds, hasServer: (name) => offers.has(name) }, reply, id);
  }

  async #initialize(held: Held): Promise<void> {
    const { request, message, reply } = held;
    const { client, server } = request;
    const { id = 0, params = {} } = message;
    const { createNonce, offers, sessionIds, wallClock } = this.#options;
    if (!offers.has(server)) return refusals.unknownServer(reply, server, id);
    const issuedAt = wallClock.epochMs();
    const facts = factsOf(params, { nonce: createNonce(), clientId: client.id, server, issuedAt });
    const offer = await offers.find(facts);
    // The header is set before `#hold`, because a request that waits may be answered as an event stream, which can no longer
    // change its headers.
    reply.header('Mcp-Session-Id', sessionIds.mint(facts));
    if (!offer) return this.#hold(held, id);
    reply.end({ jsonrpc: '2.0', id, result: initializeResultFor(offer.greeting, facts, offer.isShared) });
  }

  async #requested(facts: SessionFacts, held: Held, id: MessageId): Promise<void> {
    const { method = '', params = {} } = held.message;
    if (method === 'ping') return held.reply.end({ jsonrpc: '2.0', id, result: {} });
    const isKept = params['cursor'] === undefined && method.endsWith('/list');
    const list = isKept ? (await this.#options.offers.find(facts))?.list(method) : undefined;
    // While the list is not known, the request waits for the panel. An empty list would be wrong, because a client may keep it
    // for its whole session.
    if (!list) return this.#hold(held, id);
    const hidden = method === 'tools/list' ? this.#options.hiddenFrom(facts) : undefined;
    if (!hidden) return held.reply.end(asResult(list, id));
    held.reply.end({ jsonrpc: '2.0', id, result: withoutTools(JSON.parse(list.toString()), hidden) });
  }

  #hold(held: Held, id: MessageId): void {
    const { clock, hasQuit } = this.#options;
    const { holdMs, maxHeld, maxHeldBytes } = this.#bounds;
    const { message, reply } = held;
    if (!reply.isOpen) return;
    if (this.#hasLeft) return void this.#options.forward(held, holdMs);
    if (hasQuit()) return refuse(reply, id, 'MCP Control Panel was quit. Start it, then call again.');
    const bytes = Buffer.byteLength(JSON.stringify(message));
    if (this.#held.size >= maxHeld || this.#heldBytes + bytes > maxHeldBytes)
      return refuse(
        reply,
        id,
        'MCP Control Panel is away, and too many calls wait for it. Nothing was done.',
      );
    const timer = clock.setTimeout(() => {
      this.#drop(waiting);
      refuse(reply, id, 'MCP Control Panel did not start. Nothing was done.');
    }, holdMs);
    const waiting: Waiting = { ...held, bytes, untilMs: clock.now() + holdMs, timer };
    this.#held.add(waiting);
    this.#heldBytes += bytes;
    reply.onGone(() => this.#drop(waiting));
  }

  #drop(waiting: Waiting): void {
    if (!this.#held.delete(waiting)) return;
    this.#heldBytes -= waiting.bytes;
    waiting.timer.dispose();
  }

  /** Ends the response to a kept request that its client cancelled. */
  #cancelled({ sessionId }: AdmittedRequest, { params }: InboundMessage): void {
    for (const waiting of [...this.#held]) {
      if (waiting.request.sessionId !== sessionId || waiting.message.id !== params?.['requestId']) continue;
      this.#drop(waiting);
      closeUnanswered(waiting.reply);
    }
  }
}

function refuse(reply: GatewayReply, id: MessageId, message: string): void {
  const error = { code: INTERNAL_ERROR, message, data: { code: 'UNREACHABLE' } };
  reply.end({ jsonrpc: '2.0', id, error });
}
