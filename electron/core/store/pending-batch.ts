import { Emitter } from '../emitter.ts';
import type { CountedOutcome } from '../../../shared/call-figures.ts';
import type { PanelEvent, Sample } from '../../../shared/domain.ts';
import { historyMetrics, type LimitsInForce } from '../../../shared/history.ts';
import { isError, isTimed } from '../telemetry/calls/call-totals.ts';
import type { AuditEntry, Batch, CallsMessage, LookMessage } from './store-messages.ts';
import { MINUTE_MS } from '../../../shared/units.ts';

/** Maximum number of samples and events that wait for a writable file: ten minutes of samples. The oldest are dropped first. */
const MAX_LOOKS = 600;
const MAX_EVENTS = 5000;
const MAX_CALL_SUMS = 5000;
const MAX_LIMITS = 1000;

/** One sample of one server, taken in a scan of all servers. */
export interface ServerSample {
  readonly server: string;
  readonly sample: Sample;
}

/**
 * A finished call. With `client`, it is recorded as seen by that MCP client; without `client`, as seen by the server
 * connection, for all callers. A client's call is recorded in both ways.
 */
export interface RecordedCall {
  readonly at: number;
  readonly server: string;
  readonly client?: string;
  readonly outcome: CountedOutcome;
  readonly durationMs: number;
}

/** Numbers of dropped samples and calls. Lost events are in the journal, from which the file takes them later. */
export interface Loss {
  readonly looks: number;
  readonly calls: number;
}

interface PendingLook {
  readonly at: number;
  readonly samples: readonly ServerSample[];
}

type CallSum = { -readonly [key in keyof CallsMessage]: CallsMessage[key] };

const emptyLists = () => ({
  looks: [] as PendingLook[],
  events: [] as PanelEvent[],
  limits: [] as LimitsInForce[],
  audit: [] as AuditEntry[],
});

/** Adds an item to a list with at most `max` items. @returns whether the oldest one was dropped for it */
function addBounded<T>(list: T[], item: T, max: number): boolean {
  list.push(item);
  return list.length > max && list.shift() !== undefined;
}

/** Data since the last batch, in bounded memory. Recording never writes, waits or throws. All times are epoch milliseconds. */
export class PendingBatch {
  /** Emits after something was recorded. */
  readonly added = new Emitter<void>();
  #lists = emptyLists();
  readonly #calls = new Map<string, CallSum>();
  #hasLostEvents = false;
  #loss = { looks: 0, calls: 0 };

  get isEmpty(): boolean {
    const isListed = Object.values(this.#lists).some(({ length }) => length > 0);
    return !isListed && this.#calls.size === 0 && !this.#hasLostEvents;
  }

  /** Records one scan of all servers, at most once a second. Each sample is passed once, and `at` replaces its own time. */
  tick(at: number, samples: readonly ServerSample[]): void {
    if (addBounded(this.#lists.looks, { at, samples }, MAX_LOOKS)) this.#loss.looks += 1;
    this.added.emit();
  }

  event(event: PanelEvent): void {
    if (addBounded(this.#lists.events, event, MAX_EVENTS)) this.#hasLostEvents = true;
    this.added.emit();
  }

  /** Records the limits that apply from now on. Unchanged limits are not written. */
  limits(limits: LimitsInForce): void {
    addBounded(this.#lists.limits, limits, MAX_LIMITS);
    this.added.emit();
  }

  audited(entry: AuditEntry): void {
    if (addBounded(this.#lists.audit, entry, MAX_EVENTS)) this.#loss.calls += 1;
    this.added.emit();
  }

  callEnded(call: RecordedCall): void {
    this.#addCall(call);
    this.added.emit();
  }

  /** Adds a call to the sums of its server, client and minute, so that any number of calls takes no more memory than one. */
  #addCall(call: RecordedCall): void {
    const { at, server, client, durationMs } = call;
    const key = `${Math.floor(at / MINUTE_MS)}\n${server}\n${client ?? ''}`;
    let sum = this.#calls.get(key);
    if (sum === undefined) {
      if (this.#calls.size >= MAX_CALL_SUMS) {
        this.#loss.calls += 1;
        return;
      }
      sum = { at, server, client, calls: 0, errors: 0, timed: 0, minMs: Infinity, sumMs: 0, maxMs: 0 };
      this.#calls.set(key, sum);
    }
    sum.calls += 1;
    if (isError(call)) sum.errors += 1;
    if (!isTimed(call)) return;
    sum.timed += 1;
    sum.minMs = Math.min(sum.minMs, durationMs);
    sum.sumMs += durationMs;
    sum.maxMs = Math.max(sum.maxMs, durationMs);
  }

  /** Returns the pending data as a batch and clears it. */
  take(at: number, ranMs: number): Batch {
    const { looks, ...lists } = this.#lists;
    const calls = [...this.#calls.values()];
    const batch = {
      at,
      ranMs,
      ...lists,
      calls,
      looks: looks.map(toMessage),
      hasLostEvents: this.#hasLostEvents,
    };
    this.#lists = emptyLists();
    this.#calls.clear();
    this.#hasLostEvents = false;
    return batch;
  }

  /** Returns the losses since the previous call of `takeLoss`; undefined if nothing was lost. */
  takeLoss(): Loss | undefined {
    const { looks, calls } = this.#loss;
    this.#loss = { looks: 0, calls: 0 };
    return looks + calls > 0 ? { looks, calls } : undefined;
  }
}

/** Packs the numbers into one buffer, which is transferred to the worker without a copy. */
function toMessage({ at, samples }: PendingLook): LookMessage {
  const width = historyMetrics.length;
  const values = new Float64Array(samples.length * width);
  for (const [row, { sample }] of samples.entries())
    for (const [column, metric] of historyMetrics.entries())
      values[row * width + column] = sample[metric] ?? NaN;
  return { at, servers: samples.map(({ server }) => server), values };
}
