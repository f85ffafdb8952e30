import type { Push, Snapshot } from '../../shared/domain.ts';

/**
 * Most pushes that wait while a snapshot is fetched. Beyond that the oldest go, and the gap asks for another
 * snapshot.
 */
const MAX_WAITING_PUSHES = 256;
const RETRY_AFTER_MS = 1000;

export interface SubscriberOptions {
  readonly getSnapshot: () => Promise<Snapshot>;
  readonly onPush: (listener: (push: Push) => void) => () => void;
  readonly applySnapshot: (snapshot: Snapshot) => void;
  readonly applyPush: (push: Push) => void;
  /** Reports that no snapshot could be had; another attempt follows by itself. */
  readonly reportFailure: (reason: unknown) => void;
  /** Runs `task` later; returns the undo. */
  readonly schedule: (task: () => void, delayMs: number) => () => void;
}

/**
 * The one place where pushes enter the renderer. Asks for a snapshot, then applies pushes in sequence:
 *
 *   fetching ── snapshot, waiting pushes fit ──→ following
 *      ↑   └─ failed ─→ (retry after a second)      │
 *      └──────────── a push is missing ─────────────┘
 *
 * Every state handed on is one that the main process really had: never a push over a hole, never one twice.
 * @returns the undo, idempotent; nothing is applied after it.
 */
export function subscribeToPanel(options: SubscriberOptions): () => void {
  let isDisposed = false;
  let isFetching = false;
  /** Sequence of the last push that the state holds. */
  let applied: number | undefined;
  let waiting: readonly Push[] = [];
  let cancelRetry: (() => void) | undefined;

  function fetchSnapshot(): void {
    if (isFetching || isDisposed) return;
    isFetching = true;
    options.getSnapshot().then(receiveSnapshot, retryLater);
  }

  function retryLater(reason: unknown): void {
    if (isDisposed) return;
    options.reportFailure(reason);
    cancelRetry = options.schedule(() => {
      isFetching = false;
      fetchSnapshot();
    }, RETRY_AFTER_MS);
  }

  function receiveSnapshot(snapshot: Snapshot): void {
    if (isDisposed) return;
    isFetching = false;
    applied = snapshot.sequence;
    options.applySnapshot(snapshot);
    const arrived = waiting;
    waiting = [];
    for (const push of arrived) receivePush(push);
  }

  function receivePush(push: Push): void {
    if (isDisposed) return;
    if (isFetching || applied === undefined) waiting = withPush(waiting, push);
    else if (push.sequence === applied + 1) {
      applied = push.sequence;
      options.applyPush(push);
    } else if (push.sequence > applied) {
      waiting = withPush(waiting, push);
      fetchSnapshot();
    }
    // An older push is skipped because the snapshot already holds it.
  }

  // Listening starts first because a push between the two would otherwise be lost without a visible gap.
  const stopListening = options.onPush(receivePush);
  fetchSnapshot();

  return () => {
    if (isDisposed) return;
    isDisposed = true;
    cancelRetry?.();
    stopListening();
  };
}

const withPush = (waiting: readonly Push[], push: Push): readonly Push[] =>
  [...waiting, push].slice(-MAX_WAITING_PUSHES);
