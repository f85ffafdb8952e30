import type { CallHandlers } from '../../../shared/ipc-contract.ts';

export interface PageCalls {
  /** The given handlers, wrapped so that they record the calls in flight. */
  readonly handlers: CallHandlers;
  /** Cancels every call, because the page that made the calls is gone; each call releases its lease. */
  readonly cancelAll: () => void;
  /** Returns the number of calls that the page waits for. */
  readonly count: () => number;
}

/** Binds calls to servers to the life of the page that makes them. */
export function createPageCalls(handlers: CallHandlers): PageCalls {
  const underWay = new Set<string>();
  return {
    handlers: {
      ...handlers,
      callServer: async (call) => {
        const isFirst = !underWay.has(call.callId);
        underWay.add(call.callId);
        try {
          return await handlers.callServer(call);
        } finally {
          // A second call with the same id is refused, and the first continues.
          if (isFirst) underWay.delete(call.callId);
        }
      },
    },
    count: () => underWay.size,
    cancelAll: () => {
      for (const callId of underWay) void handlers.cancelCall(callId);
    },
  };
}

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
