import { describe, expect, it } from 'vitest';
import { createStore } from 'zustand/vanilla';
import type { Called } from '../../../renderer/store/called.ts';
import { createClockStore } from '../../../renderer/store/clock-store.ts';
import { HistoryStore } from '../../../renderer/store/history-store.ts';
import { applySnapshot, createPanelStore } from '../../../renderer/store/panel-store.ts';
import { orderNow, watchOrder } from '../../../renderer/views/use-server-list.ts';
import { createViewStore } from '../../../renderer/store/view-store.ts';
import { aSample, aServer, aSnapshot } from '../builders.ts';

function listed() {
  const panel = createPanelStore();
  const history = new HistoryStore(
    () => Promise.resolve([]),
    () => 0,
  );
  const view = createViewStore();
  const clock = createClockStore(() => 0);
  let isInUse = false;
  const orders: string[] = [];
  const tick = (now: number, memory: Readonly<Record<string, number>>) => {
    const servers = Object.entries(memory).map(([name, memoryBytes]) =>
      aServer(name, { sample: aSample(now, { memoryBytes }) }),
    );
    panel.setState(applySnapshot(panel.getState(), aSnapshot(1, { servers })));
    history.append(servers);
    clock.setState({ now });
  };
  const past = { called: createStore(() => new Map<string, Called>()) };
  const sources = { panel, history, view, clock, past };
  const stop = watchOrder(
    sources,
    () => isInUse,
    (order) => orders.push(order.join('')),
  );
  return { view, orders, tick, stop, sources, use: (is: boolean) => (isInUse = is) };
}

describe('the order of the list', () => {
  it('follows a chosen sorting at once', () => {
    const { view, orders, tick } = listed();
    tick(1000, { a: 1, b: 5 });
    view.setState({ sortBy: 'memory', isDescending: true });
    expect(orders).toEqual(['ba']);
    view.setState({ search: 'x' });
    expect(orders).toEqual(['ba']);
  });

  it('changes every ten seconds at most, whatever the figures do', () => {
    const { view, orders, tick } = listed();
    view.setState({ sortBy: 'memory', isDescending: true });
    orders.length = 0;
    for (let second = 1; second < 30; second += 1)
      tick(second * 1000, { a: second % 2, b: (second + 1) % 2 });
    expect(orders).toHaveLength(2);
  });

  it('does not change while the list is in use, and does at the next turn after that', () => {
    const { view, orders, tick, use } = listed();
    tick(1000, { a: 1, b: 5 });
    view.setState({ sortBy: 'memory', isDescending: true });
    use(true);
    for (let second = 2; second < 25; second += 1) tick(second * 1000, { a: 9, b: 5 });
    expect(orders).toEqual(['ba']);
    use(false);
    for (let second = 25; second <= 30; second += 1) tick(second * 1000, { a: 9, b: 5 });
    expect(orders).toEqual(['ba', 'ab']);
  });

  it('is left alone by the clock as long as names decide, and when nobody watches any more', () => {
    const { view, orders, tick, stop, sources } = listed();
    tick(1000, { a: 1, b: 5 });
    tick(31_000, { a: 1, b: 5 });
    expect(orders).toEqual([]);
    stop();
    view.setState({ sortBy: 'memory', isDescending: true });
    tick(51_000, { a: 1, b: 5 });
    expect(orders).toEqual([]);
    expect(orderNow(sources)).toEqual(['b', 'a']);
  });
});
