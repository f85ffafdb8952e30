import { expect, it } from 'vitest';
import { keepTime, parseTime, timeText } from '../../../renderer/store/span-address.ts';
import { chooseLive, initialSpan } from '../../../renderer/store/span-choice.ts';
import { createViewStore } from '../../../renderer/store/view-store.ts';
import { parseRoute } from '../../../renderer/store/route-store.ts';
import { aStorage } from '../a-storage.ts';
import { DAY_MS } from '../../../shared/units.ts';
const NOW = 1_800_000_000_000;

/** A window with an address, and what it keeps over starts. */
function aWindow(hash: string, kept: Record<string, string> = {}) {
  const view = createViewStore();
  let listener = () => undefined as void;
  const storage = aStorage(kept);
  const place = { hash };
  keepTime(view, {
    hash: () => place.hash,
    replace: (next) => void (place.hash = next),
    onChange: (given) => void (listener = given),
    now: () => NOW,
    storage,
  });
  const goTo = (next: string) => {
    place.hash = next;
    listener();
  };
  return { view, place, goTo, kept: () => Object.fromEntries(storage.texts) };
}

it('the address has the time that is shown, in every view of the time, and the next start has it too', () => {
  const { view, place, goTo, kept } = aWindow('#/usage');
  expect(place.hash).toBe('#/usage');
  view.setState({ span: chooseLive(DAY_MS) });
  expect(place.hash).toBe('#/usage?last=24h');
  goTo('#/servers/one');
  expect(place.hash).toBe('#/servers/one?last=24h');
  goTo('#/clients');
  expect(place.hash).toBe('#/clients');
  const next = aWindow('#/activity', kept());
  expect(next.place.hash).toBe('#/activity?last=24h');
});

it('an address opens the same picture: the same time, and the same moment in it', () => {
  const { view, place, kept } = aWindow('#/usage?from=1000&to=61000&at=31000');
  expect(view.getState()).toMatchObject({
    span: { choice: { kind: 'still', span: { from: 1000, to: 61_000 } } },
    pinnedAt: 31_000,
  });
  expect(kept()).toEqual({});
  expect(parseRoute(place.hash)).toEqual({ view: 'usage' });
  expect(parseRoute('#/servers/one?last=24h')).toMatchObject({ view: 'server', name: 'one' });
});

it('the logs have the same time in their address, beside their filter', () => {
  const { view, place, goTo } = aWindow('#/logs?server=one&level=error&from=1000&to=61000');
  expect(view.getState().span.choice).toEqual({ kind: 'still', span: { from: 1000, to: 61_000 } });
  view.setState({ span: chooseLive(DAY_MS), pinnedAt: 5000 });
  expect(place.hash).toBe('#/logs?server=one&level=error&last=24h&at=5000');
  goTo('#/servers/one/logs?source=stderr');
  expect(place.hash).toBe('#/servers/one/logs?source=stderr&last=24h&at=5000');
});

it('an address with a moment alone shows that moment in the time shown, or else a time around it', () => {
  const { view, place, goTo } = aWindow('#/logs?at=5000');
  expect(view.getState()).toMatchObject({ span: initialSpan, pinnedAt: 5000 });
  view.setState({ span: chooseLive(DAY_MS) });
  const at = NOW - 3 * DAY_MS;
  goTo(`#/logs?at=${at}`);
  expect(place.hash).toBe(`#/logs?from=${at - 1_800_000}&to=${at + 1_800_000}&at=${at}`);
  goTo(`#/servers/one/logs?at=${NOW - 1000}`);
  expect(place.hash).toBe(`#/servers/one/logs?last=1h&at=${NOW - 1000}`);
});

it.each(['', '?last=3y', '?from=5', '?from=9&to=3', '?from=-1&to=x', '?last=__proto__'])(
  'an address with “%s” shows what fits',
  (text) => {
    expect(parseTime(text)).toBeUndefined();
    expect(aWindow(`#/usage${text}`).view.getState().span).toEqual(initialSpan);
  },
);

it('nothing stands in the address before somebody chooses', () => {
  expect(timeText(initialSpan)).toBe('');
});

it('the compared time stands in the address and is kept over starts, and an address without it changes nothing', () => {
  const { view, place, goTo, kept } = aWindow('#/usage?last=24h&compare=week');
  expect(view.getState().compared).toBe('week');
  view.setState({ compared: 'before' });
  expect(place.hash).toBe('#/usage?last=24h&compare=before');
  expect(aWindow('#/usage', kept()).view.getState().compared).toBe('before');
  goTo('#/activity?last=7d');
  expect(view.getState().compared).toBe('before');
});
