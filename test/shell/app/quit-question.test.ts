import { describe, expect, it } from 'vitest';
import type { ClientUse } from '../../../shared/gateway.ts';
import type { QuitQuestion } from '../../../shared/quit-question.ts';
import { callsAtStake } from '../../../shared/calls-at-stake.ts';
import { callsAtQuit, QuitAsker, UNSEEN_LIMIT_MS } from '../../../electron/shell/app/quit-question.ts';
import { createFakeClock } from '../../core/fake-clock.ts';

function anAsker({ ownCalls = 0, asksQuestions = true } = {}) {
  const clock = createFakeClock();
  const atStake = { ownCalls, clients: [] };
  let shown = 0;
  const answers: boolean[] = [];
  const asker = new QuitAsker({ clock, asksQuestions, atStake: () => atStake, show: () => (shown += 1) });
  return {
    asker,
    clock,
    atStake,
    answers,
    shown: () => shown,
    ask: async (before: QuitQuestion['before'] = 'quit') => {
      void asker.may(before).then((may) => answers.push(may));
      await settle();
    },
  };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));
const use = (inFlight: number): ClientUse => ({
  server: 'db',
  count: 1,
  inFlight,
  lastSeenAt: 0,
  declares: [],
  programs: [],
  protocols: [],
  contextIds: [],
});

describe('QuitAsker', () => {
  it('asks nothing while no call is in flight, nor where nobody would answer', async () => {
    for (const options of [{ ownCalls: 0 }, { ownCalls: 3, asksQuestions: false }]) {
      const { answers, ask, shown } = anAsker(options);
      await ask();
      expect(answers).toEqual([true]);
      expect(shown()).toBe(0);
    }
  });

  it.each([true, false])('brings the window, and quits as the person says: %s', async (isYes) => {
    const { answers, ask, asker, shown } = anAsker({ ownCalls: 1 });
    await ask();
    expect(shown()).toBe(1);
    expect(asker.taken()).toEqual({ before: 'quit', ownCalls: 1, clients: [] });
    expect(answers).toEqual([]);
    asker.answer(isYes);
    await settle();
    expect(answers).toEqual([isYes]);
    expect(asker.taken()).toBeNull();
  });

  it('shows the same question once more when it is asked again meanwhile, and anew after the answer', async () => {
    const { answers, ask, asker, shown } = anAsker({ ownCalls: 1 });
    await ask();
    await ask();
    expect(shown()).toBe(2);
    asker.answer(false);
    await settle();
    expect(answers).toEqual([false, false]);
    await ask();
    expect([answers.length, shown()]).toEqual([2, 3]);
    asker.answer(true);
    await settle();
    expect(answers).toEqual([false, false, true]);
  });

  it('takes another question in place of the first, which counts as refused', async () => {
    const { answers, ask, asker } = anAsker({ ownCalls: 1 });
    await ask('stop-all');
    expect(asker.taken()).toMatchObject({ before: 'stop-all' });
    await ask('quit');
    expect(answers).toEqual([false]);
    expect(asker.taken()).toMatchObject({ before: 'quit' });
    asker.answer(true);
    await settle();
    expect(answers).toEqual([false, true]);
  });

  it('tells the page what is still in flight when it asks', async () => {
    const { ask, asker, atStake } = anAsker({ ownCalls: 2 });
    await ask();
    atStake.ownCalls = 0;
    expect(asker.taken()).toEqual({ before: 'quit', ownCalls: 0, clients: [] });
  });

  it('quits where no page takes the question, and waits without end for a person who reads it', async () => {
    const unseen = anAsker({ ownCalls: 1 });
    await unseen.ask();
    await unseen.clock.advance(UNSEEN_LIMIT_MS);
    expect(unseen.answers).toEqual([true]);

    const seen = anAsker({ ownCalls: 1 });
    await seen.ask();
    seen.asker.taken();
    await seen.clock.advance(100 * UNSEEN_LIMIT_MS);
    expect(seen.answers).toEqual([]);
    seen.asker.pageEnded();
    await seen.clock.advance(UNSEEN_LIMIT_MS);
    expect(seen.answers).toEqual([true]);
  });

  it('leaves no timer behind', async () => {
    const { ask, asker, clock } = anAsker({ ownCalls: 1 });
    await ask();
    asker.dispose();
    expect(clock.pending).toBe(0);
  });
});

describe('callsInFlight', () => {
  it('counts the calls of the window, and those of each client over all its servers', () => {
    const clients = [
      { name: 'Claude Desktop', sessions: [use(1), use(2)] },
      { name: 'quiet', sessions: [use(0)] },
    ];
    const question = callsAtQuit(2, clients);
    expect(question).toEqual({ ownCalls: 2, clients: [{ name: 'Claude Desktop', calls: 3 }] });
    expect(callsAtStake(question)).toBe(5);
  });
});
