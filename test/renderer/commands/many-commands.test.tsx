import { describe, expect, it } from 'vitest';
import type { ServerView } from '../../../shared/domain.ts';
import {
  askToRemoveMany,
  restartFailed,
  runMany,
  serversWords,
  stopAll,
} from '../../../renderer/commands/many-commands.ts';
import { InterruptDialog, RemoveDialog } from '../../../renderer/commands/server-questions.tsx';
import { ManageStore } from '../../../renderer/store/manage-store.ts';
import { applySnapshot, createPanelStore } from '../../../renderer/store/panel-store.ts';
import type { Services } from '../../../renderer/services.ts';
import { aServer, aSnapshot } from '../builders.ts';
import { render } from '../render-view.tsx';

const kinds = { up: 'running', busy: 'running', coming: 'starting', off: 'stopped', bad: 'failed' } as const;
const servers = (calls: number): ServerView[] =>
  Object.entries(kinds).map(([name, kind]) =>
    aServer(name, {
      state: { kind, since: 0 },
      ...(name === 'busy' && calls > 0 && { busy: { calls, oldestMs: 1 } }),
    }),
  );

function given({ calls = 0, asksQuestions = true, fails = '' } = {}) {
  const done: string[] = [];
  const panel = createPanelStore();
  panel.setState(applySnapshot(panel.getState(), aSnapshot(1, { servers: servers(calls), asksQuestions })));
  const api = {
    getEntry: (name: string) => Promise.resolve({ entry: { command: name } }),
    removeServer: (name: string) =>
      name === fails ? Promise.reject(new Error('no')) : Promise.resolve(void done.push(`remove ${name}`)),
    putServer: ({ name }: { name: string }) => Promise.resolve(void done.push(`put ${name}`)),
  };
  const manage = new ManageStore(api as never);
  const actions = {
    run: (command: string, name: string) => Promise.resolve(void done.push(`${command} ${name}`)),
  };
  return { services: { panel, manage, actions } as unknown as Services, manage, done };
}

describe('commands to many', () => {
  it('go to those that they mean something to', () => {
    const { services, done } = given();
    runMany(services, 'start', ['up', 'off', 'bad', 'gone']);
    runMany(services, 'restart', ['up', 'coming', 'bad']);
    expect(done).toEqual(['start off', 'start bad', 'restart up', 'restart bad']);
  });

  it('stop all that is up or comes up, without a question where no call is lost', () => {
    const { services, done, manage } = given();
    stopAll(services);
    expect(done.toSorted()).toEqual(['stop busy', 'stop coming', 'stop up']);
    expect(manage.state.getState().dialog).toBeUndefined();
  });

  it('ask once where calls are in flight, and do nothing until it is answered', () => {
    const { services, done, manage } = given({ calls: 3 });
    stopAll(services);
    expect(done).toEqual([]);
    expect(manage.state.getState().dialog).toMatchObject({ kind: 'interrupt', command: 'stop' });
  });

  it('ask nothing where nobody is there to answer', () => {
    const { services, done } = given({ calls: 3, asksQuestions: false });
    stopAll(services);
    expect(done).toHaveLength(3);
  });

  it('restart what was given up, and nothing else', () => {
    const { services, done } = given({ calls: 3 });
    restartFailed(services);
    expect(done).toEqual(['restart bad']);
  });

  it('name the servers and the calls in their one question', () => {
    const question = render(<InterruptDialog command="stop" servers={['up', 'busy']} />, {
      servers: servers(3),
    });
    expect(question).toContain('Stop 2 servers?');
    expect(question).toContain('3 calls are in flight, and will be lost. They stay stopped');
    const removal = render(<RemoveDialog servers={['up']} />, { servers: servers(0) });
    expect(removal).toContain('Remove up?');
    expect(serversWords(['a', 'b', 'c', 'd'])).toBe('4 servers');
  });
});

describe('the removal of many', () => {
  it('asks first, and nobody where nobody is there', () => {
    const asked = given();
    askToRemoveMany(asked.services, ['up', 'off']);
    expect(asked.manage.state.getState().dialog).toEqual({ kind: 'remove', servers: ['up', 'off'] });
    expect(asked.done).toEqual([]);
  });

  it('takes them out one after the other, and one undo puts all of them back', async () => {
    const { manage, done } = given();
    await manage.remove(['up', 'off']);
    const { note } = manage.state.getState();
    expect(note).toMatchObject({ kind: 'done', words: 'Removed 2 servers from servers.json.' });
    if (note?.kind === 'done') await note.undo?.();
    expect(done).toEqual(['remove up', 'remove off', 'put up', 'put off']);
  });

  it('ends at the first that fails, and says which', async () => {
    const { manage, done } = given({ fails: 'off' });
    await manage.remove(['up', 'off', 'bad']);
    expect(done).toEqual(['remove up']);
    expect(manage.state.getState().note).toMatchObject({ kind: 'failed', server: 'off' });
  });
});
