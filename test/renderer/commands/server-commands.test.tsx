import { describe, expect, it } from 'vitest';
import type { ServerView } from '../../../shared/domain.ts';
import type { ControlPanelApi } from '../../../shared/ipc-contract.ts';
import { createServices } from '../../../renderer/create-services.ts';
import {
  askToRemoveMany,
  interrupt,
  restartFailed,
  runAction,
  runMany,
  serversWords,
  stopAll,
  toggleEnabled,
} from '../../../renderer/commands/server-commands.ts';
import { InterruptDialog, RemoveDialog } from '../../../renderer/commands/server-questions.tsx';
import { applySnapshot } from '../../../renderer/store/panel-store.ts';
import { aServer, aSnapshot } from '../builders.ts';
import { render } from '../render-view.tsx';

function setUp(servers: ServerView[], { asksQuestions = true, fails = '' } = {}) {
  const asked: string[] = [];
  const api = new Proxy({} as ControlPanelApi, {
    get: (_, call: string) => async (of: string | { readonly name?: string }, value?: unknown) => {
      const name = typeof of === 'string' ? of : of.name;
      if (call === 'getEntry') return { entry: { command: name } };
      if (name === fails) throw new Error('no');
      asked.push([call, name, ...(typeof value === 'boolean' ? [value] : [])].join(' '));
      return undefined;
    },
  });
  const services = createServices(api, '');
  const snapshot = aSnapshot(1, { servers, asksQuestions });
  services.panel.setState(applySnapshot(services.panel.getState(), snapshot));
  const { state } = services.manage;
  return { services, asked, dialog: () => state.getState().dialog, note: () => state.getState().note };
}

const busy = { busy: { calls: 2, oldestMs: 1000 } };
const ways = [
  ['stop', (services) => runAction(services, 'stop', 'one'), 'stopServer one'],
  ['restart', (services) => runAction(services, 'restart', 'one'), 'restartServer one'],
  ['disable', (services) => toggleEnabled(services, 'one'), 'setEnabled one false'],
] as const satisfies readonly (readonly [
  string,
  (services: ReturnType<typeof setUp>['services']) => unknown,
  string,
])[];

describe.each(ways)('%s', (command, run, call) => {
  it('asks first while calls are in flight, and does nothing until it is answered', () => {
    const { services, asked, dialog } = setUp([aServer('one', busy)]);
    run(services);
    expect(dialog()).toEqual({ kind: 'interrupt', command, servers: ['one'] });
    expect(asked).toEqual([]);
    interrupt(services, command, ['one']);
    expect(asked).toEqual([call]);
  });

  it('is done at once where no call would be lost', () => {
    const { services, asked, dialog } = setUp([aServer('one')]);
    run(services);
    expect(dialog()).toBeUndefined();
    expect(asked).toEqual([call]);
  });

  it('is done at once where nobody is there to answer', () => {
    const { services, asked, dialog } = setUp([aServer('one', busy)], { asksQuestions: false });
    run(services);
    expect(dialog()).toBeUndefined();
    expect(asked).toEqual([call]);
  });
});

it('starts and enables without a question, which can lose nothing', () => {
  const { services, asked, dialog } = setUp([aServer('one', { ...busy, disabled: true })]);
  expect(runAction(services, 'start', 'one')).toBe(true);
  toggleEnabled(services, 'one');
  expect(dialog()).toBeUndefined();
  expect(asked).toEqual(['startServer one', 'setEnabled one true']);
});

const kinds = { up: 'running', busy: 'running', coming: 'starting', off: 'stopped', bad: 'failed' } as const;
const five = (calls = 0): ServerView[] =>
  Object.entries(kinds).map(([name, kind]) =>
    aServer(name, {
      state: { kind, since: 0 },
      ...(name === 'busy' && calls > 0 && { busy: { calls, oldestMs: 1 } }),
    }),
  );

describe('commands to many', () => {
  it('go to those that they mean something to', () => {
    const { services, asked } = setUp(five());
    runMany(services, 'start', ['up', 'off', 'bad', 'gone']);
    runMany(services, 'restart', ['up', 'coming', 'bad']);
    expect(asked).toEqual(['startServer off', 'startServer bad', 'restartServer up', 'restartServer bad']);
  });

  it('stop all that is up or comes up, without a question where no call is lost', () => {
    const { services, asked, dialog } = setUp(five());
    stopAll(services);
    expect(asked.toSorted()).toEqual(['stopServer busy', 'stopServer coming', 'stopServer up']);
    expect(dialog()).toBeUndefined();
  });

  it('ask once where calls are in flight, and do nothing until it is answered', () => {
    const { services, asked, dialog } = setUp(five(3));
    stopAll(services);
    expect(asked).toEqual([]);
    expect(dialog()).toMatchObject({ kind: 'interrupt', command: 'stop' });
  });

  it('restart what was given up, and nothing else', () => {
    const { services, asked } = setUp(five(3));
    restartFailed(services);
    expect(asked).toEqual(['restartServer bad']);
  });

  it('name the servers and the calls in their one question', () => {
    const question = render(<InterruptDialog command="stop" servers={['up', 'busy']} />, {
      servers: five(3),
    });
    expect(question).toContain('Stop 2 servers?');
    expect(question).toContain('3 calls are in flight, and will be lost. They stay stopped');
    const removal = render(<RemoveDialog servers={['up']} />, { servers: five() });
    expect(removal).toContain('Remove up?');
    expect(serversWords(['a', 'b', 'c', 'd'])).toBe('4 servers');
  });
});

describe('the removal of many', () => {
  it('asks first, and nobody where nobody is there', async () => {
    const { services, asked, dialog } = setUp(five());
    askToRemoveMany(services, ['up', 'off']);
    expect(dialog()).toEqual({ kind: 'remove', servers: ['up', 'off'] });
    expect(asked).toEqual([]);
    const alone = setUp(five(), { asksQuestions: false });
    askToRemoveMany(alone.services, ['up', 'off']);
    await expect.poll(() => alone.asked).toEqual(['removeServer up', 'removeServer off']);
    expect(alone.dialog()).toBeUndefined();
  });

  it('takes them out one after the other, and one undo puts all of them back', async () => {
    const { services, asked, note } = setUp(five());
    await services.manage.remove(['up', 'off']);
    const done = note();
    expect(done).toMatchObject({ kind: 'done', words: 'Removed 2 servers from servers.json.' });
    if (done?.kind === 'done') await done.undo?.();
    expect(asked).toEqual(['removeServer up', 'removeServer off', 'putServer up', 'putServer off']);
  });

  it('ends at the first that fails, and says which', async () => {
    const { services, asked, note } = setUp(five(), { fails: 'off' });
    await services.manage.remove(['up', 'off', 'bad']);
    expect(asked).toEqual(['removeServer up']);
    expect(note()).toMatchObject({ kind: 'failed', server: 'off' });
  });
});
