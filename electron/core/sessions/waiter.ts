import { PanelError } from '../../../shared/error-codes.ts';
import type { ServerConfig } from '../../../shared/server-config.ts';
import { LONGEST_TIMER_MS, type Clock } from '../clock.ts';
import { Deadline } from '../deadline.ts';
import { createDeferred } from '../deferred.ts';
import { beginWait, excuse, waitEndsAt } from '../wait-times.ts';
import type { LeaseHolder } from './lease-holder.ts';
import type { Lease } from './lease.ts';
import type { Slot, SlotName } from './session-policy.ts';

/**
 * Permission to start a server that does not run. `wake`: only if it is asleep. `unless-stopped`: also if it never ran, but not
 * if it was stopped.
 */
export type MayStart = boolean | 'wake' | 'unless-stopped';

interface WaiterOptions {
  readonly contextId: string;
  readonly slot: Slot;
  readonly mayStart: MayStart;
  readonly holder?: LeaseHolder | undefined;
  readonly config: ServerConfig;
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds from now until the waiter stops waiting; no limit if undefined. */
  readonly deadlineMs?: number | undefined;
}

export type LeaveCause = 'cancelled' | 'deadline';

/** One call of `acquire` that waits until its lease or its error is known. */
export class Waiter {
  readonly contextId: string;
  readonly slot: Slot;
  readonly mayStart: MayStart;
  readonly holder: LeaseHolder | undefined;
  readonly config: ServerConfig;
  readonly #outcome = createDeferred<Lease>();
  readonly #options: WaiterOptions;
  #deadline: Deadline | undefined;
  #leaveCause: LeaveCause | undefined;
  #leave: ((cause: LeaveCause) => void) | undefined;

  constructor(options: WaiterOptions) {
    const { clock, signal, deadlineMs } = options;
    this.#options = options;
    this.contextId = options.contextId;
    this.slot = options.slot;
    this.mayStart = options.mayStart;
    this.holder = options.holder;
    this.config = options.config;
    if (signal?.aborted) this.#leaveCause = 'cancelled';
    signal?.addEventListener('abort', this.#onAbort, { once: true });
    // A deadline beyond the range of timers is treated as no deadline.
    if (deadlineMs !== undefined && deadlineMs <= LONGEST_TIMER_MS) {
      this.#deadline = this.#leaveAfter(deadlineMs, clock);
    }
  }

  get lease(): Promise<Lease> {
    return this.#outcome.promise;
  }

  /** Reason why the caller no longer wants a lease; undefined while it wants one. */
  get leaveCause(): LeaveCause | undefined {
    return this.#leaveCause;
  }

  /**
   * Sets the callback for when the waiter stops waiting, at its deadline or because its caller aborted. The callback is never
   * called once the outcome is known.
   */
  onLeave(leave: (cause: LeaveCause) => void): void {
    this.#leave = leave;
  }

  grant(lease: Lease): void {
    this.#dispose();
    this.#outcome.resolve(lease);
  }

  reject(error: unknown): void {
    this.#dispose();
    this.#outcome.reject(error);
  }

  /** Rejects the waiter with the error for `cause`. @param isConnecting whether a connect for the waiter was in progress */
  rejectForLeaving(cause: LeaveCause, isConnecting: boolean): void {
    this.reject(cause === 'cancelled' ? this.#cancelled() : this.#late(isConnecting));
  }

  /**
   * Returns a deadline after which the waiter stops waiting. It passes after `windowMs`, or after at most twice that if the
   * panel's own event loop was blocked, because the panel could not notice progress meanwhile.
   */
  #leaveAfter(windowMs: number, clock: Clock): Deadline {
    const wait = beginWait(clock.now());
    return new Deadline({
      clock,
      dueAtMs: () => waitEndsAt(wait, { windowMs, capMs: 2 * windowMs }),
      limitMs: () => windowMs,
      onAbsent: (absence) => excuse(wait, absence, clock.now()),
      onPassed: () => this.#wantsToLeave('deadline'),
    });
  }

  readonly #onAbort = () => this.#wantsToLeave('cancelled');

  #wantsToLeave(cause: LeaveCause): void {
    this.#leaveCause ??= cause;
    this.#leave?.(cause);
  }

  #cancelled(): PanelError {
    const cause: unknown = this.#options.signal?.reason;
    return new PanelError('CANCELLED', `The caller gave up waiting for "${this.config.name}".`, { cause });
  }

  #late(isConnecting: boolean): PanelError {
    const { name: server } = this.config;
    const data = { server, deadlineMs: this.#options.deadlineMs };
    return isConnecting
      ? new PanelError('START_TIMEOUT', `"${server}" was not ready at the caller's deadline.`, { data })
      : new PanelError('POOL_EXHAUSTED', `No session of "${server}" became free in time.`, { data });
  }

  #dispose(): void {
    this.#deadline?.dispose();
    this.#options.signal?.removeEventListener('abort', this.#onAbort);
  }
}

/** Permissions to start a server, from the narrowest to the widest. */
const PERMISSIONS: readonly MayStart[] = [false, 'wake', 'unless-stopped', true];

/** Waiters by slot. Slots are in the order of their first waiter. */
export class WaiterQueue {
  readonly #bySlot = new Map<SlotName, Set<Waiter>>();

  get isEmpty(): boolean {
    return this.#bySlot.size === 0;
  }

  add(waiter: Waiter): void {
    const { name } = waiter.slot;
    const group = this.#bySlot.get(name);
    if (group) group.add(waiter);
    else this.#bySlot.set(name, new Set([waiter]));
  }

  /** Removes the waiter. Returns false when it is not in the queue. */
  remove(waiter: Waiter): boolean {
    const { name } = waiter.slot;
    const group = this.#bySlot.get(name);
    if (!group?.delete(waiter)) return false;
    if (group.size === 0) this.#bySlot.delete(name);
    return true;
  }

  /** True if a waiter for a long-lived lease is in the queue. */
  get hasHolder(): boolean {
    return [...this.#bySlot.values()].some((group) => [...group].some(({ holder }) => holder !== undefined));
  }

  has(slot: SlotName): boolean {
    return this.#bySlot.has(slot);
  }

  /** Returns the waiter that has waited for the slot the longest. */
  first(slot: SlotName): Waiter | undefined {
    return this.#bySlot.get(slot)?.values().next().value;
  }

  /**
   * Returns the widest permission to start the server among the waiters for the slot. One waiter with the permission is enough,
   * because all of them share one attempt to connect.
   */
  mayStart(slot: SlotName): MayStart {
    const granted = [...(this.#bySlot.get(slot) ?? [])].map(({ mayStart }) => mayStart);
    return PERMISSIONS.findLast((permission) => granted.includes(permission)) ?? false;
  }

  slots(): readonly SlotName[] {
    return [...this.#bySlot.keys()];
  }

  /** Removes and returns all waiters for the slot, in order of arrival. */
  take(slot: SlotName): readonly Waiter[] {
    const group = this.#bySlot.get(slot) ?? [];
    this.#bySlot.delete(slot);
    return [...group];
  }

  takeAll(): readonly Waiter[] {
    return this.slots().flatMap((slot) => this.take(slot));
  }
}
