import type { ErrorReport } from '../../shared/error-codes.ts';
import type { ServerCommand } from '../../shared/server-states.ts';
import { createTaskTable, type TaskTable } from './task-table.ts';

/** Last command given in this app window for each server, by the server's name. Only pending and failed commands are kept. */
export interface ActionStore {
  readonly state: TaskTable<unknown, ServerCommand>['state'];
  /** Runs the command. Never rejects: a failure is in the state, and a superseded command is removed from it. */
  run(command: ServerCommand, server: string): Promise<void>;
  dismiss(server: string): void;
}

type ActionCommands = Readonly<Record<ServerCommand, (server: string) => Promise<unknown>>>;

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
