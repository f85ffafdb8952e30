import type { ErrorReport } from '../../shared/error-codes.ts';
import type { ServerCommand } from '../../shared/server-states.ts';
import { createTaskTable, type TaskTable } from './task-table.ts';

/**
 * Last command given here for each server, by the server's name: only those that are pending or have failed.
 */
export interface ActionStore {
  readonly state: TaskTable<unknown, ServerCommand>['state'];
  /** Gives the command. Never rejects: a failure ends up in the state, a superseded command leaves no trace. */
  run(command: ServerCommand, server: string): Promise<void>;
  dismiss(server: string): void;
}

export type ActionCommands = Readonly<Record<ServerCommand, (server: string) => Promise<unknown>>>;

export function createActionStore(
  commands: ActionCommands,
  toReport: (reason: unknown) => ErrorReport,
  now: () => number,
): ActionStore {
  const table = createTaskTable<unknown, ServerCommand>({
    toReport,
    now,
    keeps: (status) => status.phase === 'failed' && status.error.code !== 'SUPERSEDED',
  });
  return {
    state: table.state,
    run: async (command, server) => {
      await table.run(server, () => commands[command](server), command);
    },
    dismiss: table.reset,
  };
}
