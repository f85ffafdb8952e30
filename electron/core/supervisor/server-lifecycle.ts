/**
 * State machine of one supervised server.
 *
 *   stopped → starting → running ⇄ suspect → stalled
 *               │           │ crash   │         │ tree gone
 *               └─────────→ backoff ←─┴─────────┘      backoff → starting, or failed when the budget is used
 *   any of them → stopping → stopped, starting (restart), backoff or failed (limit)
 *   running and unused → stopping → asleep → starting
 *
 * Pure. The supervisor acts on each change of state and feeds the outcome back as events.
 * Events of a run carry its generation; those of an older run change nothing.
 */
export type LifecycleState =
  | { readonly kind: 'stopped'; readonly generation: number }
  | { readonly kind: 'starting'; readonly generation: number; readonly trigger: StartTrigger }
  | { readonly kind: 'running' | 'suspect'; readonly generation: number }
  /** `isEnding`: the process tree is being killed. If false, the process tree keeps running and the user decides. */
  | { readonly kind: 'stalled'; readonly generation: number; readonly isEnding: boolean }
  | {
      readonly kind: 'stopping';
      readonly generation: number;
      readonly next: 'stopped' | 'starting' | 'verdict' | 'asleep';
    }
  /** No process is left; the next use starts one. */
  | { readonly kind: 'asleep'; readonly generation: number }
  | { readonly kind: 'backoff'; readonly generation: number; readonly delayMs: number }
  | { readonly kind: 'failed'; readonly generation: number; readonly slowRetryMs?: number };

export type StartTrigger = 'command' | 'retry' | 'slow-retry';

export type AfterFailure =
  | { readonly kind: 'retry'; readonly delayMs: number }
  | { readonly kind: 'give-up'; readonly slowRetryMs?: number };

export type LifecycleEvent =
  | { readonly kind: 'start' | 'stop' | 'restart' }
  /** `isInUse`: calls are in flight, or are about to be sent. */
  | { readonly kind: 'sleep'; readonly isInUse: boolean }
  | { readonly kind: 'retryDue'; readonly generation: number }
  | { readonly kind: 'ready' | 'suspected' | 'recovered'; readonly generation: number }
  /** The run ended without being stopped, or never came up. */
  | { readonly kind: 'failed'; readonly generation: number; readonly after: AfterFailure }
  | { readonly kind: 'stallConfirmed'; readonly generation: number; readonly isEnding: boolean }
  /** A hard limit was breached, so the process tree must end. */
  | { readonly kind: 'limitBreached'; readonly generation: number; readonly next: 'stopped' | 'verdict' }
  /** No process of the run is left. `after` is defined if a failure ended it, and says whether the server is started again. */
  | { readonly kind: 'gone'; readonly generation: number; readonly after?: AfterFailure };

export const initialState: LifecycleState = { kind: 'stopped', generation: 0 };

/** Returns the state after `event`, or the same object if `event` has no effect in `state`. */
export function nextState(state: LifecycleState, event: LifecycleEvent): LifecycleState {
  if ('generation' in event && event.generation !== state.generation) return state;
  switch (event.kind) {
    case 'start':
      return onStart(state);
    case 'restart':
      return onRestart(state);
    case 'stop':
      return onStop(state);
    case 'sleep':
      return state.kind === 'running' && !event.isInUse ? stopping(state, 'asleep') : state;
    case 'retryDue':
      if (state.kind === 'backoff') return starting(state, 'retry');
      return state.kind === 'failed' ? starting(state, 'slow-retry') : state;
    case 'ready':
      return state.kind === 'starting' ? { kind: 'running', generation: state.generation } : state;
    case 'suspected':
      // A server that is already suspect may become suspect for a different reason; the state must be returned anew so that the
      // new reason is shown.
      if (state.kind !== 'running' && state.kind !== 'suspect') return state;
      return { kind: 'suspect', generation: state.generation };
    case 'recovered':
      return isDoubted(state) ? { kind: 'running', generation: state.generation } : state;
    case 'stallConfirmed':
      if (!isUp(state) || (state.kind === 'stalled' && !event.isEnding)) return state;
      return { kind: 'stalled', generation: state.generation, isEnding: event.isEnding };
    case 'limitBreached':
      return isUp(state) ? { kind: 'stopping', generation: state.generation, next: event.next } : state;
    case 'failed':
      return isUp(state) || state.kind === 'starting' ? afterFailure(state, event.after) : state;
    case 'gone':
      return onGone(state, event.after);
  }
}

/** Whether a run is up: its handshake succeeded and its end has not begun. */
export function isUp(state: LifecycleState): boolean {
  return (
    state.kind === 'running' || state.kind === 'suspect' || (state.kind === 'stalled' && !state.isEnding)
  );
}

/** True if the server was or is being stopped permanently. False for a server that was never started. */
export function wasStopped(state: LifecycleState): boolean {
  if (state.kind === 'stopping') return state.next === 'stopped';
  return state.kind === 'stopped' && state.generation > 0;
}

/** True if the server sleeps or is falling asleep, and nothing has woken it. */
export function sleeps(state: LifecycleState): boolean {
  return state.kind === 'asleep' || (state.kind === 'stopping' && state.next === 'asleep');
}

function isDoubted(state: LifecycleState): boolean {
  return state.kind === 'suspect' || (state.kind === 'stalled' && !state.isEnding);
}

function onStart(state: LifecycleState): LifecycleState {
  switch (state.kind) {
    case 'stopped':
    case 'backoff':
    case 'failed':
    case 'asleep':
      return starting(state, 'command');
    case 'stopping':
    case 'stalled':
      return stopping(state, 'starting');
    case 'starting':
    case 'running':
    case 'suspect':
      return state;
  }
}

function onRestart(state: LifecycleState): LifecycleState {
  const hasRun = isUp(state) || state.kind === 'starting';
  return hasRun ? stopping(state, 'starting') : onStart(state);
}

function onStop(state: LifecycleState): LifecycleState {
  // A server in `backoff` or `failed` also passes through `stopping`: its last process tree may still be ending, and in
  // `stopped` it must be gone.
  return state.kind === 'stopped' ? state : stopping(state, 'stopped');
}

function onGone(state: LifecycleState, after: AfterFailure | undefined): LifecycleState {
  if (state.kind === 'stalled' && state.isEnding && after) return afterFailure(state, after);
  if (state.kind !== 'stopping') return state;
  if (state.next === 'starting') return starting(state, 'command');
  if (state.next === 'verdict' && after) return afterFailure(state, after);
  return { kind: state.next === 'asleep' ? 'asleep' : 'stopped', generation: state.generation };
}

function starting({ generation }: LifecycleState, trigger: StartTrigger): LifecycleState {
  return { kind: 'starting', generation: generation + 1, trigger };
}

function stopping(state: LifecycleState, next: 'stopped' | 'starting' | 'asleep'): LifecycleState {
  if (state.kind === 'stopping' && state.next === next) return state;
  return { kind: 'stopping', generation: state.generation, next };
}

function afterFailure({ generation }: LifecycleState, after: AfterFailure): LifecycleState {
  if (after.kind === 'retry') return { kind: 'backoff', generation, delayMs: after.delayMs };
  return after.slowRetryMs === undefined
    ? { kind: 'failed', generation }
    : { kind: 'failed', generation, slowRetryMs: after.slowRetryMs };
}
