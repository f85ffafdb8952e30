import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judge, type LivenessFacts } from '../../../../electron/core/supervisor/liveness/verdict.ts';

const T = 30_000;

/** An idle server that answered a second ago. */
const calm: LivenessFacts = {
  thresholdMs: T,
  probeIntervalMs: 10_000,
  isWindowFresh: false,
  isTraced: false,
  silentForMs: 1000,
  isEveryProbeKindUnanswered: false,
  canBeProbed: true,
  openCalls: 0,
  overdueCalls: 0,
  overdueForMs: 0,
  answersWhileBusy: false,
};
/** Deaf for a long time, probed while idle, with both kinds. */
const deaf: LivenessFacts = {
  ...calm,
  silentForMs: 3 * T,
  unansweredForMs: 3 * T,
  idleProbeUnansweredForMs: 3 * T,
  isEveryProbeKindUnanswered: true,
};

describe('the verdict table', () => {
  it.each<[string, LivenessFacts, string, number | undefined]>([
    ['0: nothing, right after an absence of ours', { ...deaf, isWindowFresh: true }, 'none', 0],
    ['1: nothing, while a debugger is attached', { ...deaf, isTraced: true, stoppedForMs: T }, 'paused', 1],
    [
      '2: stalled, once stopped by a signal for 10 s',
      { ...calm, stoppedForMs: 10_000, unansweredForMs: 9000 },
      'stalled',
      2,
    ],
    ['2: not yet, before those 10 s', { ...calm, stoppedForMs: 9999, unansweredForMs: 9000 }, 'alive', 3],
    ['2: not without an unanswered probe', { ...calm, stoppedForMs: 20_000 }, 'alive', 3],
    [
      '2: sooner, where the threshold is shorter',
      { ...calm, thresholdMs: 2000, stoppedForMs: 2000, unansweredForMs: 1 },
      'stalled',
      2,
    ],
    ['3: alive, with activity within the threshold', { ...deaf, silentForMs: T - 1 }, 'alive', 3],
    [
      '4: stalled, when an idle probe is unanswered for the threshold',
      { ...deaf, idleProbeUnansweredForMs: T },
      'stalled',
      4,
    ],
    ['4: whatever calls came later', { ...deaf, openCalls: 3 }, 'stalled', 4],
    ['4: not yet, before the threshold', { ...deaf, idleProbeUnansweredForMs: T - 1 }, 'waiting', undefined],
    [
      '5: suspect, when a server proven to answer during calls is silent',
      { ...calm, silentForMs: T, openCalls: 1, answersWhileBusy: true },
      'suspect',
      5,
    ],
    [
      '5: still suspect at twice the threshold, while a second probe kind was not asked',
      { ...calm, silentForMs: 2 * T, openCalls: 1, answersWhileBusy: true },
      'suspect',
      5,
    ],
    [
      '5: stalled at twice the threshold, with every probe kind unanswered',
      { ...calm, silentForMs: 2 * T, openCalls: 1, answersWhileBusy: true, isEveryProbeKindUnanswered: true },
      'stalled',
      5,
    ],
    [
      '6: never, when it is not proven',
      {
        ...calm,
        silentForMs: 100 * T,
        openCalls: 1,
        isEveryProbeKindUnanswered: true,
        unansweredForMs: 90 * T,
      },
      'busy',
      6,
    ],
    [
      '7: one more question, when every deadline has passed',
      { ...calm, silentForMs: 10 * T, overdueCalls: 1, overdueForMs: 12_000 },
      'busy',
      7,
    ],
    [
      '7: stalled, when that is unanswered too',
      {
        ...calm,
        silentForMs: 10 * T,
        overdueCalls: 1,
        overdueForMs: 12_000,
        overdueProbeUnansweredForMs: 10_000,
      },
      'stalled',
      7,
    ],
    [
      '7: not while another call has an open deadline',
      { ...calm, silentForMs: 10 * T, openCalls: 1, overdueCalls: 1, overdueProbeUnansweredForMs: 10_000 },
      'busy',
      6,
    ],
    [
      '8: never, when no probe kind works and nothing is unfinished',
      { ...calm, silentForMs: 1000 * T, canBeProbed: false },
      'unknown',
      8,
    ],
    [
      '9: never, when it sends messages and owes an answer for the threshold, with nothing unfinished',
      { ...calm, answerOwedForMs: T },
      'unknown',
      9,
    ],
    ['9: not yet, before the threshold', { ...calm, answerOwedForMs: T - 1 }, 'alive', 3],
    [
      '9: not while a call may be what keeps it',
      { ...calm, answerOwedForMs: 9 * T, openCalls: 1 },
      'alive',
      3,
    ],
    ['9: nor one that is overdue', { ...calm, answerOwedForMs: 9 * T, overdueCalls: 1 }, 'alive', 3],
    ['9: silent as well, it is deaf', { ...deaf, answerOwedForMs: 3 * T }, 'stalled', 4],
  ])('row %s', (_name, facts, kind, row) => {
    const verdict = judge(facts);
    expect(verdict.kind).toBe(kind);
    expect('row' in verdict ? verdict.row : undefined).toBe(row);
  });

  const anyFacts: fc.Arbitrary<LivenessFacts> = fc.record({
    thresholdMs: fc.constant(T),
    probeIntervalMs: fc.constant(10_000),
    isWindowFresh: fc.boolean(),
    isTraced: fc.boolean(),
    stoppedForMs: fc.option(fc.nat(4 * T), { nil: undefined }),
    silentForMs: fc.nat(4 * T),
    unansweredForMs: fc.option(fc.nat(4 * T), { nil: undefined }),
    idleProbeUnansweredForMs: fc.option(fc.nat(4 * T), { nil: undefined }),
    isEveryProbeKindUnanswered: fc.boolean(),
    canBeProbed: fc.boolean(),
    openCalls: fc.nat(3),
    overdueCalls: fc.nat(3),
    overdueForMs: fc.nat(4 * T),
    overdueProbeUnansweredForMs: fc.option(fc.nat(4 * T), { nil: undefined }),
    answerOwedForMs: fc.option(fc.nat(4 * T), { nil: undefined }),
    answersWhileBusy: fc.boolean(),
  });

  it('convicts nobody who was heard within the threshold, unless a signal has stopped it', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const verdict = judge({ ...facts, stoppedForMs: undefined, silentForMs: facts.silentForMs % T });
        expect(['none', 'paused', 'alive', 'unknown']).toContain(verdict.kind);
      }),
    );
  });

  it('doubts the health of one that was heard if, and only if, it owes an answer and has nothing else to do', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const heard = { ...facts, isWindowFresh: false, isTraced: false, stoppedForMs: undefined };
        const verdict = judge({ ...heard, silentForMs: facts.silentForMs % T });
        const owes = (facts.answerOwedForMs ?? 0) >= T && facts.openCalls + facts.overdueCalls === 0;
        expect(verdict).toEqual(owes ? { kind: 'unknown', row: 9 } : { kind: 'alive', row: 3 });
      }),
    );
  });

  it('judges a silent one the same, whatever it owes besides', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const silent = { ...facts, silentForMs: T + facts.silentForMs };
        expect(judge(silent)).toEqual(judge({ ...silent, answerOwedForMs: undefined }));
      }),
    );
  });

  it('convicts nobody without a question that stayed unanswered', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const unasked = {
          ...facts,
          unansweredForMs: undefined,
          idleProbeUnansweredForMs: undefined,
          overdueProbeUnansweredForMs: undefined,
          isEveryProbeKindUnanswered: false,
        };
        expect(judge(unasked).kind).not.toBe('stalled');
      }),
    );
  });

  it('convicts nobody who is at a call within its deadline and was never heard during one, unless it was deaf before', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const busy = {
          ...facts,
          stoppedForMs: undefined,
          idleProbeUnansweredForMs: undefined,
          openCalls: 1,
          answersWhileBusy: false,
        };
        expect(judge(busy).kind).not.toBe('stalled');
      }),
    );
  });
});
