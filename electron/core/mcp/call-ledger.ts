import { OpenMap } from '../open-map.ts';
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/sdk/types.js';
import { beginWait, hold, release, waitEndsAt, type Wait } from '../wait-times.ts';
import type { Clock } from '../clock.ts';
import { ownIdOf } from './message-form.ts';

export interface CallLimits {
  /** Longest time of a call since its last progress, in ms. */
  readonly timeoutMs: number;
  readonly maxTotalMs: number;
}

/** Limits a call was sent with; settings that change later do not affect it. */
export interface CallTerms {
  /** Limits after which the caller gets a timeout. */
  readonly limits: CallLimits;
  /** Limits after which the server is overdue. A caller's own shorter timeout is ignored: it says nothing about the server. */
  readonly allowance: CallLimits;
  /** Whether it is a person's own health check. Like a probe, it is no call: it keeps nobody waiting, and judges nobody. */
  readonly isCheck?: boolean;
}

/** Request of the panel that the server has not answered. */
export interface OpenCall extends CallTerms, Wait {
  readonly id: RequestId;
  readonly method: string;
  /** Name of the tool or prompt, where the method has one. */
  readonly target: string | undefined;
  /** Whether a cancellation was sent to the server. */
  isCancelled: boolean;
  /** Whether it was cancelled before it was overdue: a server may then end the call without an answer. */
  wasCalledOff: boolean;
  /** Caller on whose behalf the call was sent. */
  readonly caller: Caller;
}

/** Caller of a call: a client of the gateway, by its name; the user at the window; or the panel itself. */
export interface Caller {
  readonly by: 'client' | 'window' | 'panel';
  readonly client?: string | undefined;
}

/** Unfinished call as it is reported: never with its arguments. */
export interface CallInFlight extends Caller {
  readonly method: string;
  readonly target?: string | undefined;
  readonly ageMs: number;
  /** Whether its caller has cancelled it or timed out: such a call cannot be lost. */
  readonly isGivenUp?: true | undefined;
}

const OF_THE_PANEL: Caller = { by: 'panel' };

type Arrival = 'answer' | 'late-answer' | 'probe-answer' | 'unmatched' | 'other';

/** Number of given-up calls remembered, so that their late answers are told from answers to unknown ids. */
const MAX_FORGOTTEN = 1000;
/** Number of unfinished calls above which overdue ones are dropped: a server may send messages for ever and answer nothing. */
const MAX_OPEN = 10_000;

/**
 * Calls under way on one connection. They are recorded from the traffic on the transport, so that every caller is counted. A
 * cancelled call counts until it is answered or its deadline passes, because the server may still work on it. Probes are not
 * calls.
 */
export class CallLedger {
  readonly #open = new OpenMap<number, OpenCall>();
  readonly #probes = new Set<number>();
  readonly #forgotten = new Set<number>();
  /** Lower bound of the time at which the first open call is overdue: deadlines only move later, and calls only end. */
  #noneOverdueBeforeMs = Infinity;
  /** Number of open server requests by client. */
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

  /** Drops a request that was not sent after all, or whose answer will never come: the server is not busy with it. */
  lost(id: RequestId): void {
    const key = ownIdOf(id);
    if (key === undefined) return;
    this.#open.delete(key);
    this.#probes.delete(key);
    this.#forgotten.delete(key);
  }

  /** Records an incoming message. The result tells malformed output from late answers. */
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

  /** Unfinished calls as they are reported, oldest first. */
  inFlightAt(nowMs: number): readonly CallInFlight[] {
    return this.calls.map((call) => ({
      method: call.method,
      target: call.target,
      ageMs: Math.round(nowMs - call.startedAtMs),
      ...call.caller,
      isGivenUp: isAwaited(call, nowMs) ? undefined : true,
    }));
  }

  /** Caller of an open call; the panel itself for every other request, such as a probe. */
  callerOf(id: RequestId): Caller {
    return this.#callOf(ownIdOf(id))?.caller ?? OF_THE_PANEL;
  }

  isOpen(id: RequestId): boolean {
    const key = ownIdOf(id);
    return key !== undefined && this.#open.has(key);
  }

  /** Unfinished calls whose callers still wait; the end of the server would lose them. */
  awaitedAt(nowMs: number): readonly OpenCall[] {
    return this.calls.filter((call) => isAwaited(call, nowMs));
  }

  /** Unfinished calls within their deadline, which the server may still work on. */
  openAt(nowMs: number): readonly OpenCall[] {
    return this.calls.filter((call) => deadlineOf(call) > nowMs);
  }

  /** Calls past their deadline, whose callers have got a timeout. */
  overdueAt(nowMs: number): readonly OpenCall[] {
    return this.calls.filter((call) => deadlineOf(call) <= nowMs);
  }

  /** Number of calls in a row that had no answer by their deadline while the server answered something else. */
  get lostCalls(): number {
    return this.#lostCalls;
  }

  /**
   * Drops the overdue calls of a server that has answered something since: it is not hung, and will hardly answer them.
   * @param what kind of request it has answered; an answered probe says nothing about calls
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
      // A server may end a cancelled call without an answer.
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

  /** Ends a call that the server cancelled; it may still answer late. Undefined if no such call is open; never the handshake. */
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
    // The token of a request is its id. Unknown and late tokens change nothing.
    const call = this.#callOf(ownIdOf(token));
    if (call) call.lastProgressAtMs = nowMs;
  }

  #callOf(key: number | undefined): OpenCall | undefined {
    return key === undefined ? undefined : this.#open.get(key);
  }
}

const isAwaited = (call: OpenCall, nowMs: number): boolean =>
  !call.isCancelled && callerDeadlineOf(call) > nowMs;

/** Time at which the caller of `call` gets a timeout. */
export function callerDeadlineOf(call: OpenCall): number {
  return passedAt(call, call.limits);
}

/** Time at which the server is overdue with `call`. The caller gets its timeout then or earlier. */
export function deadlineOf(call: OpenCall): number {
  return passedAt(call, call.allowance);
}

function passedAt(call: OpenCall, { timeoutMs, maxTotalMs }: CallLimits): number {
  return waitEndsAt(call, { windowMs: timeoutMs, capMs: maxTotalMs });
}

function targetOf(params: unknown): string | undefined {
  const name = typeof params === 'object' && params !== null && 'name' in params ? params.name : undefined;
  return typeof name === 'string' ? name : undefined;
}
