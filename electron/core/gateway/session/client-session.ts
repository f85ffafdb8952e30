import type { LeaseUse } from '../../sessions/lease-holder.ts';
import { contextIdOf, type InboundMessage, type GatewayReply, type SessionFacts } from '../types.ts';
import { changedLists, listChanged, type ChangedList } from '../upstream/fan-out.ts';
import { MAX_URIS_PER_SESSION } from '../upstream/subscriptions.ts';
import type { Upstreams } from '../upstream/upstreams.ts';
import { ServerAccess, type AccessingSession } from './access.ts';
import type { RelayedOutcome } from './answers.ts';
import {
  ClientCall,
  type CallingSession,
  type CallSteps,
  type CallWatch,
  type ClientRequest,
} from './call.ts';
import type { ClientSessionsOptions, ClientSessionView } from './options.ts';
import { stepsOf } from './requests.ts';

/**
 * Room for a change of every list and of every resource that a session may have subscribed to, because all of them may have
 * changed while its server was away. A client that never comes back for them loses the rest.
 */
const MAX_OWED = MAX_URIS_PER_SESSION + changedLists.length;

/** What all sessions share. */
export interface SharedParts {
  readonly options: ClientSessionsOptions;
  readonly upstreams: Upstreams;
  readonly watch: CallWatch;
}

/** What of one client's session with one server is in memory; the session itself is in its id, and outlives this. */
export class ClientSession implements AccessingSession, CallingSession {
  readonly facts: SessionFacts;
  readonly access: ServerAccess;
  /** As the person named the client when it was last seen. */
  clientName: string;
  readonly #shared: SharedParts;
  /** Calls under way, oldest first. */
  readonly #calls = new Set<ClientCall>();
  /** Those that nobody is told the end of. */
  readonly #uncounted = new WeakSet<ClientCall>();
  /** Notifications by their text, so that none is owed twice. */
  readonly #owed = new Map<string, object>();
  /** Epoch milliseconds of its last request. */
  #lastSeenAt: number;
  /** Monotonic time of its last request, of the end of its stream where that was later. */
  #seenAtMs: number;
  #quietSinceMs: number;
  /** What the lists of the server have become since the session began; undefined before the first request. */
  #recalling: Promise<void> | 'done' | undefined;
  #stream: GatewayReply | undefined;
  #isResting = false;

  constructor(facts: SessionFacts, clientName: string, shared: SharedParts) {
    const { clock, wallClock } = shared.options;
    this.facts = facts;
    this.clientName = clientName;
    this.#shared = shared;
    this.#lastSeenAt = wallClock.epochMs();
    this.#seenAtMs = this.#quietSinceMs = clock.now();
    this.access = new ServerAccess(shared.options, shared.upstreams, this);
  }

  /** A request of the client has come. */
  seen(clientName: string): void {
    const { clock, wallClock } = this.#shared.options;
    this.clientName = clientName;
    this.#lastSeenAt = wallClock.epochMs();
    this.#seenAtMs = clock.now();
    this.#isResting = false;
    this.access.wake();
  }

  /** Takes what the client says: a request, a notification, or the answer to what the server asked. */
  handle({ id, method, params, ...message }: InboundMessage, reply: GatewayReply): void {
    if (method !== undefined && id !== undefined) return this.#requested({ id, method, params }, reply);
    // What needs no answer is accepted before it is looked at.
    reply.status(202);
    if (method !== undefined) return this.#notified(method, params);
    this.#shared.upstreams.asks.settle(this.facts, { ...message, ...(id !== undefined && { id }) });
  }

  /** Answers as soon as the server is up. That is no call. */
  whenUp(request: ClientRequest, reply: GatewayReply, send: NonNullable<CallSteps['send']>): void {
    this.#uncounted.add(this.#carryOut(request, reply, { send }));
  }

  /** The stream for what belongs to no call. A second one takes the place of the first: a refusal would end some clients' sessions. */
  listen(reply: GatewayReply): void {
    this.#stream?.close();
    this.#stream = reply;
    reply.open();
    reply.onGone(() => {
      if (this.#stream !== reply) return;
      this.#stream = undefined;
      this.#seenAtMs = this.#shared.options.clock.now();
    });
    this.#payTo(reply);
    void this.#recalled();
  }

  /** Its calls are given up, its stream is closed, its lease is given back. */
  end(why: string): void {
    for (const call of [...this.#calls]) call.cancel(why);
    this.#shared.upstreams.asks.sessionEnded(this.facts);
    this.access.end();
    this.#stream?.close();
    this.#stream = undefined;
  }

  /** Gives its lease back until its next request. Its level, its subscriptions and what it is owed stay. */
  rest(): void {
    this.#isResting = true;
    this.access.rest();
  }

  get isResting(): boolean {
    return this.#isResting;
  }

  get isListening(): boolean {
    return this.#stream?.isOpen === true;
  }

  /** Whether it has a call under way, or a stream open. */
  get isInUse(): boolean {
    return this.#calls.size > 0 || this.isListening;
  }

  get use(): LeaseUse {
    const { options, upstreams } = this.#shared;
    const isCalling = this.#calls.size > 0 || upstreams.asks.isAsked(this.facts);
    const quietMs = isCalling ? 0 : options.clock.now() - this.#quietSinceMs;
    return { holder: this.clientName, isCalling, isListening: this.isListening, quietMs };
  }

  silentMs(nowMs: number): number {
    return this.isListening ? 0 : nowMs - this.#seenAtMs;
  }

  owe(notification: object): void {
    if (this.#stream?.isOpen && this.#stream.stream(notification)) return;
    if (this.#owed.size < MAX_OWED) this.#owed.set(JSON.stringify(notification), notification);
  }

  upstreamOpened(): void {
    this.access.keepOpen();
  }

  reopenUpstream(): boolean {
    return this.access.reopen();
  }

  callEnded(call: ClientCall, outcome: RelayedOutcome): void {
    const { options, watch } = this.#shared;
    this.#calls.delete(call);
    this.#quietSinceMs = options.clock.now();
    watch.remove(call);
    if (this.#uncounted.has(call)) return;
    const { clientId, server } = this.facts;
    const { request, target, startedAtMs } = call;
    options.onCallEnded({
      clientId,
      clientName: this.clientName,
      server,
      method: request.method,
      outcome,
      ...(target !== undefined && { target }),
      durationMs: this.#quietSinceMs - startedAtMs,
    });
  }

  view(nowMs: number): ClientSessionView {
    const { clientId, server, info, capabilities } = this.facts;
    const inFlight = [...this.#calls].map(({ request: { method }, target, startedAtMs }) => ({
      method,
      ...(target !== undefined && { target }),
      sinceMs: nowMs - startedAtMs,
    }));
    const contextId = contextIdOf(this.facts);
    const lastSeenAt = this.#lastSeenAt;
    return { clientId, server, contextId, ...(info && { info }), capabilities, inFlight, lastSeenAt };
  }

  /** Answers a request, with what is owed to the session before. */
  #requested(request: ClientRequest, reply: GatewayReply): void {
    const recalled = this.#recalled();
    this.#payTo(reply);
    if (request.method === 'ping') return reply.end({ jsonrpc: '2.0', id: request.id, result: {} });
    const steps = stepsOf(this, request);
    this.#carryOut(
      request,
      reply,
      recalled ? { ...steps, here: this.#hereAfter(recalled, reply, steps) } : steps,
    );
  }

  /** What the session is owed since an earlier run of the panel goes before the answer to its first request. */
  #hereAfter(
    recalled: Promise<void>,
    reply: GatewayReply,
    { here }: CallSteps,
  ): NonNullable<CallSteps['here']> {
    return async (params) => {
      await recalled;
      this.#payTo(reply);
      return here?.(params);
    };
  }

  /** What says nothing to a server that others use as well ends here. */
  #notified(method: string, params: InboundMessage['params'] = {}): void {
    const { requestId, reason } = params;
    switch (method) {
      case 'notifications/initialized':
      case 'notifications/roots/list_changed':
        return;
      case 'notifications/progress':
        return void this.#shared.upstreams.asks.progressed(this.facts, params);
      case 'notifications/cancelled':
        return this.#cancel(requestId, typeof reason === 'string' ? reason : 'The client cancelled it.');
      default:
        this.#tellServer(method, params);
    }
  }

  /** The client gives up its requests of that id. A client that uses one id twice means both. */
  #cancel(id: unknown, reason: string): void {
    for (const call of [...this.#calls]) if (call.request.id === id) call.cancel(reason);
  }

  /** Passes a notification on to the server, if that is up. */
  #tellServer(method: string, params: InboundMessage['params']): void {
    const tell = async () => this.access.current()?.connection.notify(method, params);
    tell().catch(() => undefined);
  }

  #carryOut(request: ClientRequest, reply: GatewayReply, steps: CallSteps): ClientCall {
    const { options, watch } = this.#shared;
    const call = new ClientCall(options, this, request, reply, steps);
    this.#calls.add(call);
    watch.add(call);
    void call.carryOut();
    return call;
  }

  /** Sends what is owed before the answer to a request. */
  #payTo(reply: GatewayReply): void {
    for (const [text, notification] of this.#owed) {
      if (!reply.stream(notification)) return;
      this.#owed.delete(text);
    }
  }

  /**
   * The session may be older than what is in memory: it is owed every change of a list since it began, because what it was
   * told of them ended with the last run of the panel. Undefined once that is known; the promise never rejects.
   */
  #recalled(): Promise<void> | undefined {
    this.#recalling ??= this.#recall();
    return this.#recalling === 'done' ? undefined : this.#recalling;
  }

  #recall(): Promise<void> | 'done' {
    const oweAll = (lists: readonly ChangedList[]) => {
      for (const list of lists) this.owe(listChanged(list));
      this.#recalling = 'done';
    };
    const lists = this.access.listsChangedSince(this.facts.issuedAt ?? 0);
    if (lists instanceof Promise) return lists.then(oweAll);
    oweAll(lists);
    return 'done';
  }
}
