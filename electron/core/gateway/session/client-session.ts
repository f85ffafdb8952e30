import { OpenSet } from '../../open-map.ts';
import type { LeaseUse } from '../../sessions/lease-holder.ts';
import type { GatewayReply, InboundMessage, MessageId, SessionFacts } from '../types.ts';
import { listChanged, type ChangedList } from '../upstream/fan-out.ts';
import { ServerAccess, type AccessingSession } from './access.ts';
import type { RelayedOutcome } from './answers.ts';
import { ClientCall } from './call.ts';
import type { CallingSession, CallSteps, ClientRequest } from './call-parts.ts';
import { HeldSession, type SharedParts } from './held-session.ts';
import { greet } from './initialize.ts';
import type { ClientSessionView } from './options.ts';
import { stepsOf } from './requests.ts';

/** One client's session with one server. */
export class ClientSession extends HeldSession implements AccessingSession, CallingSession<ClientCall> {
  readonly access: ServerAccess;
  /** Calls in flight, oldest first. */
  readonly #calls = new OpenSet<ClientCall>();
  /** `initialize` requests that wait for the server. They are not calls, so their end is not reported through `onCallEnded`. */
  readonly #uncounted = new WeakSet<ClientCall>();
  #quietSinceMs: number;
  /**
   * Search for list changes since the session began: its promise while it runs, `done` afterwards; undefined before this object
   * receives its first request or stream.
   */
  #recalling: Promise<void> | 'done' | undefined;

  constructor(facts: SessionFacts, clientName: string, shared: SharedParts) {
    super(facts, clientName, shared);
    this.#quietSinceMs = shared.options.clock.now();
    this.access = new ServerAccess(shared.options, shared.upstreams, this);
  }

  override seen(clientName: string): void {
    super.seen(clientName);
    this.access.wake();
  }

  handle(message: InboundMessage, reply: GatewayReply): void {
    const { id, method, params } = message;
    if (method !== undefined && id !== undefined) return this.#requested({ id, method, params }, reply);
    // A notification or an answer gets no reply, so it is accepted with 202 before its content is checked.
    reply.status(202);
    if (method !== undefined) return this.#notified(method, params);
    this.shared.upstreams.asks.settle(this.facts, message);
  }

  /** Executes a gateway request, such as a waiting `initialize`, once the server has started. It is not reported as a call. */
  whenUp(request: ClientRequest, reply: GatewayReply, send: NonNullable<CallSteps['send']>): void {
    this.#uncounted.add(this.#carryOut(request, reply, { send }));
  }

  listen(reply: GatewayReply): void {
    this.stream.listen(reply);
    void this.#recalled();
  }

  end(why: string): void {
    for (const call of [...this.#calls.values()]) call.cancel(why);
    this.shared.upstreams.asks.sessionEnded(this.facts);
    this.access.end();
    this.stream.close();
  }

  /** Releases the lease (right to call) until the next request. Keeps log level, subscriptions and pending notifications. */
  override rest(): void {
    super.rest();
    this.access.rest();
  }

  tick(nowMs: number): void {
    if (this.#calls.size > 0) this.shared.callBegan();
    for (const call of [...this.#calls.values()]) call.tick(nowMs);
  }

  get hidden(): ReadonlySet<string> | undefined {
    return this.shared.options.clients?.hiddenFrom(this.facts.clientId, this.facts.server);
  }

  get isListening(): boolean {
    return this.stream.open !== undefined;
  }

  get isInUse(): boolean {
    return this.#calls.size > 0 || this.isListening;
  }

  get use(): LeaseUse {
    const { options, upstreams } = this.shared;
    const isCalling = this.#calls.size > 0 || upstreams.asks.isAsked(this.facts);
    const quietMs = isCalling ? 0 : options.clock.now() - this.#quietSinceMs;
    return { holder: this.clientName, isCalling, isListening: this.isListening, quietMs };
  }

  owe(notification: object): void {
    this.stream.owe(notification);
  }

  upstreamOpened(): void {
    this.access.keepOpen();
  }

  reopenUpstream(): boolean {
    return this.access.reopen();
  }

  callEnded(call: ClientCall, outcome: RelayedOutcome): void {
    const { options } = this.shared;
    this.#calls.delete(call);
    this.#quietSinceMs = options.clock.now();
    if (this.#uncounted.has(call)) return;
    const { clientId, server } = this.facts;
    const { request, reply, target, startedAtMs, known, approvedBy, isToolError } = call;
    options.onCallEnded({
      clientId,
      clientName: this.clientName,
      server,
      method: request.method,
      outcome,
      target,
      durationMs: this.#quietSinceMs - startedAtMs,
      arguments: request.params?.['arguments'],
      digest: known?.digest,
      approvedBy,
      isToolError,
      bytes: reply.bytes,
    });
  }

  greet(id: MessageId, reply: GatewayReply): void {
    void greet(this, id, reply, this.shared.options.redact);
  }

  views(nowMs: number): ClientSessionView[] {
    const inFlight = [...this.#calls.values()].map(({ request: { method }, target, startedAtMs }) => ({
      method,
      ...(target !== undefined && { target }),
      sinceMs: nowMs - startedAtMs,
    }));
    return [this.viewWith(inFlight)];
  }

  /** Answers a request, after sending the pending notifications. */
  #requested(request: ClientRequest, reply: GatewayReply): void {
    const recalled = this.#recalled();
    this.stream.payTo(reply);
    if (request.method === 'ping') return reply.end({ jsonrpc: '2.0', id: request.id, result: {} });
    const steps = stepsOf(this, request);
    this.#carryOut(
      request,
      reply,
      recalled ? { ...steps, here: this.#hereAfter(recalled, reply, steps) } : steps,
    );
  }

  /**
   * Returns a step for the first request after an app start: it sends the notifications that have been pending since before
   * that start, and then lets the request be answered.
   */
  #hereAfter(
    recalled: Promise<void>,
    reply: GatewayReply,
    { here }: CallSteps,
  ): NonNullable<CallSteps['here']> {
    return async (params) => {
      await recalled;
      this.stream.payTo(reply);
      return here?.(params);
    };
  }

  /** Handles a notification. Notifications that are meaningless to a server shared with other clients are not forwarded. */
  #notified(method: string, params: InboundMessage['params'] = {}): void {
    const { requestId, reason } = params;
    switch (method) {
      case 'notifications/initialized':
      case 'notifications/roots/list_changed':
        return;
      case 'notifications/progress':
        return void this.shared.upstreams.asks.progressed(this.facts, params);
      case 'notifications/cancelled':
        return this.#cancel(requestId, typeof reason === 'string' ? reason : 'The client cancelled it.');
      default:
        this.#tellServer(method, params);
    }
  }

  /** Cancels the client's requests with that id. If a client uses one id twice, both requests are cancelled. */
  #cancel(id: unknown, reason: string): void {
    for (const call of [...this.#calls.values()]) if (call.request.id === id) call.cancel(reason);
  }

  /** Forwards a notification to the server, if it is up. */
  #tellServer(method: string, params: InboundMessage['params']): void {
    const tell = async () => this.access.current()?.connection.notify(method, params);
    tell().catch(() => undefined);
  }

  #carryOut(request: ClientRequest, reply: GatewayReply, steps: CallSteps): ClientCall {
    const { options, callBegan } = this.shared;
    const call = new ClientCall(options, this, request, reply, steps);
    this.#calls.add(call);
    callBegan();
    void call.carryOut();
    return call;
  }

  /**
   * Queues a notification for every list that has changed since the session began, because the session may have begun in an
   * earlier app run, whose pending notifications were lost. Returns undefined once this is done; the promise never rejects.
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
