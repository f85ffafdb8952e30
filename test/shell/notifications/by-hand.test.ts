import { describe, expect, it } from 'vitest';
import type { CallHandlers } from '../../../shared/ipc-contract.ts';
import { noteCommands } from '../../../electron/shell/notifications/by-hand.ts';

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
