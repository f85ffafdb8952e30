import type { ServerCommand } from '../../shared/server-states.ts';
import { TaskTable } from './task-table.ts';

export type ActionStore = ReturnType<typeof createActionStore>;

/** Last command given in this app window for each server, by the server's name. Only pending and failed commands are kept. */
export function createActionStore(
  commands: Readonly<Record<ServerCommand, (server: string) => Promise<unknown>>>,
) {
  const table = new TaskTable<unknown, ServerCommand>(
    'replace',
    (status) => status.phase === 'failed' && status.error.code !== 'SUPERSEDED',
  );
  return {
    state: table.state,
    /** Runs the command. Never rejects: a failure is in the state, and a superseded command is removed from it. */
    run: async (command: ServerCommand, server: string): Promise<void> => {
      await table.run(server, () => commands[command](server), command);
    },
    dismiss: (server: string) => table.reset(server),
  };
}
