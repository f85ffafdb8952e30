import { OpenMap } from '../open-map.ts';
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/sdk/types.js';
import { beginWait, hold, release } from '../wait-times.ts';
import type { Clock } from '../clock.ts';
import { ownIdOf } from './message-form.ts';
import {
  deadlineOf,
  isAwaited,
  type Caller,
  type CallInFlight,
  type CallTerms,
  type OpenCall,
} from './open-call.ts';

const OF_THE_PANEL: Caller = { by: 'panel' };

type Arrival = 'answer' | 'late-answer' | 'probe-answer' | 'unmatched' | 'other';

/** Maximum number of given-up calls to remember, so that their late answers can be distinguished from answers to unknown ids. */
const MAX_FORGOTTEN = 1000;
/** Number of open calls above which overdue ones are dropped, because a server may send messages forever but answer no call. */
const MAX_OPEN = 10_000;

/**
 * Unfinished calls on one connection. They are recorded from the traffic on the transport, so that every caller is counted. A
 * cancelled call counts until it is answered or its deadline passes, because the server may still work on it. Probes are not
 * calls.
 */
export class CallLedger {
  readonly #open = new OpenMap<number, OpenCall>();
  readonly #probes = new Set<number>();
  readonly #forgotten = new Set<number>();
  /** Lower bound of when the first open call is overdue. It stays valid because deadlines only move later and calls only end. */
  #noneOverdueBeforeMs = Infinity;
  /** Number of unanswered server requests for each client, keyed by the client's name. */
  readonly #asked = new Map<string, number>();
  #lostCalls = 0;

  /** Records an outgoing message. Returns its call, or undefined if it is not a call. */
  sent(
    message: JSONRPCMessage,
    nowMs: number,
    terms: CallTerms | 'probe',
    caller = OF_THE_PANEL,
  ): OpenCall | undefined {
    if (!('method' in message)) return undefined;
    if (message.method === 'notifications/cancelled') this.#cancelled(message.params?.['requestId'], nowMs);
    const key = 'id' in message ? ownIdOf(message.id) : undefined;
    if (!('id' in message) || key === undefined) return undefined;
    const { id, method } = message;
    if (terms === 'probe') {
      this.#probes.add(key);
      return undefined;
    }
    const call: OpenCall = {
      ...beginWait(nowMs),
      id,
      method,
      target: targetOf(message.params),
      limits: terms.limits,
      allowance: terms.allowance,
      caller,
      isCancelled: false,
      wasCalledOff: false,
    };
    if (terms.isCheck === true) {
      this.#probes.add(key);
      return call;
    }
    if (this.#isAsked(call)) hold(call, nowMs);
    this.#open.set(key, call);
    const { timeoutMs, maxTotalMs } = call.allowance;
    this.#noneOverdueBeforeMs = Math.min(this.#noneOverdueBeforeMs, nowMs + Math.min(timeoutMs, maxTotalMs));
    if (this.#open.size > MAX_OPEN) this.#boundOpen(nowMs);
    return call;
  }

  /** Drops a request that was not sent after all, or whose answer will never come, because the server is not busy with it. */
  lost(id: RequestId): void {
    const key = ownIdOf(id);
    if (key === undefined) return;
    this.#open.delete(key);
    this.#probes.delete(key);
    this.#forgotten.delete(key);
  }

  /**
   * Records an incoming message. The result tells whether its id is that of an open request, of one given up, or unknown, so
   * that malformed output is not confused with late answers.
   */
  arrived(message: JSONRPCMessage, nowMs: number): Arrival {
    if ('method' in message) {
      if (message.method === 'notifications/progress')
        this.#progressed(message.params?.['progressToken'], nowMs);
      return 'other';
    }
    const key = ownIdOf(message.id);
    if (key === undefined) return 'unmatched';
    if (this.#open.delete(key)) return 'answer';
    if (this.#probes.delete(key)) return 'probe-answer';
    return this.#forgotten.delete(key) ? 'late-answer' : 'unmatched';
  }

  /** Number of unfinished calls. */
  get size(): number {
    return this.#open.size;
  }
  get calls(): readonly OpenCall[] {
    return [...this.#open.values()];
  }

  /** Returns unfinished calls in the form in which they are reported, oldest first. */
  inFlightAt(nowMs: number): readonly CallInFlight[] {
    return this.calls.map((call) => ({
      method: call.method,
      target: call.target,
      ageMs: Math.round(nowMs - call.startedAtMs),
      ...call.caller,
      isGivenUp: isAwaited(call, nowMs) ? undefined : true,
    }));
  }

  /** Returns the caller of an open call; for every other request, such as a probe, the panel itself. */
  callerOf(id: RequestId): Caller {
    return this.#callOf(ownIdOf(id))?.caller ?? OF_THE_PANEL;
  }

  isOpen(id: RequestId): boolean {
    const key = ownIdOf(id);
    return key !== undefined && this.#open.has(key);
  }

  /** Returns unfinished calls whose callers still wait. If the server ends, these calls are lost. */
  awaitedAt(nowMs: number): readonly OpenCall[] {
    return this.calls.filter((call) => isAwaited(call, nowMs));
  }

  /** Returns unfinished calls within their deadline; the server may still work on them. */
  openAt(nowMs: number): readonly OpenCall[] {
    return this.calls.filter((call) => deadlineOf(call) > nowMs);
  }

  /** Returns calls past their deadline; their callers have already received a timeout. */
  overdueAt(nowMs: number): readonly OpenCall[] {
    return this.calls.filter((call) => deadlineOf(call) <= nowMs);
  }

  /** Number of consecutive calls that were not answered by their deadline although the server answered something else. */
  get lostCalls(): number {
    return this.#lostCalls;
  }

  /**
   * Drops the overdue calls of a server that has answered another request since. Such a server is not hung, and it is unlikely
   * to answer these calls.
   * @param what kind of request that the server has answered; an answered probe says nothing about calls
   */
  forgetOverdue(answeredAtMs: number, what: 'call' | 'probe'): void {
    if (what === 'call') this.#lostCalls = 0;
    if (answeredAtMs < this.#noneOverdueBeforeMs) return;
    let nextMs = Infinity;
    for (const [key, call] of this.#open.entries()) {
      const deadlineMs = deadlineOf(call);
      if (deadlineMs > answeredAtMs) {
        nextMs = Math.min(nextMs, deadlineMs);
        continue;
      }
      this.#open.delete(key);
      this.#forget(key);
      // A cancelled call is not counted, because a server may end it without an answer.
      if (what === 'probe' && !call.wasCalledOff) this.#lostCalls += 1;
    }
    this.#noneOverdueBeforeMs = nextMs;
  }

  /** Stops the deadlines of a client's calls while that client answers a server request. Returns a function that resumes them. */
  clientAsked(clock: Pick<Clock, 'now'>): () => void {
    const clients = new Set(this.calls.flatMap(({ caller: { client } }) => client ?? []));
    for (const client of clients) this.#asked.set(client, (this.#asked.get(client) ?? 0) + 1);
    for (const call of this.#of(clients)) hold(call, clock.now());
    return () => {
      for (const client of clients) this.#answeredBy(client);
      for (const call of this.#of(clients)) if (!this.#isAsked(call)) release(call, clock.now());
    };
  }

  #answeredBy(client: string): void {
    const left = (this.#asked.get(client) ?? 0) - 1;
    if (left > 0) this.#asked.set(client, left);
    else this.#asked.delete(client);
  }

  #of(clients: ReadonlySet<string>): readonly OpenCall[] {
    return this.calls.filter(({ caller: { client } }) => client !== undefined && clients.has(client));
  }

  #isAsked({ caller: { client } }: Pick<OpenCall, 'caller'>): boolean {
    return client !== undefined && this.#asked.has(client);
  }

  #boundOpen(nowMs: number): void {
    for (const [key, call] of this.#open.entries()) {
      if (this.#open.size <= MAX_OPEN || deadlineOf(call) > nowMs) return;
      this.#open.delete(key);
    }
  }

  /** Ends a call cancelled by the server; an answer may come late. Returns undefined if it is not open or is the handshake. */
  calledOff(id: RequestId): OpenCall | undefined {
    const key = ownIdOf(id);
    const call = this.#callOf(key);
    if (key === undefined || !call || call.method === 'initialize') return undefined;
    this.#open.delete(key);
    this.#forget(key);
    return call;
  }

  #forget(key: number): void {
    this.#forgotten.add(key);
    if (this.#forgotten.size <= MAX_FORGOTTEN) return;
    for (const oldest of this.#forgotten) return void this.#forgotten.delete(oldest);
  }

  #cancelled(id: unknown, nowMs: number): void {
    const key = ownIdOf(id);
    if (key !== undefined && this.#probes.delete(key)) this.#forget(key);
    const call = this.#callOf(key);
    if (!call) return;
    call.isCancelled = true;
    call.wasCalledOff = nowMs < deadlineOf(call);
  }

  #progressed(token: unknown, nowMs: number): void {
    // The progress token of a request is its id. Unknown and late tokens are ignored.
    const call = this.#callOf(ownIdOf(token));
    if (call) call.lastProgressAtMs = nowMs;
  }

  #callOf(key: number | undefined): OpenCall | undefined {
    return key === undefined ? undefined : this.#open.get(key);
  }
}

function targetOf(params: unknown): string | undefined {
  const name = typeof params === 'object' && params !== null && 'name' in params ? params.name : undefined;
  return typeof name === 'string' ? name : undefined;
}
