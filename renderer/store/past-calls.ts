import type { CallOutcome } from '../../shared/domain.ts';
import type { ErrorReport } from '../../shared/error-codes.ts';

/** Outcome of a completed call, as shown on the page. */
export type SettledCall =
  | { readonly phase: 'done'; readonly at: number; readonly outcome: CallOutcome }
  /** The user cancelled the call. `afterMs` is the time from the start of the call to its cancellation. */
  | { readonly phase: 'cancelled'; readonly at: number; readonly afterMs: number }
  | { readonly phase: 'failed'; readonly at: number; readonly error: ErrorReport };

export type CallEnd = 'answered' | 'error' | 'cancelled' | 'failed';

/** Completed call in the history. */
export interface PastCall {
  readonly id: string;
  /** Time at which the call ended, in epoch ms. */
  readonly at: number;
  readonly durationMs: number;
  /** Arguments that the user entered in the form or as JSON. */
  readonly value: unknown;
  readonly end: CallEnd;
  /** Full outcome; undefined if it was dropped because of its size. */
  readonly record: SettledCall | undefined;
  /** Approximate number of characters in the outcome and the arguments. */
  readonly size: number;
}

export type CallHistory = ReadonlyMap<string, readonly PastCall[]>;

const CALLS_PER_ITEM = 50;
/** Maximum number of characters of the outcomes that are kept per server, because a hundred pictures would fill the memory. */
export const KEPT_CHARACTERS = 16_000_000;

/** Creates the history entry of a completed call. */
export function toPastCall(id: string, since: number, value: unknown, record: SettledCall): PastCall {
  const durationMs = record.phase === 'done' ? record.outcome.durationMs : record.at - since;
  return { id, at: record.at, durationMs, value, end: endOf(record), record, size: sizeOf([record, value]) };
}

function endOf(record: SettledCall): CallEnd {
  if (record.phase !== 'done') return record.phase;
  return record.outcome.result['isError'] === true ? 'error' : 'answered';
}

/** Adds a call to the history, newest first. The oldest outcomes are dropped if the total size of all outcomes is too large. */
export function withPastCall(history: CallHistory, key: string, call: PastCall): CallHistory {
  const calls = [call, ...(history.get(key) ?? [])].slice(0, CALLS_PER_ITEM);
  const all = new Map(history).set(key, calls);
  const dropped = tooOld([...all.values()].flat());
  if (dropped.size === 0) return all;
  const without = (past: PastCall) => (dropped.has(past) ? { ...past, record: undefined, size: 0 } : past);
  return new Map([...all].map(([name, list]) => [name, list.map(without)]));
}

/**
 * Returns the calls whose outcomes must be dropped so that the total size stays below `KEPT_CHARACTERS`. Sizes are added from
 * the newest call to the oldest. The newest call is never dropped.
 */
function tooOld(calls: readonly PastCall[]): ReadonlySet<PastCall> {
  const [newest, ...older] = calls.toSorted((a, b) => b.at - a.at);
  let left = KEPT_CHARACTERS - (newest?.size ?? 0);
  const dropped = new Set<PastCall>();
  for (const call of older) {
    left -= call.size;
    if (left < 0 && call.record !== undefined) dropped.add(call);
  }
  return dropped;
}

/** Returns the approximate size of a value: the number of characters of its texts, plus a constant for every other value. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 8;
  return Object.entries(value).reduce((sum, [key, inner]) => sum + key.length + sizeOf(inner), 16);
}
