import type { CallHandlers } from '../../../shared/ipc-contract.ts';
import type { NotificationText } from './notification-words.ts';

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

/**
 * Returns the text shown when closing hides or minimises the app window and the user was not yet informed. @param servers
 * number of servers that are not stopped
 */
export function putAwayWords(how: 'hidden' | 'minimised', servers: number): NotificationText {
  const goOn = servers === 0 ? 'It goes on' : `${servers} ${servers === 1 ? 'server goes' : 'servers go'} on`;
  return {
    title: 'MCP Control Panel is still running here',
    body:
      how === 'hidden'
        ? `${goOn}. The icon in the tray brings the window back, and its menu quits.`
        : `${goOn}. This desktop shows no tray icons, so the window was minimised; Ctrl+Q quits.`,
  };
}
