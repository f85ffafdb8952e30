import { describe, expect, it } from 'vitest';
import type { CallMinute } from '../../../shared/call-figures.ts';
import { createCallHours } from '../../../renderer/store/call-hours.ts';

const START_MS = 1_800_000_000_000;
const minute: CallMinute = { at: START_MS, calls: 3, errors: 0 };
const settled = () => new Promise<void>((resolve) => setTimeout(resolve));

/** Hours whose questions the test answers one by one. */
function bench() {
  const asked: { server: string; answer: (minutes: CallMinute[]) => void; refuse: () => void }[] = [];
  const hours = createCallHours(
    (server) =>
      new Promise((resolve, reject) => {
        asked.push({ server, answer: resolve, refuse: () => reject(new Error('no')) });
      }),
  );
  const refresh = (names: string, now = START_MS, called = '') =>
    hours.refresh(
      [...names].map((name) => ({ name, isCalled: called.includes(name) })),
      now,
    );
  const take = () =>
    asked
      .splice(0)
      .map(({ server }) => server)
      .join('');
  return { asked, hours, refresh, take };
}

describe('CallHours', () => {
  it('asks about all servers, four at a time', async () => {
    const { asked, refresh, take } = bench();
    refresh('abcdef');
    const first = [...asked];
    expect(take()).toBe('abcd');
    refresh('abcdef');
    expect(take()).toBe('');
    for (const { answer } of first) answer([]);
    await settled();
    refresh('abcdef');
    expect(take()).toBe('ef');
  });

  it('asks again about those that are called, soon, and about the others seldom', async () => {
    const { asked, refresh, take } = bench();
    refresh('ab');
    for (const { answer } of asked) answer([minute]);
    take();
    await settled();
    refresh('ab', START_MS + 14_000, 'a');
    expect(take()).toBe('');
    refresh('ab', START_MS + 15_000, 'a');
    expect(take()).toBe('a');
    refresh('b', START_MS + 299_000);
    expect(take()).toBe('');
    refresh('b', START_MS + 300_000);
    expect(take()).toBe('b');
  });

  it('keeps what it knows when an answer fails to come, and changes nothing for servers without calls', async () => {
    const { asked, hours, refresh } = bench();
    refresh('ab');
    asked[0]!.answer([minute]);
    asked[1]!.answer([]);
    await settled();
    const known = hours.state.getState();
    expect(known).toEqual(new Map([['a', [minute]]]));
    refresh('a', START_MS + 300_000);
    asked[2]!.refuse();
    await settled();
    expect(hours.state.getState()).toBe(known);
  });
});
