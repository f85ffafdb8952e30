import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/sdk/types.js';

/** A request of ours that the server has not answered. Times are monotonic. */
export interface OpenCall {
  readonly id: RequestId;
  readonly method: string;
  /** The tool's or prompt's name, where the method has one. */
  readonly target: string | undefined;
  readonly startedAtMs: number;
  lastProgressAtMs: number;
}

/** What is told of an unfinished call: never its arguments. */
export interface CallInFlight {
  readonly method: string;
  readonly target?: string | undefined;
  readonly ageMs: number;
}

export interface CallDeadlines {
  /** Longest time since the last progress. */
  readonly timeoutMs: number;
  readonly maxTotalMs: number;
}

export type Arrival = 'answer' | 'late-answer' | 'unmatched' | 'other';

/** Answers to given-up calls are told from answers to nothing for this many of them. */
const MAX_FORGOTTEN = 1000;

/**
 * The calls under way on one connection, kept by what passes over the transport, so that every caller is seen,
 * and a cancelled call counts until it is answered or its deadline passes: the server may still be at it.
 * Probes are not calls; they are told by `isProbe`.
 */
export class CallLedger {
  readonly #open = new Map<RequestId, OpenCall>();
  readonly #probes = new Set<RequestId>();
  readonly #forgotten = new Set<RequestId>();

  /** A request leaves. */
  sent(message: JSONRPCMessage, nowMs: number, isProbe: boolean): void {
    if (!('method' in message) || !('id' in message)) return;
    const { id, method } = message;
    if (isProbe) this.#probes.add(id);
    else
      this.#open.set(id, {
        id,
        method,
        target: targetOf(message.params),
        startedAtMs: nowMs,
        lastProgressAtMs: nowMs,
      });
  }

  /** A message came. What it was tells noise from late answers. */
  arrived(message: JSONRPCMessage, nowMs: number): Arrival {
    if ('method' in message) {
      if (message.method === 'notifications/progress')
        this.#progressed(message.params?.['progressToken'], nowMs);
      return 'other';
    }
    if (message.id === undefined) return 'unmatched';
    if (this.#open.delete(message.id) || this.#probes.delete(message.id)) return 'answer';
    return this.#forgotten.delete(message.id) ? 'late-answer' : 'unmatched';
  }

  get calls(): readonly OpenCall[] {
    return [...this.#open.values()];
  }

  /** The unfinished calls as they are told of, oldest first. */
  inFlightAt(nowMs: number): readonly CallInFlight[] {
    return this.calls.map(({ method, target, startedAtMs }) => ({
      method,
      target,
      ageMs: Math.round(nowMs - startedAtMs),
    }));
  }

  isOpen(id: RequestId): boolean {
    return this.#open.has(id);
  }

  /** Unfinished calls whose deadline has not passed. */
  openAt(nowMs: number, deadlines: CallDeadlines): readonly OpenCall[] {
    return this.calls.filter((call) => deadlineOf(call, deadlines) > nowMs);
  }

  /** Calls past their deadline, whose callers have been freed. */
  overdueAt(nowMs: number, deadlines: CallDeadlines): readonly OpenCall[] {
    return this.calls.filter((call) => deadlineOf(call, deadlines) <= nowMs);
  }

  /** Drops the overdue calls of a server that has shown life since: it will hardly answer them, and it is not hung. */
  forgetOverdue(lastActivityAtMs: number, deadlines: CallDeadlines): void {
    for (const call of this.calls) {
      if (deadlineOf(call, deadlines) > lastActivityAtMs) continue;
      this.#open.delete(call.id);
      this.#forgotten.add(call.id);
    }
    for (const id of this.#forgotten) {
      if (this.#forgotten.size <= MAX_FORGOTTEN) break;
      this.#forgotten.delete(id);
    }
  }

  #progressed(token: unknown, nowMs: number): void {
    // The SDK uses the request's id as its progress token. Unknown and late tokens change nothing.
    const call = typeof token === 'number' || typeof token === 'string' ? this.#open.get(token) : undefined;
    if (call) call.lastProgressAtMs = nowMs;
  }
}

/** When the caller of `call` is freed. */
export function deadlineOf(call: OpenCall, deadlines: CallDeadlines): number {
  return Math.min(call.lastProgressAtMs + deadlines.timeoutMs, call.startedAtMs + deadlines.maxTotalMs);
}

function targetOf(params: unknown): string | undefined {
  const name = typeof params === 'object' && params !== null && 'name' in params ? params.name : undefined;
  return typeof name === 'string' ? name : undefined;
}
