import { OpenSet } from '../../open-map.ts';
import type { LeaseUse } from '../../sessions/lease-holder.ts';
import {
  contextIdOf,
  type GatewayReply,
  type InboundMessage,
  type MessageId,
  type SessionFacts,
} from '../types.ts';
import { listChanged, type ChangedList } from '../upstream/fan-out.ts';
import type { Upstreams } from '../upstream/upstreams.ts';
import { ServerAccess, type AccessingSession } from './access.ts';
import type { RelayedOutcome } from './answers.ts';
import { ClientCall } from './call.ts';
import type { CallingSession, CallSteps, ClientRequest } from './call-parts.ts';
import type { HeldSession } from './held-session.ts';
import { greet } from './initialize.ts';
import type { ClientSessionsOptions, ClientSessionView } from './options.ts';
import { stepsOf } from './requests.ts';
import { SessionStream } from './session-stream.ts';

/** Parts that all sessions share. */
export interface SharedParts {
  readonly options: ClientSessionsOptions;
  readonly upstreams: Upstreams;
  /** Called at the begin of a call, and at each tick at which it is still in flight. */
  readonly callBegan: () => void;
}

/** In-memory part of one client's session with one server; the session itself is in its id, and outlives this object. */
export class ClientSession implements AccessingSession, CallingSession<ClientCall>, HeldSession {
  readonly facts: SessionFacts;
  readonly access: ServerAccess;
  /** Client's name as the user chose it, at its last request. */
  clientName: string;
  readonly #shared: SharedParts;
  /** Calls in flight, oldest first. */
  readonly #calls = new OpenSet<ClientCall>();
  /** Calls whose end is not reported. */
  readonly #uncounted = new WeakSet<ClientCall>();
  readonly #stream: SessionStream;
  /** Epoch milliseconds of the client's last request. */
  #lastSeenAt: number;
  #quietSinceMs: number;
  /** Check for list changes since the session began; undefined before the session's first request to this object. */
  #recalling: Promise<void> | 'done' | undefined;
  #isResting = false;

  constructor(facts: SessionFacts, clientName: string, shared: SharedParts) {
    const { clock, wallClock } = shared.options;
    this.facts = facts;
    this.clientName = clientName;
    this.#shared = shared;
    this.#lastSeenAt = wallClock.epochMs();
    this.#stream = new SessionStream(clock);
    this.#quietSinceMs = clock.now();
    this.access = new ServerAccess(shared.options, shared.upstreams, this);
  }

  /** Notes a request of the client. */
  seen(clientName: string): void {
    this.clientName = clientName;
    this.#lastSeenAt = this.#shared.options.wallClock.epochMs();
    this.#stream.seen();
    this.#isResting = false;
    this.access.wake();
  }

  /** Handles a message of the client: a request, a notification, or the answer to a server request. */
  handle(message: InboundMessage, reply: GatewayReply): void {
    const { id, method, params } = message;
    if (method !== undefined && id !== undefined) return this.#requested({ id, method, params }, reply);
    // A message without an answer is accepted before it is checked.
    reply.status(202);
    if (method !== undefined) return this.#notified(method, params);
    this.#shared.upstreams.asks.settle(this.facts, message);
  }

  /** Answers as soon as the server is up. It does not count as a call. */
  whenUp(request: ClientRequest, reply: GatewayReply, send: NonNullable<CallSteps['send']>): void {
    this.#uncounted.add(this.#carryOut(request, reply, { send }));
  }

  /** Opens the stream for messages outside calls. */
  listen(reply: GatewayReply): void {
    this.#stream.listen(reply);
    void this.#recalled();
  }

  /** Ends the session: cancels its calls, closes its stream and releases its lease. */
  end(why: string): void {
    for (const call of [...this.#calls.values()]) call.cancel(why);
    this.#shared.upstreams.asks.sessionEnded(this.facts);
    this.access.end();
    this.#stream.close();
  }

  /** Releases the session's lease until its next request. Log level, subscriptions and pending notifications stay. */
  rest(): void {
    this.#isResting = true;
    this.access.rest();
  }

  tick(nowMs: number): void {
    if (this.#calls.size > 0) this.#shared.callBegan();
    for (const call of [...this.#calls.values()]) call.tick(nowMs);
  }

  get hidden(): ReadonlySet<string> | undefined {
    return this.#shared.options.clients?.hiddenFrom(this.facts.clientId, this.facts.server);
  }

  get isResting(): boolean {
    return this.#isResting;
  }

  get isListening(): boolean {
    return this.#stream.open !== undefined;
  }

  /** True while the session has a call in flight or an open stream. */
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
    return this.#stream.silentMs(nowMs);
  }

  owe(notification: object): void {
    this.#stream.owe(notification);
  }

  upstreamOpened(): void {
    this.access.keepOpen();
  }

  reopenUpstream(): boolean {
    return this.access.reopen();
  }

  callEnded(call: ClientCall, outcome: RelayedOutcome): void {
    const { options } = this.#shared;
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
    void greet(this, id, reply, this.#shared.options.redact);
  }

  views(nowMs: number): ClientSessionView[] {
    const { clientId, server, info, capabilities, protocolVersion } = this.facts;
    const inFlight = [...this.#calls.values()].map(({ request: { method }, target, startedAtMs }) => ({
      method,
      ...(target !== undefined && { target }),
      sinceMs: nowMs - startedAtMs,
    }));
    const view = {
      ...{ clientId, server, contextId: contextIdOf(this.facts) },
      ...(info && { info }),
      ...{ protocolVersion, capabilities, inFlight, lastSeenAt: this.#lastSeenAt },
    };
    return [view];
  }

  /** Answers a request, after sending the pending notifications. */
  #requested(request: ClientRequest, reply: GatewayReply): void {
    const recalled = this.#recalled();
    this.#stream.payTo(reply);
    if (request.method === 'ping') return reply.end({ jsonrpc: '2.0', id: request.id, result: {} });
    const steps = stepsOf(this, request);
    this.#carryOut(
      request,
      reply,
      recalled ? { ...steps, here: this.#hereAfter(recalled, reply, steps) } : steps,
    );
  }

  /** Sends the notifications that are pending since an earlier app run, and then the answer to the first request in this one. */
  #hereAfter(
    recalled: Promise<void>,
    reply: GatewayReply,
    { here }: CallSteps,
  ): NonNullable<CallSteps['here']> {
    return async (params) => {
      await recalled;
      this.#stream.payTo(reply);
      return here?.(params);
    };
  }

  /** Handles a notification. Notifications that mean nothing to a server that other clients share are not forwarded. */
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

  /** Cancels the client's requests of that id. A client that uses one id twice means both. */
  #cancel(id: unknown, reason: string): void {
    for (const call of [...this.#calls.values()]) if (call.request.id === id) call.cancel(reason);
  }

  /** Forwards a notification to the server, if it is up. */
  #tellServer(method: string, params: InboundMessage['params']): void {
    const tell = async () => this.access.current()?.connection.notify(method, params);
    tell().catch(() => undefined);
  }

  #carryOut(request: ClientRequest, reply: GatewayReply, steps: CallSteps): ClientCall {
    const { options, callBegan } = this.#shared;
    const call = new ClientCall(options, this, request, reply, steps);
    this.#calls.add(call);
    callBegan();
    void call.carryOut();
    return call;
  }

  /**
   * Queues every list change since the session began, because the session may be older than this object and its pending
   * notifications ended with the last app run. Undefined once that is done; the promise never rejects.
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
