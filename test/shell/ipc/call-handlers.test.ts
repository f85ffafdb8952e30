import { describe, expect, it } from 'vitest';
import { createDeferred } from '../../../electron/core/deferred.ts';
import {
  callHandlers,
  type ShellAnswerers,
  createPageCalls,
  noteCommands,
} from '../../../electron/shell/ipc/call-handlers.ts';
import type { ControlPanel } from '../../../electron/core/panel/control-panel.ts';
import { nothing, type Call } from '../../../shared/ipc/call.ts';
import { topics, type CallName } from '../../../shared/ipc/topics.ts';
import type { CallHandlers, ServerCall } from '../../../shared/ipc-contract.ts';

const everyCall = Object.entries(topics).flatMap(([topic, calls]) =>
  Object.entries<Call>(calls).map(([name, call]) => ({ topic, name: name as CallName, call })),
);

/**
 * Object whose every method answers with who was asked for what. No promise, because `then` is not among
 * them.
 */
const answerer = (topic: string): Record<string, unknown> =>
  new Proxy(
    {},
    {
      get: (_target, method) =>
        method === 'then' ? undefined : (...args: unknown[]) => [topic, method, ...args],
    },
  );

/** Panel of such topics; its own methods are those of the topic `panel`. */
function createPanel(): ControlPanel {
  const names = Object.keys(topics).filter((topic) => !['panel', 'updates', 'app'].includes(topic));
  const own = Object.values<Call>(topics.panel).map(({ method }) => [method, answerer('panel')[method]]);
  return Object.fromEntries([...own, ...names.map((name) => [name, answerer(name)])]) as ControlPanel;
}

type Handler = (...args: unknown[]) => Promise<unknown>;

describe('the handlers of the calls', () => {
  const shell = { updates: answerer('updates'), app: answerer('app') } as unknown as ShellAnswerers;

  it('are one for each call of the contract, and each asks the method that the contract names', async () => {
    expect(everyCall.length).toBeGreaterThan(20);
    const handlers = callHandlers(Promise.resolve(createPanel()), shell);
    expect(Object.keys(handlers).sort()).toEqual(everyCall.map(({ name }) => name).sort());
    for (const { topic, name, call } of everyCall) {
      const answer = await (handlers[name] as Handler)('one', 2);
      // Calls that only do something give nothing, whatever their method returns.
      expect(answer, name).toEqual(call.result === nothing ? undefined : [topic, call.method, 'one', 2]);
    }
  });

  it('carry out with the object of the topic as `this`, since topics keep state of their own', async () => {
    class Counter {
      #count = 0;
      history() {
        return [(this.#count += 1)];
      }
    }
    const panel = { ...createPanel(), output: new Counter() } as unknown as ControlPanel;
    const { getHistory } = callHandlers(Promise.resolve(panel), shell);
    expect(await getHistory('one', 0)).toEqual([1]);
  });

  it('wait for a panel that is not there yet, but not with what is known of updates', async () => {
    const panel = createDeferred<ControlPanel>();
    const { startServer, getOffer, getUpdateState } = callHandlers(panel.promise, shell);
    const settled: string[] = [];
    void startServer('one').then(() => settled.push('startServer'));
    const offer = getOffer('one').finally(() => settled.push('getOffer'));
    expect(await getUpdateState()).toEqual(['updates', 'state']);
    expect(settled).toEqual([]);
    panel.resolve(createPanel());
    expect(await offer).toEqual(['sessions', 'offer', 'one']);
    expect(settled).toEqual(['startServer', 'getOffer']);
  });

  it('reject as the panel does that could not be opened', async () => {
    const { stopServer } = callHandlers(Promise.reject(new Error('no home')), shell);
    await expect(stopServer('one')).rejects.toThrow('no home');
  });
});

const aCall = (callId: string): ServerCall => ({ callId, name: 'one', method: 'tools/call', params: {} });
const outcome = { result: {}, durationMs: 1 };

/** Calls that end when they are told to, by id; a cancelled one rejects. */
function setUp() {
  const cancelled: string[] = [];
  const ends = new Map<string, { resolve: () => void; reject: () => void }>();
  const handlers = {
    callServer: ({ callId }: ServerCall) => {
      if (ends.has(callId)) return Promise.reject(new Error('in use'));
      return new Promise<typeof outcome>((resolve, reject) =>
        ends.set(callId, {
          resolve: () => resolve(outcome),
          reject: () => reject(new Error('cancelled')),
        }),
      );
    },
    cancelCall: (callId: string) => {
      cancelled.push(callId);
      ends.get(callId)?.reject();
      return Promise.resolve(undefined);
    },
  } as unknown as CallHandlers;
  return { calls: createPageCalls(handlers), cancelled, ends };
}

describe('calls of a page', () => {
  it('are cancelled when the page is gone, and only those still under way', async () => {
    const { calls, cancelled, ends } = setUp();
    const done = calls.handlers.callServer(aCall('done'));
    ends.get('done')!.resolve();
    expect(await done).toEqual(outcome);
    const [one, two] = ['one', 'two'].map((id) => calls.handlers.callServer(aCall(id)));
    calls.cancelAll();
    await expect(one).rejects.toThrow('cancelled');
    await expect(two).rejects.toThrow('cancelled');
    expect(cancelled).toEqual(['one', 'two']);
    calls.cancelAll();
    expect(cancelled).toEqual(['one', 'two']);
  });

  it('are still known after another under the same id was refused', async () => {
    const { calls, cancelled } = setUp();
    const first = calls.handlers.callServer(aCall('same'));
    await expect(calls.handlers.callServer(aCall('same'))).rejects.toThrow('in use');
    calls.cancelAll();
    await expect(first).rejects.toThrow('cancelled');
    expect(cancelled).toEqual(['same']);
  });
});

describe('noteCommands', () => {
  it('tells of the commands to a server before they are carried out, and of nothing else', async () => {
    const told: string[] = [];
    const handler = (name: string) => (argument: unknown) => {
      told.push(`${name} ${JSON.stringify(argument)}`);
      return Promise.resolve(undefined);
    };
    const names = [
      'startServer',
      'stopServer',
      'restartServer',
      'removeServer',
      'putServer',
      'setEnabled',
      'getSnapshot',
    ];
    const handlers = Object.fromEntries(
      names.map((name) => [name, handler(name)]),
    ) as unknown as CallHandlers;
    const noted = noteCommands(handlers, (server) => told.push(`by hand: ${server}`));
    await noted.startServer('a');
    await noted.stopServer('b');
    await noted.restartServer('c');
    await noted.removeServer('d');
    await noted.putServer({ name: 'e', command: 'x' });
    await noted.setEnabled('f', false);
    await noted.getSnapshot();
    expect(told.filter((line) => line.startsWith('by hand'))).toEqual(
      ['a', 'b', 'c', 'd', 'e', 'f'].map((server) => `by hand: ${server}`),
    );
    expect(told.slice(0, 2)).toEqual(['by hand: a', 'startServer "a"']);
    expect(told.at(-1)).toMatch(/^getSnapshot/);
  });
});
