import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/sdk/types.js';
import { beginWait, hold, release, waitEndsAt, type Wait } from '../wait-times.ts';
import type { Clock } from '../clock.ts';
import { ownIdOf } from './message-form.ts';

export interface CallLimits {
  /** Longest time since the last progress. */
  readonly timeoutMs: number;
  readonly maxTotalMs: number;
}

/** What a call was sent with; settings that change later do not touch it. */
export interface CallTerms {
  /** When these have passed, its caller is freed. */
  readonly limits: CallLimits;
  /** When these have passed, the server is overdue. Never the shorter ones: a caller in a hurry convicts nobody. */
  readonly allowance: CallLimits;
}

/** A request of ours that the server has not answered. */
export interface OpenCall extends CallTerms, Wait {
  readonly id: RequestId;
  readonly method: string;
  /** The tool's or prompt's name, where the method has one. */
  readonly target: string | undefined;
  /** The server was told that nobody waits any more. */
  isCancelled: boolean;
  /** That was before it was overdue: a server may then end the call without an answer. */
  wasCalledOff: boolean;
  /** On whose behalf it was sent. */
  readonly caller: Caller;
}

/** Caller of a call: a client of the gateway, by its name; a person at the window; or the panel itself. */
export interface Caller {
  readonly by: 'client' | 'window' | 'panel';
  readonly client?: string | undefined;
}

/** What is told of an unfinished call: never its arguments. */
export interface CallInFlight extends Caller {
  readonly method: string;
  readonly target?: string | undefined;
  readonly ageMs: number;
  /** Whether nobody waits for it any more, because its caller cancelled it or ran out of time: it cannot be lost. */
  readonly isGivenUp?: true | undefined;
}

const OF_THE_PANEL: Caller = { by: 'panel' };

export type Arrival = 'answer' | 'late-answer' | 'probe-answer' | 'unmatched' | 'other';

/** Answers to given-up calls are told from answers to nothing for this many of them. */
const MAX_FORGOTTEN = 1000;
/** Of more unfinished calls than this, those that are overdue are let go: a server may send messages and answer nothing for ever. */
const MAX_OPEN = 10_000;

/**
 * The calls under way on one connection, kept by what passes over the transport, so that every caller is seen,
 * and a cancelled call counts until it is answered or its deadline passes: the server may still be at it.
 * Probes are not calls.
 */
export class CallLedger {
  readonly #open = new Map<number, OpenCall>();
  readonly #probes = new Set<number>();
  readonly #forgotten = new Set<number>();
  /** No open call is overdue before: a lower bound, because deadlines only move away and calls only go. */
  #noneOverdueBeforeMs = Infinity;
  /** How many requests of the server each client is being asked. */
  readonly #asked = new Map<string, number>();
  #lostCalls = 0;

  /** A message leaves. Returns the call that it is, if it is one. */
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
    const target = targetOf(message.params);
    const { limits, allowance } = terms;
    const ends = { isCancelled: false, wasCalledOff: false };
    const call: OpenCall = { id, method, target, limits, allowance, caller, ...beginWait(nowMs), ...ends };
    if (this.#isAsked(call)) hold(call, nowMs);
    this.#open.set(key, call);
    this.#noneOverdueBeforeMs = Math.min(this.#noneOverdueBeforeMs, deadlineOf(call));
    this.#boundOpen(nowMs);
    return call;
  }

  /** A request did not leave after all, or its answer will never come: the server is not busy with it. */
  lost(id: RequestId): void {
    const key = ownIdOf(id);
    if (key === undefined) return;
    this.#open.delete(key);
    this.#probes.delete(key);
    this.#forgotten.delete(key);
  }

  /** A message came. What it was tells noise from late answers. */
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

  /** Unfinished calls. */
  get size(): number {
    return this.#open.size;
  }
  get calls(): readonly OpenCall[] {
    return [...this.#open.values()];
  }

  /** The unfinished calls as they are told of, oldest first. */
  inFlightAt(nowMs: number): readonly CallInFlight[] {
    return this.calls.map((call) => ({
      method: call.method,
      target: call.target,
      ageMs: Math.round(nowMs - call.startedAtMs),
      ...call.caller,
      isGivenUp: isAwaited(call, nowMs) ? undefined : true,
    }));
  }

  isOpen(id: RequestId): boolean {
    const key = ownIdOf(id);
    return key !== undefined && this.#open.has(key);
  }

  /** Unfinished calls that somebody waits for: what would be lost with the server. */
  awaitedAt(nowMs: number): readonly OpenCall[] {
    return this.calls.filter((call) => isAwaited(call, nowMs));
  }

  /** Unfinished calls that the server may still be at, without a reason to doubt it. */
  openAt(nowMs: number): readonly OpenCall[] {
    return this.calls.filter((call) => deadlineOf(call) > nowMs);
  }

  /** Calls past their deadline, whose callers have been freed. */
  overdueAt(nowMs: number): readonly OpenCall[] {
    return this.calls.filter((call) => deadlineOf(call) <= nowMs);
  }

  /** Calls in a row that had no answer by their deadline, while something else was answered. */
  get lostCalls(): number {
    return this.#lostCalls;
  }

  /**
   * Drops the overdue calls of a server that has answered something since: it will hardly answer them, and it is not hung.
   * @param what it has answered; a probe says nothing about calls
   */
  forgetOverdue(answeredAtMs: number, what: 'call' | 'probe'): void {
    if (what === 'call') this.#lostCalls = 0;
    if (answeredAtMs < this.#noneOverdueBeforeMs) return;
    let nextMs = Infinity;
    for (const [key, call] of this.#open) {
      const deadlineMs = deadlineOf(call);
      if (deadlineMs > answeredAtMs) {
        nextMs = Math.min(nextMs, deadlineMs);
        continue;
      }
      this.#open.delete(key);
      this.#forget(key);
      // A server may end a call that was called off without an answer.
      if (what === 'probe' && !call.wasCalledOff) this.#lostCalls += 1;
    }
    this.#noneOverdueBeforeMs = nextMs;
  }

  /** Whoever has calls under way is asked something: the deadlines of its calls stand still until the undo that is returned. */
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
    for (const [key, call] of this.#open) {
      if (this.#open.size <= MAX_OPEN || deadlineOf(call) > nowMs) return;
      this.#open.delete(key);
    }
  }

  /** The server works on the call no longer, and answers it late at most. Undefined for none that is open; never the handshake. */
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
    const call = this.#callOf(ownIdOf(id));
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

/** When the caller of `call` is freed. */
export function callerDeadlineOf(call: OpenCall): number {
  return passedAt(call, call.limits);
}

/** When the server is overdue with `call`: then, or later than, its caller is freed. */
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
