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

/** Four days with all events of most tests. */
const wholeTime = { from: START - 86_400_000, to: START + 4 * 86_400_000 };

/** The view over the last of 2100 events; the history has them all. */
function show(inHistory = events(0, 2100), isChosen = true) {
  const asked: PastEventsQuery[] = [];
  const known: Partial<ControlPanelApi> = {
    getPastEvents: ({ before = 'z', limit, kinds, server, ...span }) => {
      const kept = inHistory.filter(
        ({ kind, at }) => (kinds?.includes(kind) ?? true) && at >= span.from && at < span.to,
      );
      const total = kept.length;
      // Whoever asks for one event wants to know how many there are.
      if (limit === 1) return Promise.resolve({ events: kept.slice(-1), hasMore: total > 1, total });
      // Without a place to begin, the newest are asked for.
      if (before !== 'z')
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
  if (isChosen) services.view.setState({ span: { choice: { kind: 'still', span: wholeTime }, before: [] } });
  services.clock.setState({ now: isChosen ? wholeTime.to : START });
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
  it('goes back page by page to the oldest event of the time shown', async () => {
    const { asked } = show();
    for (const count of [1000, 1500, 2000]) {
      await waitFor(() => expect(shown()).toBe(count));
      askOlder();
    }
    await waitFor(() => expect(shown()).toBe(2100));
    expect(older()).toBeUndefined();
    expect(asked.map(({ before }) => before)).toEqual([idOf(1100), idOf(600), idOf(100)]);
    expect(asked[0]).toMatchObject(wholeTime);
    expect(hasText('2100 events')).toBe(true);
  }, 60_000);

  it('lists and counts what happened within 24 hours while no time is chosen, whatever is loaded', async () => {
    const ages = [1, 20, 25, 600].map((hours) => hours * 3_600_000);
    const all = ages.toReversed().map((age, index) => ({ ...events(index, 1)[0]!, at: START - age }));
    show(all, false);
    await waitFor(() => expect(hasText('Clients 2Everything')).toBe(true));
    const time = document.querySelector<HTMLSelectElement>('[aria-label="Time shown"]')!;
    expect(time.value).toBe(String(86_400_000));
    expect(shown()).toBe(2);
    expect(drawn()).toEqual([idOf(3), idOf(2)]);
    fireEvent.change(time, { target: { value: '300000' } });
    await waitFor(() => expect(hasText('Nothing happened in the time shown.')).toBe(true));
    expect(hasText('Clients 0Everything')).toBe(true);
  });

  it('has the problems of the time shown in a strip, whose parts the keys reach', async () => {
    const crash = (hour: number, index: number) =>
      anEvent(idOf(index), { at: START + hour * 3_600_000, kind: 'crashed', server: 'one' });
    const { services } = show([
      crash(1, 0),
      crash(1, 1),
      crash(30, 2),
      anEvent(idOf(3), { at: START + 1000, kind: 'started', server: 'one' }),
    ]);
    const strip = () => document.querySelector('[role="slider"]')!;
    await waitFor(() => expect(strip().getAttribute('aria-valuetext')).toBe('3 problems'));
    fireEvent.keyDown(strip(), { key: 'End' });
    expect(strip().getAttribute('aria-valuetext')).toMatch(/· fine$/);
    fireEvent.keyDown(strip(), { key: 'Home' });
    // A cell is an hour long; the time begins a day before.
    for (let step = 0; step < 25; step += 1) fireEvent.keyDown(strip(), { key: 'ArrowRight' });
    expect(strip().getAttribute('aria-valuetext')).toMatch(/· Crashed × 2$/);
    fireEvent.keyDown(strip(), { key: 'Enter' });
    const at = START + 3_600_000;
    expect(services.view.getState().span.choice).toEqual({
      ...{ kind: 'still', span: { from: at, to: at + 3_600_000 } },
    });
    await waitFor(() => expect(hasText('Problems 2')).toBe(true));
  });

  it('zooms to what is dragged over in the strip, also beyond its end, and to the part that is clicked', async () => {
    const { services } = show([]);
    const strip = document.querySelector<HTMLElement>('[role="slider"]')!;
    strip.getBoundingClientRect = () => new DOMRect(0, 0, 240, 20);
    strip.setPointerCapture = () => undefined;
    const drag = (fromX: number, toX: number) => {
      fireEvent.pointerDown(strip, { clientX: fromX, button: 0 });
      fireEvent.pointerMove(strip, { clientX: toX });
      fireEvent.pointerUp(strip, { clientX: toX });
      fireEvent.click(strip, { clientX: toX });
    };
    const shownHours = () => {
      const { choice } = services.view.getState().span;
      if (choice.kind !== 'still') return undefined;
      return [choice.span.from, choice.span.to].map((at) => (at - wholeTime.from) / 3_600_000);
    };
    drag(101, 41);
    await waitFor(() => expect(shownHours()).toEqual([20, 51]));
    act(() => services.view.setState({ span: { choice: { kind: 'still', span: wholeTime }, before: [] } }));
    drag(201, 400);
    expect(shownHours()).toEqual([100, 120]);
    act(() => services.view.setState({ span: { choice: { kind: 'still', span: wholeTime }, before: [] } }));
    drag(21, 21);
    expect(shownHours()).toEqual([10, 11]);
  });

  it('loses none that the pushes drop while older ones are shown', async () => {
    const { services } = show();
    await waitFor(() => expect(shown()).toBe(1000));
    askOlder();
    await waitFor(() => expect(shown()).toBe(1500));
    const { panel } = services;
    for (const from of [2100, 2400])
      act(() => panel.setState(applyPush(panel.getState(), aPush(from, { events: events(from, 300) }))));
    expect(panel.getState().events).toHaveLength(500);
    await waitFor(() => expect(shown()).toBe(2100));
  }, 60_000);

  it('begins with the newest, and has the rows near what is in view in the page alone', async () => {
    show();
    await waitFor(() => expect(drawn()[0]).toBe(idOf(2099)));
    expect(drawn().length).toBeGreaterThan(20);
    expect(drawn().length).toBeLessThan(80);
    scrollTo(5000);
    await waitFor(() => expect(drawn()).not.toContain(idOf(2099)));
    expect(drawn().length).toBeLessThan(80);
  });

  it('keeps the day of what is in view at the upper edge', async () => {
    show();
    await waitFor(() => expect(drawn()).toContain(idOf(2099)));
    scrollTo(5000);
    await waitFor(() => expect(drawn()).not.toContain(idOf(2099)));
    const sticky = document.querySelector('li[class*="sticky"]');
    const first = Number(drawn()[20]);
    expect(sticky?.textContent).toBe(formatDayName(START + first * 60_000, wholeTime.to));
  });

  it('leaves an open row open while it is scrolled away, and stands still for who reads', async () => {
    const { services } = show();
    await waitFor(() => expect(drawn()).toContain(idOf(2090)));
    const button = () => document.querySelector(`[data-event="${idOf(2090)}"] button`);
    fireEvent.click(button()!);
    scrollTo(5000);
    await waitFor(() => expect(button()).toBeNull());
    const { panel } = services;
    act(() => panel.setState(applyPush(panel.getState(), aPush(2, { events: events(2100, 20) }))));
    await waitFor(() => expect(hasText('20 newer')).toBe(true));
    scrollTo(10);
    await waitFor(() => expect(button()?.getAttribute('aria-expanded')).toBe('true'));
    expect(drawn()).not.toContain(idOf(2119));
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
    const { asked, services } = show([rare, ...events(10, 1500)]);
    await waitFor(() => expect(shown()).toBe(1000));
    act(() => services.view.setState({ activityKind: 'crashed' }));
    await waitFor(() => expect(shown()).toBe(1));
    expect(asked.at(-1)?.kinds).toEqual(['crashed']);
    expect(older()).toBeUndefined();
    act(() => services.view.setState({ activityKind: 'gave-up' }));
    await waitFor(() => expect(hasText('Nothing of this kind happened in the time shown.')).toBe(true));
    act(() => services.view.setState({ activityKind: null }));
    await waitFor(() => expect(shown()).toBe(1000));
    expect(older()).toBeTruthy();
  }, 60_000);

  it('has groups with their numbers in the time shown, however many are loaded', async () => {
    const changes = ['config-changed', 'config-rejected'].map((kind, index) =>
      anEvent(idOf(index), { at: START, kind, server: 'one', detail: {} } as Partial<PanelEvent>),
    );
    const { services } = show([...changes, ...events(10, 1500)]);
    await waitFor(() => expect(hasText('Changes 2Clients 1500Everything')).toBe(true));
    act(() => services.view.setState({ activityKind: 'changes' }));
    await waitFor(() => expect(shown()).toBe(2));
  }, 60_000);

  it('tells older ones of a kind each by itself, because what happened between them is not here', async () => {
    const crashes = Array.from({ length: 3 }, (_, index) =>
      anEvent(idOf(index), { at: START + index * 86_400_000, kind: 'restart-scheduled', server: 'one' }),
    );
    const { services } = show([...crashes, ...events(10, 1500)]);
    act(() => services.view.setState({ activityKind: 'restart-scheduled' }));
    await waitFor(() => expect(shown()).toBe(3));
    expect(hasText('3 events')).toBe(true);
  }, 60_000);

  it('begins anew where a hidden window has missed what came between', async () => {
    const { services } = show();
    for (const count of [1000, 1500]) {
      await waitFor(() => expect(shown()).toBe(count));
      askOlder();
    }
    await waitFor(() => expect(shown()).toBe(2000));
    const { panel } = services;
    const later = { servers: [aServer('one')], events: events(5000, 500) };
    act(() => panel.setState(applySnapshot(panel.getState(), aSnapshot(9, later))));
    await waitFor(() => expect(shown()).toBe(1500));
    expect(older()).toBeTruthy();
  }, 60_000);

  it('goes on to older ones where the clock was set back in between', async () => {
    const all = events(0, 2100).map((event, index) =>
      index > 700 && index < 1100 ? { ...event, at: event.at - 86_400_000 } : event,
    );
    const { asked } = show(all);
    await waitFor(() => expect(shown()).toBe(1000));
    for (const count of [1500, 2000, 2100]) {
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
