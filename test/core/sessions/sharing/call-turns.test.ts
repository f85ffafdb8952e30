import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  CallTurns,
  noEvidence,
  SHORTEST_WAIT_MS,
  WAITS_TO_LEARN,
  withCall,
  type AnsweredCall,
  type AnswerOrder,
} from '../../../../electron/core/sessions/sharing/call-turns.ts';

/** When each call is written, and how long the server works on it. */
interface Work {
  readonly writtenAtMs: number;
  readonly takesMs: number;
}

const works = (most: number) =>
  fc
    .array(
      fc.record({ gapMs: fc.integer({ min: 0, max: 2000 }), takesMs: fc.integer({ min: 1, max: 3000 }) }),
      {
        maxLength: most,
      },
    )
    .map((calls) => {
      let atMs = 0;
      return calls.map(({ gapMs, takesMs }): Work => ({ writtenAtMs: (atMs += gapMs), takesMs }));
    });

/** When each call is answered by a server that takes them in the order in which they come. */
function answeredInTurn(calls: readonly Work[]): number[] {
  let freeAtMs = 0;
  return calls.map(({ writtenAtMs, takesMs }) => (freeAtMs = Math.max(freeAtMs, writtenAtMs) + takesMs));
}

const answeredAtOnce = (calls: readonly Work[]) =>
  calls.map(({ writtenAtMs, takesMs }) => writtenAtMs + takesMs);

/** What is learnt when the calls are answered at these times, in the order in which it is learnt. */
function learnt(calls: readonly Work[], answers: readonly number[]): AnswerOrder[] {
  const orders: AnswerOrder[] = [];
  let nowMs = 0;
  const turns = new CallTurns({ now: () => nowMs }, (order) => orders.push(order));
  const ends: (() => void)[] = [];
  const begin = (index: number) => () => {
    const call = turns.begin();
    ends[index] = () => turns.ended(call, 'result');
  };
  const steps = calls.flatMap(({ writtenAtMs }, index) => [
    { atMs: writtenAtMs, isEnd: false, run: begin(index) },
    { atMs: answers[index]!, isEnd: true, run: () => ends[index]?.() },
  ]);
  // What a server answers in this very moment it has answered before the next call comes.
  steps.sort((one, other) => one.atMs - other.atMs || Number(other.isEnd) - Number(one.isEnd));
  for (const { atMs, run } of steps) {
    nowMs = atMs;
    run();
  }
  return orders;
}

/** The calls of which one overtook another that was written before it. */
const overtaking = (answers: readonly number[]) =>
  answers.some((answeredAtMs, index) => answers.slice(0, index).some((former) => former > answeredAtMs));

describe('how a server answers calls that are open at the same time', () => {
  it('is never taken for at once where it takes them in turn', () => {
    fc.assert(
      fc.property(works(30), (calls) => {
        expect(learnt(calls, answeredInTurn(calls))).not.toContain('at-once');
      }),
    );
  });

  it('is at once as soon as one call overtakes another, and stays that', () => {
    fc.assert(
      fc.property(works(30), (calls) => {
        const answers = answeredAtOnce(calls);
        const orders = learnt(calls, answers);
        expect(orders.at(-1) === 'at-once').toBe(overtaking(answers));
      }),
    );
  });

  it('is in turn after enough waits, one after the other, each far longer than the work on the call', () => {
    const round = (index: number): Work[] => [
      { writtenAtMs: index * 1000, takesMs: 400 },
      { writtenAtMs: index * 1000 + 10, takesMs: 5 },
    ];
    const rounds = (count: number) => Array.from({ length: count }, (_, index) => round(index)).flat();
    const orders = (count: number) => learnt(rounds(count), answeredInTurn(rounds(count)));
    expect(orders(WAITS_TO_LEARN - 1)).toEqual([]);
    expect(orders(WAITS_TO_LEARN)).toEqual(['in-turn']);
    expect(orders(WAITS_TO_LEARN + 9)).toEqual(['in-turn']);
  });

  it('is not told by calls that all waited for one moment in which the server stood still', () => {
    const calls = Array.from({ length: 50 }, (_, index) => ({ writtenAtMs: index, takesMs: 1 }));
    const answers = calls.map((_, index) => 3000 + index);
    expect(learnt(calls, answers)).toEqual([]);
  });

  it('is not told by calls that end without a result', () => {
    let nowMs = 0;
    const orders: AnswerOrder[] = [];
    const turns = new CallTurns({ now: () => nowMs }, (order) => orders.push(order));
    for (let round = 0; round < 2 * WAITS_TO_LEARN; round += 1) {
      const [long, short, refused] = [turns.begin(), turns.begin(), turns.begin()];
      turns.ended(refused, 'unclear');
      nowMs += 400;
      turns.ended(long, 'result');
      turns.ended(short, 'result');
      nowMs += 1;
    }
    expect(orders).toEqual([]);
  });
});

describe('withCall', () => {
  const waited: AnsweredCall = {
    writtenAtMs: 0,
    formerAnswerAtMs: SHORTEST_WAIT_MS,
    answeredAtMs: SHORTEST_WAIT_MS + 10,
    isOvertaking: false,
  };
  it.each([
    ['a wait', {}, 1],
    ['a wait that is too short', { writtenAtMs: 1 }, 0],
    ['a call that takes long itself', { answeredAtMs: SHORTEST_WAIT_MS + 100 }, 0],
    ['a call that takes a quarter of its time itself', { formerAnswerAtMs: 300, answeredAtMs: 400 }, 1],
    ['a call that takes a bit more', { formerAnswerAtMs: 300, answeredAtMs: 401 }, 0],
    ['a call behind none', { formerAnswerAtMs: undefined }, 0],
  ])('counts %s as it should', (_, change, waits) => {
    expect(withCall(noEvidence, { ...waited, ...change }).waits).toBe(waits);
  });

  it('keeps a proof, whatever comes after it', () => {
    const proven = withCall(noEvidence, { ...waited, isOvertaking: true });
    expect(proven.order).toBe('at-once');
    expect(withCall(proven, waited)).toBe(proven);
  });

  it('counts a wait that began before the end of the last one with it', () => {
    const once = withCall(noEvidence, waited);
    expect(
      withCall(once, { ...waited, writtenAtMs: 259, formerAnswerAtMs: 900, answeredAtMs: 901 }).waits,
    ).toBe(1);
    expect(
      withCall(once, { ...waited, writtenAtMs: 260, formerAnswerAtMs: 900, answeredAtMs: 901 }).waits,
    ).toBe(2);
  });
});
