import { describe, expect, it } from 'vitest';
import { createClockStore } from '../../../renderer/store/clock-store.ts';
import { pastKeyOf, PastStore } from '../../../renderer/store/past-store.ts';
import type { ControlPanelApi } from '../../../shared/ipc-contract.ts';
import { createPast } from '../../../renderer/store/past.ts';
import { openQuestions } from '../open-answer.ts';
import { HOUR_MS } from '../../../shared/units.ts';

const START_MS = 1_800_000_000_000;
const REFRESH_MS = 15_000;

interface AQuery {
  readonly server: string;
  readonly from: number;
  readonly to: number;
}

const lasting = (server = 'a'): AQuery => ({ server, from: START_MS - HOUR_MS, to: START_MS + HOUR_MS });
const over = (hour = 1): AQuery => ({
  server: 'a',
  from: START_MS - (hour + 1) * HOUR_MS,
  to: START_MS - hour * HOUR_MS,
});

/** A store whose questions the test answers one by one. */
function bench(refreshMs = REFRESH_MS) {
  const clock = createClockStore(() => START_MS);
  const { asked, ask, answer, refuse, settled } = openQuestions<AQuery, string>();
  const past = new PastStore<AQuery, string>(ask, () => refreshMs, clock);
  const pass = async (ms: number) => {
    clock.setState({ now: clock.getState().now + ms });
    await settled();
  };
  const known = (query: AQuery) => past.state.getState().get(pastKeyOf(query));
  return { asked, answer, refuse, past, pass, known, queries: () => asked.map(({ question }) => question) };
}

describe('PastStore', () => {
  it('asks anew when a span is opened whose answer is older than half a minute, and not before', async () => {
    const { asked, answer, past, pass, known } = bench(10 * REFRESH_MS);
    past.follow(lasting())();
    await answer(0, 'one');
    await pass(29_000);
    past.follow(lasting())();
    expect(asked).toHaveLength(1);
    await pass(1000);
    past.follow(lasting());
    expect(asked).toHaveLength(2);
    expect(known(lasting())?.reply).toBe('one');
  });

  it('asks again while the span lasts, at the pace that fits the answer, and never of a span that is over', async () => {
    const { asked, answer, queries, past, pass, known } = bench();
    past.follow(lasting());
    past.follow(over());
    await answer(0, 'one');
    await answer(1, 'past');
    await pass(REFRESH_MS - 1);
    expect(asked).toHaveLength(2);
    await pass(1);
    expect(queries().slice(2)).toEqual([lasting()]);
    expect(known(lasting())?.reply).toBe('one');
    await answer(2, 'two');
    expect(known(lasting())?.reply).toBe('two');
    await pass(24 * HOUR_MS);
    expect(queries().slice(3)).toEqual([lasting()]);
  });

  it('has one question on its way for each span, so that no answer overtakes a newer one', async () => {
    const { asked, answer, past, pass, known } = bench();
    past.follow(lasting());
    past.follow(lasting());
    past.askAgain(lasting());
    await pass(10 * REFRESH_MS);
    expect(asked).toHaveLength(1);
    await answer(0, 'one');
    expect(known(lasting())?.reply).toBe('one');
    await pass(REFRESH_MS);
    expect(asked).toHaveLength(2);
  });

  it('tells a failure beside what it knew, and tries again by itself and when asked to', async () => {
    const { answer, refuse, past, pass, known } = bench();
    past.follow(lasting());
    await answer(0, 'one');
    await pass(REFRESH_MS);
    await refuse(1);
    expect(known(lasting())).toEqual({ reply: 'one', error: { code: 'PROTOCOL_ERROR', message: 'no' } });
    await pass(10_000);
    await refuse(2);
    past.askAgain(lasting());
    await answer(3, 'two');
    expect(known(lasting())).toEqual({ reply: 'two', error: undefined });
  });

  it('asks nothing any more once nobody looks, and shows what it kept at once when somebody comes back', async () => {
    const { asked, answer, past, pass, known } = bench();
    const leave = past.follow(over());
    await answer(0, 'past');
    leave();
    leave();
    await pass(10 * REFRESH_MS);
    past.follow(over());
    await pass(10 * REFRESH_MS);
    expect(asked).toHaveLength(1);
    expect(known(over())?.reply).toBe('past');
  });

  it('keeps the answers of a dozen spans that nobody looks at, the oldest goes first', async () => {
    const { asked, answer, past, known } = bench();
    const looked = past.follow(over(99));
    for (let hour = 0; hour < 20; hour += 1) {
      const leave = past.follow(over(hour));
      await answer(asked.length - 1, `hour ${hour}`);
      leave();
    }
    await answer(0, 'looked at');
    expect(known(over(99))?.reply).toBe('looked at');
    expect(past.state.getState().size).toBe(13);
    expect(known(over(7))).toBeUndefined();
    expect(known(over(8))?.reply).toBe('hour 8');
    looked();
    expect(past.state.getState().size).toBe(12);
  });

  it('takes no answer of a span that was dropped while it was asked for', async () => {
    const { asked, answer, past } = bench();
    for (let hour = 0; hour < 20; hour += 1) past.follow(over(hour))();
    for (const at of asked.keys()) await answer(at, 'late');
    expect(past.state.getState().size).toBe(12);
  });
});

it('events are asked for again soon after a start, when the history may still be reading them, and seldom later', async () => {
  const clock = createClockStore(() => 1_000_000);
  let asked = 0;
  const getPastEvents = () =>
    Promise.resolve((asked += 1)).then(() => ({ events: [], hasMore: false, total: 0 }));
  const { events } = createPast({ getPastEvents } as unknown as ControlPanelApi, clock);
  const stop = events.follow({ from: 0, to: 9_000_000, limit: 1 });
  const at = async (second: number) => {
    await Promise.resolve();
    await Promise.resolve();
    clock.setState({ now: 1_000_000 + second * 1000 });
    return asked;
  };
  expect([await at(1), await at(6), await at(61), await at(120), await at(400)]).toEqual([1, 2, 2, 2, 3]);
  stop();
});
