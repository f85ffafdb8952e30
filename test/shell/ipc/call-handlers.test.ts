import { describe, expect, it } from 'vitest';
import { createDeferred } from '../../../electron/core/deferred.ts';
import { callHandlers, type ShellAnswerers } from '../../../electron/shell/ipc/call-handlers.ts';
import type { ControlPanel } from '../../../electron/core/panel/control-panel.ts';
import { nothing, type Call } from '../../../shared/ipc/call.ts';
import { topics, type CallName } from '../../../shared/ipc/topics.ts';

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
