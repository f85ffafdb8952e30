import type { CallHandlers } from '../../../shared/ipc-contract.ts';

/** Wraps the handlers so that `onCommand` is called with each command that the user gives a server in the window. */
export function noteCommands(handlers: CallHandlers, onCommand: (server: string) => void): CallHandlers {
  const noted =
    <Result>(handler: (server: string) => Result) =>
    (server: string): Result => {
      onCommand(server);
      return handler(server);
    };
  return {
    ...handlers,
    startServer: noted(handlers.startServer),
    stopServer: noted(handlers.stopServer),
    restartServer: noted(handlers.restartServer),
    removeServer: noted(handlers.removeServer),
    setEnabled: (server, isEnabled) => {
      onCommand(server);
      return handlers.setEnabled(server, isEnabled);
    },
    putServer: (entry, ...basis) => {
      onCommand(entry.name);
      return handlers.putServer(entry, ...basis);
    },
  };
}
