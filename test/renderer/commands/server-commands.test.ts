import { describe, expect, it } from 'vitest';
import type { ServerView } from '../../../shared/domain.ts';
import type { ControlPanelApi } from '../../../shared/ipc-contract.ts';
import { createServices } from '../../../renderer/create-services.ts';
import { interrupt, runAction, toggleEnabled } from '../../../renderer/commands/server-commands.ts';
import { applySnapshot } from '../../../renderer/store/panel-store.ts';
import { aServer, aSnapshot } from '../builders.ts';

function setUp(server: Partial<ServerView>, asksQuestions = true) {
  const asked: string[] = [];
  const api = new Proxy({} as ControlPanelApi, {
    get: (_, name) => async (server: string, value?: boolean) =>
      void asked.push([name, server, value].filter((part) => part !== undefined).join(' ')),
  });
  const services = createServices(api, '');
  const snapshot = aSnapshot(1, { servers: [aServer('one', server)], asksQuestions });
  services.panel.setState(applySnapshot(services.panel.getState(), snapshot));
  return { services, asked, dialog: () => services.manage.state.getState().dialog };
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
    const { services, asked, dialog } = setUp(busy);
    run(services);
    expect(dialog()).toEqual({ kind: 'interrupt', command, servers: ['one'] });
    expect(asked).toEqual([]);
    interrupt(services, command, ['one']);
    expect(asked).toEqual([call]);
  });

  it('is done at once where no call would be lost', () => {
    const { services, asked, dialog } = setUp({});
    run(services);
    expect(dialog()).toBeUndefined();
    expect(asked).toEqual([call]);
  });

  it('is done at once where nobody is there to answer', () => {
    const { services, asked, dialog } = setUp(busy, false);
    run(services);
    expect(dialog()).toBeUndefined();
    expect(asked).toEqual([call]);
  });
});

it('starts and enables without a question, which can lose nothing', () => {
  const { services, asked, dialog } = setUp({ ...busy, disabled: true });
  expect(runAction(services, 'start', 'one')).toBe(true);
  toggleEnabled(services, 'one');
  expect(dialog()).toBeUndefined();
  expect(asked).toEqual(['startServer one', 'setEnabled one true']);
});
