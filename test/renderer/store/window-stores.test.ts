import { describe, expect, it } from 'vitest';
import { watchAbsence } from '../../../renderer/store/absence.ts';
import { createClockStore, startTicking } from '../../../renderer/store/clock-store.ts';
import { hrefOf, parseRoute, serverHref, serverTabs } from '../../../renderer/store/route-store.ts';
import { createViewStore } from '../../../renderer/store/view-store.ts';

describe('startTicking', () => {
  function setUp() {
    const source = {
      time: 1000,
      isVisible: true,
      ticks: new Set<() => void>(),
      listeners: new Set<() => void>(),
    };
    const clock = createClockStore(() => source.time);
    const stop = startTicking(clock, {
      now: () => source.time,
      everySecond: (tick) => {
        source.ticks.add(tick);
        return () => source.ticks.delete(tick);
      },
      isVisible: () => source.isVisible,
      onVisibilityChange: (listener) => {
        source.listeners.add(listener);
        return () => source.listeners.delete(listener);
      },
    });
    const show = (isVisible: boolean) => {
      source.isVisible = isVisible;
      for (const listener of source.listeners) listener();
    };
    return { source, clock, stop, show, now: () => clock.getState().now };
  }

  it('follows the time while visible', () => {
    const { source, now } = setUp();
    source.time = 2000;
    for (const tick of source.ticks) tick();
    expect(now()).toBe(2000);
  });

  it('rests while hidden, and is right at once when shown again', () => {
    const { source, show, now } = setUp();
    show(false);
    expect(source.ticks.size).toBe(0);
    source.time = 9000;
    show(true);
    expect(now()).toBe(9000);
    expect(source.ticks.size).toBe(1);
  });

  it('leaves nothing behind', () => {
    const { source, stop } = setUp();
    stop();
    expect(source.ticks.size + source.listeners.size).toBe(0);
  });
});

describe('watchAbsence', () => {
  function setUp() {
    const source = { time: 0, isPresent: true, listener: (): void => undefined };
    const view = createViewStore();
    watchAbsence(view, {
      now: () => source.time,
      isPresent: () => source.isPresent,
      onChange: (listener) => {
        source.listener = listener;
        return () => undefined;
      },
    });
    const be = (isPresent: boolean, time: number) => {
      source.isPresent = isPresent;
      source.time = time;
      source.listener();
    };
    return { be, awaySince: () => view.getState().awaySince };
  }

  it('notes since when nobody looked, once somebody does again', () => {
    const { be, awaySince } = setUp();
    be(false, 1000);
    be(false, 5000);
    expect(awaySince()).toBeUndefined();
    be(true, 100_000);
    expect(awaySince()).toBe(1000);
  });

  it('takes a glance aside for nothing', () => {
    const { be, awaySince } = setUp();
    be(false, 1000);
    be(true, 30_000);
    expect(awaySince()).toBeUndefined();
  });
});

describe('routes', () => {
  it.each([
    ['', { view: 'servers' }],
    ['#/', { view: 'servers' }],
    ['#/servers', { view: 'servers' }],
    ['#/servers/my.server-1', { view: 'server', name: 'my.server-1', tab: 'overview' }],
    ['#/servers/a%20b', { view: 'server', name: 'a b', tab: 'overview' }],
    ['#/servers/%', { view: 'server', name: '%', tab: 'overview' }],
    ['#/servers/a/logs', { view: 'server', name: 'a', tab: 'logs' }],
    ['#/servers/a/restarts/7%2F1', { view: 'server', name: 'a', tab: 'restarts', end: '7/1' }],
    ['#/servers/a/logs/7', { view: 'server', name: 'a', tab: 'logs' }],
    ['#/servers/a/unknown', { view: 'server', name: 'a', tab: 'overview' }],
    ['#/activity', { view: 'activity' }],
    ['#/usage', { view: 'usage' }],
    ['#/compare', { view: 'compare', servers: [] }],
    ['#/compare/a,b%2Cc,a', { view: 'compare', servers: ['a', 'b,c'] }],
    ['#/compare/1,2,3,4,5,6,7', { view: 'compare', servers: ['1', '2', '3', '4', '5', '6'] }],
    ['#/compare/a/b', { view: 'servers' }],
    ['#/elsewhere', { view: 'servers' }],
  ])('%j', (hash, route) => expect(parseRoute(hash)).toEqual(route));

  it('lead back to themselves', () => {
    const page = { view: 'server', name: 'a.b' } as const;
    const routes = [
      { view: 'servers' },
      ...serverTabs.map((tab) => ({ ...page, tab })),
      { ...page, tab: 'restarts', end: '0001-2 a#2' },
      { view: 'activity' },
      { view: 'usage' },
      { view: 'compare', servers: [] },
      { view: 'compare', servers: ['a', 'b,c', 'd%'] },
    ] as const;
    for (const route of routes) expect(parseRoute(hrefOf(route))).toEqual(route);
    expect(parseRoute(serverHref('a.b'))).toEqual({ ...page, tab: 'overview' });
  });
});
