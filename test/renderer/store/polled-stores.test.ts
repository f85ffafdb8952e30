import { describe, expect, it } from 'vitest';
import type { ClientView, GatewayStatus } from '../../../shared/gateway.ts';
import { createClientsStore, createFollowedStore } from '../../../renderer/store/polled-stores.ts';
import { createClockStore } from '../../../renderer/store/clock-store.ts';
import { aClient } from '../builders.ts';
import { openQuestions } from '../open-answer.ts';

const gateway: GatewayStatus = { url: 'http://127.0.0.1:7411', port: 7411, isListening: true };
const called = (calls: number) => aClient({ calls });

/** A clock, and questions that the test answers one by one. */
function setUp<Value>() {
  const clock = createClockStore(() => 0);
  const tick = () => clock.setState({ now: clock.getState().now + 1000 });
  return { clock, tick, ...openQuestions<string | undefined, Value>() };
}

describe('the clients store', () => {
  function setUpClients() {
    const { ask, clock, ...bench } = setUp<ClientView[]>();
    const api = { getGateway: async () => gateway, listClients: () => ask(undefined) };
    return { ...bench, store: createClientsStore(api, clock) };
  }

  it('asks at once, at every tick and anew after a change, one question at a time, while anybody follows', async () => {
    const { store, asked, answer, tick } = setUpClients();
    const leaveView = store.follow();
    const leaveDialog = store.follow();
    void store.refresh();
    tick();
    expect(asked).toHaveLength(1);
    await answer(0, [called(1)]);
    // The answer to what was asked before a change may be older than it.
    expect(asked).toHaveLength(2);
    await answer(1, [called(2)]);
    expect(store.state.getState()).toEqual({ gateway, clients: [called(2)], error: undefined });
    leaveView();
    leaveView();
    tick();
    expect(asked).toHaveLength(3);
    await answer(2, []);
    leaveDialog();
    tick();
    expect(asked).toHaveLength(3);
  });

  it('says nothing new while nothing is, and keeps what it had when an answer fails', async () => {
    const { store, answer, refuse } = setUpClients();
    void store.refresh();
    await answer(0, [called(1)]);
    const first = store.state.getState();
    void store.refresh();
    await answer(1, [called(1)]);
    expect(store.state.getState()).toBe(first);
    void store.refresh();
    await refuse(2, { code: 'CONFIG_BROKEN', message: 'no' });
    expect(store.state.getState()).toMatchObject({ clients: [called(1)], error: { code: 'CONFIG_BROKEN' } });
  });
});

describe('the store of what a page shows of its server', () => {
  function setUpFollowed() {
    const { ask, clock, ...bench } = setUp<string>();
    return { ...bench, store: createFollowedStore(ask, clock) };
  }

  it('asks at once, at every tick and when told to, until it is left', async () => {
    const { store, asked, answer, tick } = setUpFollowed();
    const leave = store.follow('one');
    expect(asked).toHaveLength(1);
    await answer(0, 'first');
    tick();
    store.refresh();
    store.refresh();
    await answer(1, 'second');
    await answer(2, 'third');
    expect(asked).toHaveLength(3);
    expect(store.state.getState()).toEqual({ server: 'one', view: 'third', error: undefined });
    tick();
    leave();
    await answer(3, 'late');
    tick();
    store.refresh();
    expect(asked).toHaveLength(4);
    expect(store.state.getState()).toEqual({ server: undefined, view: undefined, error: undefined });
  });

  it('takes no answer to what was asked before the server was left, of another server or the same one', async () => {
    const { store, answer } = setUpFollowed();
    store.follow('one')();
    store.follow('two')();
    store.follow('one');
    await answer(2, 'own');
    await answer(0, 'before');
    await answer(1, 'other');
    expect(store.state.getState()).toMatchObject({ server: 'one', view: 'own' });
  });

  it('keeps what it had when an answer fails, and says why', async () => {
    const { store, answer, refuse, tick } = setUpFollowed();
    store.follow('one');
    await answer(0, 'known');
    tick();
    await refuse(1, { code: 'SERVER_UNKNOWN', message: 'There is none.' });
    expect(store.state.getState()).toMatchObject({ view: 'known', error: { code: 'SERVER_UNKNOWN' } });
  });
});
