import { describe, expect, it } from 'vitest';
import type { CallMinute } from '../../../shared/call-figures.ts';
import { createCallStore } from '../../../renderer/store/call-store.ts';
import { createClockStore } from '../../../renderer/store/clock-store.ts';

const MINUTE_MS = 60_000;
const START_MS = 1_800_000_000_000;

const aMinute = (minute: number, calls = 1): CallMinute => ({
  at: START_MS + minute * MINUTE_MS,
  calls,
  errors: 0,
});

/** A store whose questions the test answers one by one. */
function bench() {
  const clock = createClockStore(() => START_MS);
  const asked: {
    server: string;
    sinceMs: number;
    answer: (minutes: CallMinute[]) => void;
    refuse: () => void;
  }[] = [];
  const calls = createCallStore(
    (server, sinceMs) =>
      new Promise((resolve, reject) => {
        asked.push({ server, sinceMs, answer: resolve, refuse: () => reject(new Error('no')) });
      }),
    clock,
  );
  const tick = async (minutes = 0) => {
    clock.setState({ now: clock.getState().now + 1000 + minutes * MINUTE_MS });
    await settled();
  };
  const minutesOf = () => calls.state.getState().minutes;
  return { asked, calls, tick, minutesOf };
}

const settled = () => new Promise<void>((resolve) => setTimeout(resolve));

describe('CallStore', () => {
  it('asks for the last hour, then for the latest minute anew and what came after it', async () => {
    const { asked, calls, tick, minutesOf } = bench();
    calls.follow('a');
    expect(asked).toMatchObject([{ server: 'a', sinceMs: START_MS - 60 * MINUTE_MS }]);
    expect(minutesOf()).toBeUndefined();
    asked[0]!.answer([aMinute(-2), aMinute(-1)]);
    await settled();
    await tick();
    expect(asked[1]?.sinceMs).toBe(START_MS - MINUTE_MS);
    asked[1]!.answer([aMinute(-1, 5), aMinute(0)]);
    await settled();
    expect(minutesOf()).toEqual([aMinute(-2), aMinute(-1, 5), aMinute(0)]);
  });

  it('keeps the identity of what says the same, so that nothing is drawn for it', async () => {
    const { asked, calls, tick, minutesOf } = bench();
    calls.follow('a');
    asked[0]!.answer([aMinute(0)]);
    await settled();
    const before = minutesOf();
    await tick();
    asked[1]!.answer([aMinute(0)]);
    await settled();
    expect(minutesOf()).toBe(before);
  });

  it('knows that there was no call, which is not the same as not to know', async () => {
    const { asked, calls, minutesOf } = bench();
    calls.follow('a');
    asked[0]!.answer([]);
    await settled();
    expect(minutesOf()).toEqual([]);
  });

  it('asks one question at a time, and again after a failure, and keeps what it has', async () => {
    const { asked, calls, tick, minutesOf } = bench();
    calls.follow('a');
    await tick();
    expect(asked).toHaveLength(1);
    asked[0]!.answer([aMinute(0)]);
    await settled();
    await tick();
    asked[1]!.refuse();
    await settled();
    await tick();
    expect(asked).toHaveLength(3);
    expect(minutesOf()).toEqual([aMinute(0)]);
  });

  it('lets go of what is over an hour old', async () => {
    const { asked, calls, tick, minutesOf } = bench();
    calls.follow('a');
    asked[0]!.answer([aMinute(0), aMinute(1)]);
    await settled();
    await tick(60.5);
    asked[1]!.answer([]);
    await settled();
    expect(minutesOf()).toEqual([aMinute(1)]);
  });

  it('shows nothing of one server for another, and is silent once nobody looks', async () => {
    const { asked, calls, tick } = bench();
    const leave = calls.follow('a');
    const leaveOther = calls.follow('b');
    leave();
    asked[0]!.answer([aMinute(0)]);
    await settled();
    expect(calls.state.getState()).toEqual({ server: 'b', minutes: undefined });
    leaveOther();
    expect(calls.state.getState()).toEqual({ server: undefined, minutes: undefined });
    const before = asked.length;
    await tick();
    expect(asked).toHaveLength(before);
  });
});
