import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  judge,
  type LivenessFacts,
  type VerdictRow,
} from '../../../../electron/core/supervisor/liveness/verdict.ts';

const T = 30_000;

/** Facts of an idle server that answered a second ago. */
const calm: LivenessFacts = {
  thresholdMs: T,
  probeIntervalMs: 10_000,
  workAllowanceMs: 10 * T,
  onSuspect: 'notify',
  isWindowFresh: false,
  isTraced: false,
  silentForMs: 1000,
  hasAnsweredProbe: true,
  isComputingSinceProbe: false,
  isComputingInSilence: false,
  isEveryProbeKindUnanswered: false,
  canBeProbed: true,
  begunCalls: 0,
  queuedCalls: 0,
  overdueCalls: 0,
  overdueForMs: 0,
  hadRegularHeartbeats: false,
  answeredDuringCalls: false,
};
/** Facts of a server that is deaf for a long time, probed while idle, with both kinds. */
const deaf: LivenessFacts = {
  ...calm,
  silentForMs: 3 * T,
  unansweredForMs: 3 * T,
  idleProbeUnansweredForMs: 3 * T,
  isEveryProbeKindUnanswered: true,
};
/** Facts of a server silent in a call for twice the threshold, every question unanswered. */
const atWork: LivenessFacts = {
  ...calm,
  silentForMs: 2 * T,
  begunCalls: 1,
  unansweredForMs: T,
  isEveryProbeKindUnanswered: true,
};
/** Facts after every deadline, with one more question unanswered. */
const overdue: LivenessFacts = {
  ...calm,
  silentForMs: 2 * T,
  overdueCalls: 1,
  overdueForMs: 12_000,
  overdueProbeUnansweredForMs: 10_000,
};

describe('the verdict table', () => {
  it.each<[string, LivenessFacts, string, VerdictRow | undefined]>([
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
    [
      '2: names the cause where a short threshold is reached first',
      { ...deaf, thresholdMs: 2000, stoppedForMs: 1500 },
      'stalled',
      2,
    ],
    ['4: whatever calls came later', { ...deaf, begunCalls: 3 }, 'stalled', 4],
    ['4: not yet, before the threshold', { ...deaf, idleProbeUnansweredForMs: T - 1 }, 'waiting', undefined],
    [
      '4: not where this run has answered no probe yet: it may be loading from a slow disk',
      { ...deaf, hasAnsweredProbe: false },
      'unknown',
      4,
    ],
    [
      '4: stalled there, once the allowance is used up',
      { ...deaf, hasAnsweredProbe: false, idleProbeUnansweredForMs: 10 * T },
      'stalled',
      4,
    ],
    ['4b: working, while it computes', { ...deaf, isComputingSinceProbe: true }, 'working', '4b'],
    [
      '4b: working, whatever calls came later',
      { ...deaf, isComputingSinceProbe: true, begunCalls: 1 },
      'working',
      '4b',
    ],
    [
      '4b: stalled, once it has computed through the allowance',
      { ...deaf, isComputingSinceProbe: true, idleProbeUnansweredForMs: 10 * T },
      'stalled',
      '4b',
    ],
    [
      '5: suspect, when its heartbeats have stopped in a call',
      { ...atWork, silentForMs: T, hadRegularHeartbeats: true },
      'suspect',
      5,
    ],
    [
      '5: still suspect at twice the threshold, while a second probe kind was not asked',
      { ...atWork, hadRegularHeartbeats: true, isEveryProbeKindUnanswered: false },
      'suspect',
      5,
    ],
    [
      '5: stalled at twice the threshold, with every probe kind unanswered',
      { ...atWork, hadRegularHeartbeats: true },
      'stalled',
      5,
    ],
    [
      '5: still suspect then, while it computes: heartbeats of its loop stop with the loop',
      { ...atWork, hadRegularHeartbeats: true, isComputingInSilence: true },
      'suspect',
      5,
    ],
    [
      '5b: suspect, when it has answered during this call and does so no more',
      { ...atWork, answeredDuringCalls: true },
      'suspect',
      '5b',
    ],
    [
      '5b: stalled only where a person says so',
      { ...atWork, answeredDuringCalls: true, onSuspect: 'restart' },
      'stalled',
      '5b',
    ],
    [
      '5b: and not before twice the threshold',
      { ...atWork, answeredDuringCalls: true, onSuspect: 'restart', silentForMs: 2 * T - 1 },
      'suspect',
      '5b',
    ],
    ['6: never, when neither is known', { ...atWork, silentForMs: 100 * T }, 'busy', 6],
    [
      '7: one more question, when every deadline has passed',
      { ...overdue, overdueProbeUnansweredForMs: undefined },
      'busy',
      7,
    ],
    ['7: stalled, when that is unanswered too', overdue, 'stalled', 7],
    ['7: not within two thresholds of silence', { ...overdue, silentForMs: 2 * T - 1 }, 'busy', 7],
    [
      '7: stalled, though it speaks, when it has answered nothing for two thresholds',
      { ...overdue, silentForMs: 100, provenProbeUnansweredForMs: 2 * T },
      'stalled',
      7,
    ],
    [
      '7: alive, where it speaks and is not known to answer any question',
      { ...overdue, silentForMs: 100 },
      'alive',
      3,
    ],
    [
      '7: stalled, however many calls wait behind a question that it has not come to',
      { ...overdue, queuedCalls: 5 },
      'stalled',
      7,
    ],
    [
      '6: busy, while calls wait behind a question and nothing is overdue',
      { ...atWork, begunCalls: 0, queuedCalls: 2 },
      'busy',
      6,
    ],
    [
      '7: not while another call that it may be at has an open deadline',
      { ...overdue, begunCalls: 1 },
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
      { ...calm, answerOwedForMs: 9 * T, begunCalls: 1 },
      'alive',
      3,
    ],
    [
      '9: nor one that waits behind a question',
      { ...calm, answerOwedForMs: 9 * T, queuedCalls: 1 },
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
    begunCalls: fc.nat(3),
    queuedCalls: fc.nat(3),
    overdueCalls: fc.nat(3),
    overdueForMs: fc.nat(4 * T),
    overdueProbeUnansweredForMs: fc.option(fc.nat(4 * T), { nil: undefined }),
    answerOwedForMs: fc.option(fc.nat(4 * T), { nil: undefined }),
    provenProbeUnansweredForMs: fc.option(fc.nat(4 * T), { nil: undefined }),
    workAllowanceMs: fc.integer({ min: T, max: 4 * T }),
    onSuspect: fc.constantFrom('restart', 'notify'),
    hasAnsweredProbe: fc.boolean(),
    isComputingSinceProbe: fc.boolean(),
    isComputingInSilence: fc.boolean(),
    hadRegularHeartbeats: fc.boolean(),
    answeredDuringCalls: fc.boolean(),
  });

  it('convicts nobody who was heard within the threshold, unless a signal has stopped it or every call is overdue', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const heard = { ...facts, stoppedForMs: undefined, silentForMs: facts.silentForMs % T };
        const verdict = judge({ ...heard, overdueCalls: 0 });
        expect(['none', 'paused', 'alive', 'unknown']).toContain(verdict.kind);
      }),
    );
  });

  it('doubts the health of one that was heard if, and only if, it owes an answer and has nothing else to do', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const heard = { ...facts, isWindowFresh: false, isTraced: false, stoppedForMs: undefined };
        const verdict = judge({ ...heard, silentForMs: facts.silentForMs % T });
        if (verdict.kind === 'stalled') {
          expect(verdict.row).toBe(7);
          return;
        }
        const owes =
          (facts.answerOwedForMs ?? 0) >= T &&
          facts.begunCalls + facts.queuedCalls + facts.overdueCalls === 0;
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
          provenProbeUnansweredForMs: undefined,
          isEveryProbeKindUnanswered: false,
        };
        expect(judge(unasked).kind).not.toBe('stalled');
      }),
    );
  });

  it('convicts nobody who may be at a call within its deadline and was not heard during it, unless it was deaf before', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const busy = {
          ...facts,
          stoppedForMs: undefined,
          idleProbeUnansweredForMs: undefined,
          begunCalls: 1,
          hadRegularHeartbeats: false,
          answeredDuringCalls: false,
        };
        expect(judge(busy).kind).not.toBe('stalled');
      }),
    );
  });

  it('convicts nobody for what it does not answer while it computes, before the allowance is used up', () => {
    fc.assert(
      fc.property(anyFacts, fc.nat(), (facts, ms) => {
        const idleProbeUnansweredForMs = ms % facts.workAllowanceMs;
        const computing = { ...facts, stoppedForMs: undefined, overdueCalls: 0, idleProbeUnansweredForMs };
        const verdict = judge({
          ...computing,
          silentForMs: idleProbeUnansweredForMs,
          isComputingSinceProbe: true,
          isComputingInSilence: true,
        });
        expect(verdict.kind).not.toBe('stalled');
      }),
    );
  });
});
