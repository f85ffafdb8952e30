import type { RequestId } from '@modelcontextprotocol/sdk/types.js';
import { waitEndsAt, type Wait } from '../wait-times.ts';

export interface CallLimits {
  /** Maximum time since the last progress of a call, in ms. */
  readonly timeoutMs: number;
  readonly maxTotalMs: number;
}

/** Limits that were set when a call was sent; settings that change later do not affect them. */
export interface CallTerms {
  /** Limits after which the caller gets a timeout. */
  readonly limits: CallLimits;
  /**
   * Limits after which the server is overdue. A shorter timeout of the caller is ignored, because it says nothing about the
   * server.
   */
  readonly allowance: CallLimits;
  /**
   * True if this is the user's own health check. Like a probe, it is not counted as a call: no caller waits for it, and it is
   * not used to judge the server.
   */
  readonly isCheck?: boolean;
}

/** Request of the panel that the server has not answered yet. */
export interface OpenCall extends CallTerms, Wait {
  readonly id: RequestId;
  readonly method: string;
  /** Name of the tool or prompt; undefined if the method has none. */
  readonly target: string | undefined;
  /** True if a cancellation was sent to the server. */
  isCancelled: boolean;
  /** True if the call was cancelled before it was overdue; a server may then end the call without an answer. */
  wasCalledOff: boolean;
  /** Caller on whose behalf the call was sent. */
  readonly caller: Caller;
}

/** Source of a call: a client of the gateway, by its name; the user in the app window; or the panel itself. */
export interface Caller {
  readonly by: 'client' | 'window' | 'panel';
  readonly client?: string | undefined;
}

/** Unfinished call as it is reported. Its arguments are never included. */
export interface CallInFlight extends Caller {
  readonly method: string;
  readonly target?: string | undefined;
  readonly ageMs: number;
  /** True if the caller has cancelled the call or timed out. Such a call does not count as lost if the server ends. */
  readonly isGivenUp?: true | undefined;
}

/** True if the caller still waits for the answer. */
export const isAwaited = (call: OpenCall, nowMs: number): boolean =>
  !call.isCancelled && callerDeadlineOf(call) > nowMs;

/** Time at which the caller of `call` gets a timeout. */
export function callerDeadlineOf(call: OpenCall): number {
  return passedAt(call, call.limits);
}

/** Time at which the server is overdue with `call`. The caller gets its timeout at this time or earlier. */
export function deadlineOf(call: OpenCall): number {
  return passedAt(call, call.allowance);
}

function passedAt(call: OpenCall, { timeoutMs, maxTotalMs }: CallLimits): number {
  return waitEndsAt(call, { windowMs: timeoutMs, capMs: maxTotalMs });
}
