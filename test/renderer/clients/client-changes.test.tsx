// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import type { ClientView } from '../../../shared/gateway.ts';
import { ClientsView } from '../../../renderer/clients/clients-view.tsx';
import { ManageLayer } from '../../../renderer/views/manage-layer.tsx';
import { aClient, aServer } from '../builders.ts';
import { inWindow, servicesWith } from '../in-window.ts';

afterEach(cleanup);

const use = {
  ...{ server: 'github', count: 2, inFlight: 1, lastSeenAt: 0, declares: [], programs: [], contextIds: [] },
};

async function show(client: ClientView, refuses = false) {
  const changes: unknown[] = [];
  const services = servicesWith(
    {
      findClients: () => Promise.resolve([]),
      getGateway: () => Promise.resolve({ url: 'http://127.0.0.1:7411', port: 7411, isListening: true }),
      listClients: () => Promise.resolve([client]),
      changeClient: (change) => {
        changes.push(change);
        return refuses ? Promise.reject(new Error('The disk is full.')) : Promise.resolve(undefined);
      },
    },
    { servers: [aServer('github'), aServer('memory')] },
  );
  const view = (
    <>
      <ClientsView />
      <ManageLayer />
    </>
  );
  await act(async () => render(inWindow(services, view)));
  return changes;
}

const press = (name: string) =>
  act(async () => fireEvent.click(screen.getByRole('button', { name, hidden: true })));
const dialog = () => screen.queryByRole('dialog', { hidden: true });

it('what a client may use is changed after it was made, from one server to others, and to all', async () => {
  const changes = await show(aClient({ servers: ['github'] }));
  await press('Change what laptop may use');
  const box = (name: string) => screen.getByRole('checkbox', { name, hidden: true });
  await act(async () => fireEvent.click(box('memory')));
  await act(async () => fireEvent.click(box('github')));
  await press('Change it');
  expect(dialog()).toBeNull();
  await press('Change what laptop may use');
  await act(async () => fireEvent.click(screen.getByRole('radio', { name: 'All servers', hidden: true })));
  await press('Change it');
  expect(changes).toEqual([{ id: 'c1', servers: ['memory'] }, { id: 'c1' }]);
});

it('a change of what a client may use names what ends, needs a server, and tells why it failed', async () => {
  await show(aClient({ servers: ['github'], sessions: [use] }), true);
  await press('Change what laptop may use');
  expect(dialog()?.textContent).toContain('Its 2 sessions end, and 1 call in flight is lost.');
  await press('Change it');
  expect(screen.getByText(/The disk is full/)).toBeTruthy();
  await act(async () => fireEvent.click(screen.getByRole('checkbox', { name: 'github', hidden: true })));
  const change = screen.getByRole<HTMLButtonElement>('button', { name: 'Change it', hidden: true });
  expect(change.disabled).toBe(true);
});

it('there is nothing to change for a client that reads metrics only', async () => {
  await show(aClient({ scopes: ['metrics'] }));
  expect(screen.queryByRole('button', { name: /^Change/ })).toBeNull();
});

it('the question before a token is renewed names what ends of a client that is connected', async () => {
  await show(aClient({ sessions: [use] }));
  await press('Renew laptop');
  expect(dialog()?.textContent).toContain('It is connected now. Its 2 sessions end');
  cleanup();
  await show(aClient());
  await press('Renew laptop');
  expect(dialog()?.textContent).not.toContain('It is connected now');
});
