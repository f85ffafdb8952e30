import type { CallHandlers } from '../../../shared/ipc-contract.ts';

export interface PageCalls {
  /** The same handlers, which also remember what the page is waiting for. */
  readonly handlers: CallHandlers;
  /** The page that made them is gone, and nobody takes their results: each is cancelled, which gives its lease back. */
  readonly cancelAll: () => void;
  /** Calls that the page waits for. */
  readonly count: () => number;
}

/** Ties the calls to servers to the page that makes them. */
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
          // A second one under the same id is refused, and the first goes on.
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
