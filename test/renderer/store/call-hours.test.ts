import { describe, expect, it } from 'vitest';
import type { CallMinute } from '../../../shared/call-figures.ts';
import { createCallHours } from '../../../renderer/store/call-hours.ts';
import { createClockStore } from '../../../renderer/store/clock-store.ts';

const MINUTE_MS = 60_000;
const START_MS = 1_800_000_000_000;
const settled = () => new Promise<void>((resolve) => setTimeout(resolve));

const aMinute = (minute: number, calls = 1): CallMinute => ({
  at: START_MS + minute * MINUTE_MS,
  calls,
  errors: 0,
});

/** Hours whose questions the test answers one by one. */
function bench() {
  const clock = createClockStore(() => START_MS);
  const asked: {
    server: string;
    sinceMs: number;
    answer: (...minutes: CallMinute[]) => Promise<void>;
    refuse: () => Promise<void>;
  }[] = [];
  const hours = createCallHours(
    (server, sinceMs) =>
      new Promise((resolve, reject) => {
        asked.push({
          ...{ server, sinceMs },
          answer: (...minutes) => (resolve(minutes), settled()),
          refuse: () => (reject(new Error('no')), settled()),
        });
      }),
    clock,
  );
  const at = (ms: number) => clock.setState({ now: START_MS + ms });
  const refresh = (names: string, called = '') =>
    hours.refresh([...names].map((name) => ({ name, isCalled: called.includes(name) })));
  const take = () => asked.splice(0);
  const names = () => asked.map(({ server }) => server).join('');
  return {
    asked,
    at,
    hours,
    refresh,
    take,
    names,
    minutesOf: (name: string) => hours.state.getState().get(name),
  };
}

describe('calls of all servers', () => {
  it('are asked about four at a time', async () => {
    const { names, refresh, take } = bench();
    refresh('abcdef');
    expect(names()).toBe('abcd');
    refresh('abcdef');
    expect(names()).toBe('abcd');
    for (const { answer } of take()) await answer();
    refresh('abcdef');
    expect(names()).toBe('ef');
  });

  it('are asked about again soon where there are some, and seldom elsewhere', async () => {
    const { at, names, refresh, take } = bench();
    refresh('ab');
    for (const { answer } of take()) await answer(aMinute(0));
    at(14_000);
    refresh('ab', 'a');
    expect(names()).toBe('');
    at(15_000);
    refresh('ab', 'a');
    expect(names()).toBe('a');
    at(299_000);
    refresh('b');
    expect(names()).toBe('a');
    at(300_000);
    refresh('b');
    expect(names()).toBe('ab');
  });

  it('stay when an answer fails to come, and change nothing for servers without any', async () => {
    const { asked, at, hours, refresh } = bench();
    refresh('ab');
    await asked[0]!.answer(aMinute(0));
    await asked[1]!.answer();
    const known = hours.state.getState();
    expect(known).toEqual(new Map([['a', [aMinute(0)]]]));
    at(300_000);
    refresh('a');
    await asked[2]!.refuse();
    expect(hours.state.getState()).toBe(known);
  });
});

describe('calls of a server that somebody looks at', () => {
  it('are asked for each second, from the latest minute on, which is anew', async () => {
    const { asked, at, hours, minutesOf } = bench();
    hours.follow('a');
    expect(asked).toMatchObject([{ server: 'a', sinceMs: START_MS - 60 * MINUTE_MS }]);
    at(1000);
    expect(asked).toHaveLength(1);
    await asked[0]!.answer(aMinute(-2), aMinute(-1));
    at(2000);
    expect(asked[1]?.sinceMs).toBe(START_MS - MINUTE_MS);
    await asked[1]!.answer(aMinute(-1, 5), aMinute(0));
    expect(minutesOf('a')).toEqual([aMinute(-2), aMinute(-1, 5), aMinute(0)]);
  });

  it('keep their identity while they say the same, so that nothing is drawn for it', async () => {
    const { asked, at, hours, minutesOf } = bench();
    hours.follow('a');
    await asked[0]!.answer(aMinute(0));
    const before = minutesOf('a');
    at(1000);
    await asked[1]!.answer(aMinute(0));
    expect(minutesOf('a')).toBe(before);
  });

  it('are known to be none, and are let go of after an hour', async () => {
    const { asked, at, hours, minutesOf } = bench();
    hours.follow('a');
    hours.follow('b');
    await asked[0]!.answer();
    expect([minutesOf('a'), minutesOf('b')]).toEqual([[], undefined]);
    await asked[1]!.answer(aMinute(0), aMinute(1));
    at(60.5 * MINUTE_MS);
    await asked[3]!.answer();
    expect(minutesOf('b')).toEqual([aMinute(1)]);
  });

  it('are asked for no longer once nobody looks', () => {
    const { asked, at, hours } = bench();
    hours.follow('a')();
    at(1000);
    expect(asked).toHaveLength(1);
  });
});
