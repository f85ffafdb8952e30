import type { CallHandlers } from '../../../shared/ipc-contract.ts';
import { nothing, type Call } from '../../../shared/ipc/call.ts';
import { topics, type Answerers, type TopicName } from '../../../shared/ipc/topics.ts';
import type { ControlPanel } from '../../core/panel/control-panel.ts';

type With<Method extends string> = { readonly [M in Method]: (...args: readonly unknown[]) => unknown };

/** Answerers of those topics of the IPC contract that need no panel. Their calls work even before the panel is ready. */
export type ShellAnswerers = Pick<Answerers, 'updates' | 'app'>;

/** Creates a handler for each call of the contract, which uses the method named there. Calls wait until the panel is ready. */
export function callHandlers(panel: Promise<ControlPanel>, shell: ShellAnswerers): CallHandlers {
  const answererOf = async (topic: TopicName): Promise<Answerers[TopicName]> => {
    if (isOneOf(shell, topic)) return shell[topic];
    const ready = await panel;
    const answerers: Omit<Answerers, keyof ShellAnswerers> = { ...ready, panel: ready };
    return answerers[topic];
  };
  const handle =
    <Method extends string>(topic: TopicName, { method, result }: Call<Method>) =>
    async (...args: readonly unknown[]): Promise<unknown> => {
      // `Answerers` ties names to methods, which the compiler cannot infer from a union of topics.
      const answerer = (await answererOf(topic)) as unknown as With<Method>;
      // eslint-disable-next-line local/no-foreign-index -- a method of our contract, not a name from outside
      const answer = await answerer[method](...args);
      return result === nothing ? undefined : answer;
    };
  const handlers = Object.entries(topics).flatMap(([topic, calls]) =>
    Object.entries<Call>(calls).map(([name, call]) => [name, handle(topic as TopicName, call)]),
  );
  return Object.fromEntries(handlers) as CallHandlers;
}

const isOneOf = <Topics extends object>(answerers: Topics, topic: PropertyKey): topic is keyof Topics =>
  Object.hasOwn(answerers, topic);

export interface PageCalls {
  /** The given handlers; `callServer` is wrapped so that it records the calls in flight. */
  readonly handlers: CallHandlers;
  /** Cancels all calls when their page has ended. Each then releases its lease, the right to use a session of its server. */
  readonly cancelAll: () => void;
  /** Returns the number of calls that the page waits for. */
  readonly count: () => number;
}

/** Ties calls to servers to the lifetime of the page that makes them. */
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
          // A second call with an id that is already in use is refused. The refused call must not remove the id, because the
          // first call continues.
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

/** Wraps the handlers so that `onCommand` is called for each command that the user gives a server in the window. */
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
