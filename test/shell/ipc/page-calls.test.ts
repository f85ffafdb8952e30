import { describe, expect, it } from 'vitest';
import type { CallHandlers, ServerCall } from '../../../shared/ipc-contract.ts';
import { createPageCalls, noteCommands } from '../../../electron/shell/ipc/call-handlers.ts';

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
