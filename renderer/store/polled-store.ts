import { createStore } from 'zustand/vanilla';
import type { ErrorReport } from '../../shared/error-codes.ts';
import { toReport } from '../control-panel.ts';
import { isSameJson } from '../entry/raw-entry.ts';
import type { ClockStore } from './clock-store.ts';

/** What was read last, which stays while requests fail. Its object changes only with its content. */
export type PolledState<Value> = Value & { readonly error: ErrorReport | undefined };

/**
 * Something that is read again and again while a view shows it.
 * @param initial value until the first answer
 * @param everyMs milliseconds from one request to the next; the clock ticks each second
 */
export function createPolledStore<Value extends object>(
  initial: Value,
  read: () => Promise<Partial<Value>>,
  clock: ClockStore,
  everyMs = 0,
) {
  const state = createStore<PolledState<Value>>(() => ({ ...initial, error: undefined }));
  /** Request that is pending, and the one that follows it. */
  let asking: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  let askedAt = 0;
  let followers = 0;
  let stopTicking: (() => void) | undefined;

  async function ask(): Promise<void> {
    askedAt = clock.getState().now;
    const news = await read().then(
      (value) => ({ ...value, error: undefined }),
      (reason: unknown) => ({ error: toReport(reason) }),
    );
    const before = state.getState();
    const after = { ...before, ...news };
    if (!isSameJson(before, after)) state.setState(after);
    asking = undefined;
  }
  // One request after the other, because an answer that was asked for before a change may be older than it.
  function refresh(): Promise<void> {
    if (asking === undefined) return (asking = ask());
    return (next ??= asking.then(() => {
      next = undefined;
      return (asking = ask());
    }));
  }

  return {
    state,
    /** Reads it now because a click changed it, with or without followers. Never rejects. */
    refresh,
    /** Reads it now, and at a pace until all followers have unsubscribed. Returns the unsubscribe function. */
    follow(): () => void {
      followers += 1;
      stopTicking ??= clock.subscribe(({ now }) => {
        if (asking === undefined && now - askedAt >= everyMs) void refresh();
      });
      void refresh();
      let isFollowing = true;
      return () => {
        if (!isFollowing) return;
        isFollowing = false;
        followers -= 1;
        if (followers > 0) return;
        stopTicking?.();
        stopTicking = undefined;
      };
    },
  };
}
