import { createStore, type StoreApi } from 'zustand/vanilla';
import type { ErrorReport } from '../../shared/error-codes.ts';
import type { ServerCommand } from '../../shared/server-states.ts';

/** What became of the last command that was given here for a server. */
export type ActionStatus =
  | { readonly kind: ServerCommand; readonly phase: 'pending'; readonly since: number }
  | {
      readonly kind: ServerCommand;
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
  run(kind: ServerCommand, server: string): Promise<void>;
  dismiss(server: string): void;
}

export type ActionCommands = Readonly<Record<ServerCommand, (server: string) => Promise<unknown>>>;

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

  async function run(kind: ServerCommand, server: string): Promise<void> {
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
