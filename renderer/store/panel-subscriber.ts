import type { Push, Snapshot } from '../../shared/domain.ts';

/**
 * Maximum number of pushes that wait while a snapshot is requested. If there are more, the oldest pushes are dropped. The
 * resulting gap triggers a request for another snapshot.
 */
const MAX_WAITING_PUSHES = 256;
const RETRY_AFTER_MS = 1000;

interface SubscriberOptions {
  readonly getSnapshot: () => Promise<Snapshot>;
  readonly onPush: (listener: (push: Push) => void) => () => void;
  readonly applySnapshot: (snapshot: Snapshot) => void;
  readonly applyPush: (push: Push) => void;
  /** Reports that the request for a snapshot failed. The request is repeated automatically. */
  readonly reportFailure: (reason: unknown) => void;
  /** Runs `task` after `delayMs` milliseconds; returns the function that cancels it. */
  readonly schedule: (task: () => void, delayMs: number) => () => void;
}

/**
 * Receives all pushes in the renderer. Requests a snapshot, then applies pushes in sequence:
 *
 *   fetching ── snapshot, waiting pushes fit ──→ following
 *      ↑   └─ failed ─→ (retry after a second)      │
 *      └──────────── a push is missing ─────────────┘
 *
 * Every resulting state is one that the main process really had: no push is applied after a gap, and none twice.
 * @returns the unsubscribe function, idempotent; nothing is applied after its call
 */
export function subscribeToPanel(options: SubscriberOptions): () => void {
  let isDisposed = false;
  let isFetching = false;
  /** Sequence number of the last push that the state contains; undefined until the first snapshot arrives. */
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
    // An older push is skipped, because the snapshot already contains its changes.
  }

  // Listening starts before the snapshot is requested. Otherwise, a push between the two calls would be lost without a
  // detectable gap.
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
