import { createStore, type StoreApi } from 'zustand/vanilla';
import type { StateKind } from '../../shared/domain.ts';
import type { ErrorReport } from '../../shared/error-codes.ts';

export type ActionKind = 'start' | 'stop' | 'restart';
export const actionKinds: readonly ActionKind[] = ['start', 'stop', 'restart'];

/** What became of the last command that was given here for a server. */
export type ActionStatus =
  | { readonly kind: ActionKind; readonly phase: 'pending'; readonly since: number }
  | {
      readonly kind: ActionKind;
      readonly phase: 'failed';
      readonly since: number;
      readonly error: ErrorReport;
    };

export interface ActionState {
  /** Only servers with a pending or failed command. */
  readonly byServer: Readonly<Record<string, ActionStatus>>;
}

export interface ActionStore {
  readonly state: StoreApi<ActionState>;
  /** Gives the command. Never rejects: a failure ends up in the state, a superseded command leaves no trace. */
  run(kind: ActionKind, server: string): Promise<void>;
  dismiss(server: string): void;
}

export type ActionCommands = Readonly<Record<ActionKind, (server: string) => Promise<unknown>>>;

const kindsThatAllow: Readonly<Record<ActionKind, ReadonlySet<StateKind>>> = {
  start: new Set(['stopped', 'failed', 'backoff']),
  stop: new Set(['starting', 'running', 'suspect', 'stalled', 'backoff']),
  restart: new Set(['running', 'suspect', 'stalled', 'backoff', 'failed', 'stopped']),
};

/** Whether a command means anything in a state. */
export const canRun = (kind: ActionKind, state: StateKind): boolean => kindsThatAllow[kind].has(state);

export function createActionStore(
  commands: ActionCommands,
  toReport: (reason: unknown) => ErrorReport,
  now: () => number,
): ActionStore {
  const state = createStore<ActionState>(() => ({ byServer: {} }));

  function put(server: string, status: ActionStatus | undefined): void {
    const others = Object.entries(state.getState().byServer).filter(([name]) => name !== server);
    const changed = status === undefined ? others : [...others, [server, status] as const];
    state.setState({ byServer: Object.fromEntries(changed) });
  }

  async function run(kind: ActionKind, server: string): Promise<void> {
    const pending: ActionStatus = { kind, phase: 'pending', since: now() };
    put(server, pending);
    const error = await commands[kind](server).then(() => undefined, toReport);
    // A later command, or a dismissal, has taken the place: the outcome of this one is no longer asked for.
    if (state.getState().byServer[server] !== pending) return;
    const isNews = error !== undefined && error.code !== 'SUPERSEDED';
    put(server, isNews ? { kind, phase: 'failed', since: now(), error } : undefined);
  }

  return { state, run, dismiss: (server) => put(server, undefined) };
}
