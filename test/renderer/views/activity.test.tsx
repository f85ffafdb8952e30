// @vitest-environment happy-dom
import { act, configure, fireEvent, render, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { PanelEvent } from '../../../shared/domain.ts';
import type { PastEventsQuery } from '../../../shared/history.ts';
import type { ControlPanelApi } from '../../../shared/ipc-contract.ts';
import { applyPush, applySnapshot } from '../../../renderer/store/panel-store.ts';
import { Activity } from '../../../renderer/views/activity.tsx';
import { anEvent, aPush, aServer, aSnapshot } from '../builders.ts';
import { formatDayName } from '../../../renderer/format/moments.ts';
import { inWindow, servicesWith } from '../in-window.ts';
import { useFakeLayout } from '../logs/fake-layout.ts';

// A busy machine takes more than the second that is the default to draw a thousand rows.
configure({ asyncUtilTimeout: 20_000 });

useFakeLayout();

const START = 1_800_000_000_000;
const idOf = (number: number) => String(number).padStart(6, '0');
/** Events of one server, each of a cause of its own: `count` from `number` on. */
const events = (number: number, count: number): PanelEvent[] =>
  Array.from({ length: count }, (_, index) =>
    anEvent(idOf(number + index), {
      at: START + (number + index) * 60_000,
      kind: 'client-refused',
      server: null,
      detail: { reason: 'token' },
    }),
  );

/** The view over the last of 1600 events; the history has them all. */
function show(inHistory = events(0, 1600)) {
  const asked: PastEventsQuery[] = [];
  const known: Partial<ControlPanelApi> = {
    getPastEvents: ({ before = 'z', limit, kinds, server, ...span }) => {
      const kept = inHistory.filter(({ kind }) => kinds?.includes(kind) ?? true);
      const total = kept.length;
      // Whoever asks for one event wants to know how many there are.
      if (limit === 1) return Promise.resolve({ events: kept.slice(-1), hasMore: total > 1, total });
      asked.push({
        ...span,
        before,
        limit,
        ...(kinds && { kinds }),
        ...(server !== undefined && { server }),
      });
      const older = kept.filter(({ id }) => id < before);
      return Promise.resolve({ events: older.slice(-limit), hasMore: older.length > limit, total });
    },
  };
  const services = servicesWith(known, { servers: [aServer('one')], events: inHistory.slice(-500) });
  render(inWindow(services, <Activity />));
  return { asked, services };
}

/** Not by its role, which a page of a thousand rows takes seconds to look through. */
const older = () =>
  [...document.querySelectorAll('button')].find(({ textContent }) => textContent === 'Show older ones');
const askOlder = () => fireEvent.click(older()!);
const hasText = (text: string) => document.body.textContent?.includes(text);
/** Events that are shown by the head of the view; the page has the rows near what is in view. */
const shown = () => {
  const words = document.body.textContent ?? '';
  return Number((/(\d+) loaded/.exec(words) ?? /(\d+) events?/.exec(words))?.[1]);
};
const drawn = () =>
  [...document.querySelectorAll<HTMLElement>('[data-event]')].map((row) => row.dataset['event']!);
const log = () => document.querySelector<HTMLElement>('[role="log"]')!;
const scrollTo = (topPx: number) => {
  log().scrollTop = topPx;
  fireEvent.scroll(log());
};

describe('the activity of all servers', () => {
  it('goes back page by page to the oldest event that is kept', async () => {
    const { asked } = show();
    await waitFor(() => expect(shown()).toBe(500));
    askOlder();
    await waitFor(() => expect(shown()).toBe(1000));
    askOlder();
    await waitFor(() => expect(shown()).toBe(1500));
    askOlder();
    await waitFor(() => expect(shown()).toBe(1600));
    expect(older()).toBeUndefined();
    expect(asked.map(({ before }) => before)).toEqual([idOf(1100), idOf(600), idOf(100)]);
    expect(hasText('1600 events')).toBe(true);
  }, 60_000);

  it('loses none that the pushes drop while older ones are shown', async () => {
    const { services } = show();
    askOlder();
    await waitFor(() => expect(shown()).toBe(1000));
    const { panel } = services;
    for (const from of [1600, 1900])
      act(() => panel.setState(applyPush(panel.getState(), aPush(from, { events: events(from, 300) }))));
    expect(panel.getState().events).toHaveLength(500);
    await waitFor(() => expect(shown()).toBe(1600));
  }, 60_000);

  it('begins with the newest, and has the rows near what is in view in the page alone', async () => {
    show();
    await waitFor(() => expect(drawn()[0]).toBe(idOf(1599)));
    expect(drawn().length).toBeGreaterThan(20);
    expect(drawn().length).toBeLessThan(80);
    scrollTo(5000);
    await waitFor(() => expect(drawn()).not.toContain(idOf(1599)));
    expect(drawn().length).toBeLessThan(80);
  });

  it('keeps the day of what is in view at the upper edge', async () => {
    show();
    await waitFor(() => expect(drawn()).toContain(idOf(1599)));
    scrollTo(5000);
    await waitFor(() => expect(drawn()).not.toContain(idOf(1599)));
    const sticky = document.querySelector('li[class*="sticky"]');
    const first = Number(drawn()[20]);
    expect(sticky?.textContent).toBe(formatDayName(START + first * 60_000, Date.now()));
  });

  it('leaves an open row open while it is scrolled away, and stands still for who reads', async () => {
    const { services } = show();
    await waitFor(() => expect(drawn()).toContain(idOf(1590)));
    const button = () => document.querySelector(`[data-event="${idOf(1590)}"] button`);
    fireEvent.click(button()!);
    scrollTo(5000);
    await waitFor(() => expect(button()).toBeNull());
    const { panel } = services;
    act(() => panel.setState(applyPush(panel.getState(), aPush(2, { events: events(1600, 20) }))));
    await waitFor(() => expect(hasText('20 newer')).toBe(true));
    scrollTo(10);
    await waitFor(() => expect(button()?.getAttribute('aria-expanded')).toBe('true'));
    expect(drawn()).not.toContain(idOf(1619));
  }, 60_000);

  it('makes one row of a hundred starts', async () => {
    const starts = Array.from({ length: 100 }, (_, index) =>
      anEvent(idOf(index), { at: START + index * 100, kind: 'started', server: `server-${index}` }),
    );
    show(starts);
    await waitFor(() => expect(hasText('100 servers')).toBe(true));
    expect(drawn()).toEqual([]);
  });

  it('asks for the kind that is chosen, and begins anew with another choice', async () => {
    const rare = anEvent(idOf(3), { at: START, kind: 'crashed', server: 'one' });
    const { asked, services } = show([rare, ...events(10, 600)]);
    act(() => services.view.setState({ activityKind: 'crashed' }));
    expect(hasText('Nothing of this kind is among the last 500 events.')).toBe(true);
    askOlder();
    await waitFor(() => expect(shown()).toBe(1));
    expect(asked.at(-1)?.kinds).toEqual(['crashed']);
    expect(older()).toBeUndefined();
    act(() => services.view.setState({ activityKind: null }));
    await waitFor(() => expect(shown()).toBe(500));
    expect(older()).toBeTruthy();
  }, 60_000);

  it('has groups with their numbers in the time shown, however many are loaded', async () => {
    const changes = ['config-changed', 'config-rejected'].map((kind, index) =>
      anEvent(idOf(index), { at: START, kind, server: 'one', detail: {} } as Partial<PanelEvent>),
    );
    const { services } = show([...changes, ...events(10, 600)]);
    await waitFor(() => expect(hasText('Changes 2Clients 600Everything')).toBe(true));
    act(() => services.view.setState({ activityKind: 'changes' }));
    askOlder();
    await waitFor(() => expect(shown()).toBe(2));
  }, 60_000);

  it('tells older ones of a kind each by itself, because what happened between them is not here', async () => {
    const crashes = Array.from({ length: 3 }, (_, index) =>
      anEvent(idOf(index), { at: START + index * 86_400_000, kind: 'restart-scheduled', server: 'one' }),
    );
    const { services } = show([...crashes, ...events(10, 600)]);
    act(() => services.view.setState({ activityKind: 'restart-scheduled' }));
    askOlder();
    await waitFor(() => expect(shown()).toBe(3));
    expect(hasText('3 events')).toBe(true);
  }, 60_000);

  it('begins anew where a hidden window has missed what came between', async () => {
    const { services } = show();
    askOlder();
    await waitFor(() => expect(shown()).toBe(1000));
    const { panel } = services;
    const later = { servers: [aServer('one')], events: events(5000, 500) };
    act(() => panel.setState(applySnapshot(panel.getState(), aSnapshot(9, later))));
    await waitFor(() => expect(shown()).toBe(500));
    expect(older()).toBeTruthy();
  }, 60_000);

  it('goes on to older ones where the clock was set back in between', async () => {
    const all = events(0, 1600).map((event, index) =>
      index > 700 && index < 1100 ? { ...event, at: event.at - 86_400_000 } : event,
    );
    const { asked } = show(all);
    for (const count of [1000, 1500, 1600]) {
      askOlder();
      await waitFor(() => expect(shown()).toBe(count));
    }
    expect(asked.map(({ before }) => before)).toEqual([idOf(1100), idOf(600), idOf(100)]);
  }, 60_000);

  it('offers no older ones where all that happened is here', async () => {
    show(events(0, 20));
    await waitFor(() => expect(shown()).toBe(20));
    expect(older()).toBeUndefined();
  });
});
