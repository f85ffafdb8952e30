import { describe, expect, it } from 'vitest';
import type { ClientView, GatewayStatus } from '../../../shared/gateway.ts';
import { toReport } from '../../../renderer/control-panel.ts';
import { createClientsStore } from '../../../renderer/store/clients-store.ts';
import { createClockStore } from '../../../renderer/store/clock-store.ts';
import { aClient } from '../builders.ts';
import { openAnswer, type OpenAnswer } from '../open-answer.ts';

const gateway: GatewayStatus = { url: 'http://127.0.0.1:7411', port: 7411, isListening: true };
const called = (calls: number) => aClient({ calls });
const soon = () => new Promise((resolve) => setTimeout(resolve));

function setUp() {
  const clock = createClockStore(() => 0);
  const asked: OpenAnswer<ClientView[]>[] = [];
  const store = createClientsStore(
    {
      getGateway: async () => gateway,
      listClients: () => {
        const answer = openAnswer<ClientView[]>();
        asked.push(answer);
        return answer.promise;
      },
    },
    toReport,
    clock,
  );
  return { store, asked, tick: () => clock.setState({ now: clock.getState().now + 1000 }) };
}

describe('the clients store', () => {
  it('asks at once and at every tick while anybody follows', () => {
    const { store, asked, tick } = setUp();
    const leaveView = store.follow();
    const leaveDialog = store.follow();
    expect(asked).toHaveLength(2);
    tick();
    leaveView();
    leaveView();
    tick();
    expect(asked).toHaveLength(4);
    leaveDialog();
    tick();
    expect(asked).toHaveLength(4);
  });

  it('never goes back to an answer that was overtaken', async () => {
    const { store, asked } = setUp();
    void store.refresh();
    void store.refresh();
    asked[1]!.resolve([called(2)]);
    await soon();
    asked[0]!.resolve([called(1)]);
    await soon();
    expect(store.state.getState()).toEqual({ gateway, clients: [called(2)], error: undefined });
  });

  it('says nothing new while nothing is, and keeps what it had when an answer fails', async () => {
    const { store, asked } = setUp();
    void store.refresh();
    asked[0]!.resolve([called(1)]);
    await soon();
    const first = store.state.getState();
    void store.refresh();
    asked[1]!.resolve([called(1)]);
    await soon();
    expect(store.state.getState()).toBe(first);
    void store.refresh();
    asked[2]!.reject({ code: 'CONFIG_BROKEN', message: 'no' });
    await soon();
    expect(store.state.getState()).toMatchObject({ clients: [called(1)], error: { code: 'CONFIG_BROKEN' } });
  });
});
