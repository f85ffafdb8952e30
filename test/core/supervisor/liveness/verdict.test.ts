import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Work } from '../../../../electron/core/supervisor/liveness/tree-looks.ts';
import {
  isActedUpon,
  judge,
  type LivenessFacts,
  type VerdictRow,
} from '../../../../electron/core/supervisor/liveness/verdict.ts';

const T = 30_000;
const INTERVAL = 10_000;
const W = 10 * T;

/** Facts of an idle server that answered a second ago. */
const calm: LivenessFacts = {
  thresholdMs: T,
  probeIntervalMs: INTERVAL,
  workAllowanceMs: W,
  idleAllowanceMs: W,
  onSuspect: 'notify',
  isWindowFresh: false,
  isHeld: false,
  silentForMs: 1000,
  hasAnsweredProbe: true,
  workSinceProbe: 'none',
  workInSilence: 'none',
  canBeProbed: true,
  begunCalls: 0,
  queuedCalls: 0,
  overdueCalls: 0,
  overdueForMs: 0,
  overdueUnansweredForMs: 0,
  isOverdueProbeProven: false,
  workSinceDeadline: 'none',
  lostCalls: 0,
  answeredDuringCalls: false,
};
/** Facts of a server that is deaf for a long time, probed while idle. */
const deaf: LivenessFacts = {
  ...calm,
  silentForMs: 3 * T,
  unansweredForMs: 3 * T,
  idleProbeUnansweredForMs: 3 * T,
};
/** Facts of a server silent in a call for twice the threshold, with a question unanswered. */
const atWork: LivenessFacts = { ...calm, silentForMs: 2 * T, begunCalls: 1, unansweredForMs: T };
const loading = { ...deaf, hasAnsweredProbe: false };
const computing: LivenessFacts = { ...deaf, workSinceProbe: 'computing' };
const unseen: LivenessFacts = { ...deaf, workSinceProbe: 'unseen' };
/** The same of one that had answered during the call, where a person wants it restarted. */
const hungInCall: LivenessFacts = { ...atWork, answeredDuringCalls: true, onSuspect: 'restart' };
/** Facts two thresholds after every deadline, with one more question unanswered. */
const overdue: LivenessFacts = {
  ...calm,
  silentForMs: 5 * T,
  overdueCalls: 1,
  overdueForMs: 2 * T,
  overdueUnansweredForMs: 2 * T,
  overdueProbeUnansweredForMs: INTERVAL,
  isOverdueProbeProven: true,
};
/** Facts of a server whose own check has failed, which only tells. */
const checkFailed: LivenessFacts = {
  ...calm,
  failedCheck: { words: 'health check "a" failed', onFail: 'notify' },
};
const checkConvicts: LivenessFacts = {
  ...calm,
  failedCheck: { words: 'health check "a" failed', onFail: 'restart' },
};
const talking = { ...overdue, silentForMs: 100 };

describe('the verdict table', () => {
  it.each<[string, LivenessFacts, verdict: string]>([
    ['0: nothing, right after an absence of ours', { ...deaf, isWindowFresh: true }, 'none 0'],
    ['1: nothing, while a debugger holds it', { ...deaf, isHeld: true, stoppedForMs: T }, 'held 1'],
    [
      '2: stalled, once stopped by a signal for 10 s',
      { ...calm, stoppedForMs: 10_000, unansweredForMs: 9000 },
      'stalled 2',
    ],
    ['2: not yet, before those 10 s', { ...calm, stoppedForMs: 9999, unansweredForMs: 9000 }, 'alive 3'],
    ['2: not without an unanswered probe', { ...calm, stoppedForMs: 20_000 }, 'alive 3'],
    [
      '2: sooner, where the threshold is shorter',
      { ...calm, thresholdMs: 2000, stoppedForMs: 2000, unansweredForMs: 1 },
      'stalled 2',
    ],
    ['3: alive, with activity within the threshold', { ...deaf, silentForMs: T - 1 }, 'alive 3'],
    [
      '4: suspect, when an idle probe is unanswered for the threshold and it used no CPU',
      { ...deaf, idleProbeUnansweredForMs: T },
      'suspect 4',
    ],
    ['4: suspect until twice the threshold', { ...deaf, idleProbeUnansweredForMs: 2 * T - 1 }, 'suspect 4'],
    ['4: stalled at twice the threshold', { ...deaf, idleProbeUnansweredForMs: 2 * T }, 'stalled 4'],
    ['4: whatever calls came later', { ...deaf, begunCalls: 3 }, 'stalled 4'],
    ['4: not yet, before the threshold', { ...deaf, idleProbeUnansweredForMs: T - 1 }, 'waiting'],
    [
      '4: not where this run has answered no probe yet: it may be loading from a slow disk',
      loading,
      'unknown 4',
    ],
    [
      '4: stalled there, once the allowance is used up',
      { ...loading, idleProbeUnansweredForMs: W },
      'stalled 4',
    ],
    ['4b: working, while it computes', computing, 'working 4b'],
    ['4b: working, where nobody sees whether it computes', unseen, 'working 4b'],
    ['4b: working, whatever calls came later', { ...computing, begunCalls: 1 }, 'working 4b'],
    [
      '4b: stalled, once it has computed through the allowance',
      { ...computing, idleProbeUnansweredForMs: W },
      'stalled 4b',
    ],
    ['4b: the same where nobody sees it', { ...unseen, idleProbeUnansweredForMs: W }, 'stalled 4b'],
    [
      '5b: suspect, when it has answered during this call and does so no more',
      { ...atWork, answeredDuringCalls: true },
      'suspect 5b',
    ],
    ['5b: stalled only where a person says so', hungInCall, 'stalled 5b'],
    ['5b: and not before twice the threshold', { ...hungInCall, silentForMs: 2 * T - 1 }, 'suspect 5b'],
    ['5b: nor while it computes', { ...hungInCall, workInSilence: 'computing' }, 'suspect 5b'],
    ['5b: nor without an unanswered probe', { ...hungInCall, unansweredForMs: undefined }, 'suspect 5b'],
    ['6: never, when that is not known', { ...atWork, silentForMs: 100 * T }, 'busy 6'],
    [
      '7: one more question, when every deadline has passed',
      { ...overdue, overdueProbeUnansweredForMs: undefined },
      'overdue 7',
    ],
    [
      '7: not before that is unanswered for an interval',
      { ...overdue, overdueProbeUnansweredForMs: INTERVAL - 1 },
      'overdue 7',
    ],
    ['7: stalled, when that is unanswered too', overdue, 'stalled 7'],
    [
      '7: not within two thresholds of the deadline, however long it was silent before',
      { ...overdue, silentForMs: 100 * T, overdueUnansweredForMs: 2 * T - 1 },
      'overdue 7',
    ],
    ['7: stalled, though it speaks, when it has answered nothing for two thresholds', talking, 'stalled 7'],
    [
      '7: alive, where it speaks and is not known to answer any question',
      { ...talking, isOverdueProbeProven: false },
      'alive 3',
    ],
    [
      '7: stalled, however many calls wait behind a question that it has not come to',
      { ...overdue, queuedCalls: 5 },
      'stalled 7',
    ],
    [
      '6: busy, while calls wait behind a question and nothing is overdue',
      { ...atWork, begunCalls: 0, queuedCalls: 2 },
      'busy 6',
    ],
    [
      '7: not while another call that it may be at has an open deadline',
      { ...overdue, begunCalls: 1 },
      'busy 6',
    ],
    [
      '7b: not while it has computed since the deadline',
      { ...overdue, workSinceDeadline: 'computing' },
      'overdue 7b',
    ],
    ['7b: nor where nobody sees it', { ...overdue, workSinceDeadline: 'unseen' }, 'overdue 7b'],
    ['7b: nor though it speaks', { ...talking, workSinceDeadline: 'computing' }, 'overdue 7b'],
    [
      '7b: stalled, once it has computed through the allowance',
      { ...overdue, workSinceDeadline: 'computing', overdueUnansweredForMs: W },
      'stalled 7b',
    ],
    ['7c: never, when it answers checks and not its calls', { ...calm, lostCalls: 3 }, 'overdue 7c'],
    ['7c: not while it is at a new call', { ...calm, lostCalls: 3, begunCalls: 1 }, 'alive 3'],
    [
      '8: never, when no probe kind works and nothing is unfinished',
      { ...calm, silentForMs: 1000 * T, canBeProbed: false },
      'unknown 8',
    ],
    [
      '9: never, when it sends messages and owes an answer for the threshold, with nothing unfinished',
      { ...calm, answerOwedForMs: T },
      'unknown 9',
    ],
    ['9: not yet, before the threshold', { ...calm, answerOwedForMs: T - 1 }, 'alive 3'],
    ['9: before what it did not answer earlier', { ...calm, answerOwedForMs: T, lostCalls: 1 }, 'unknown 9'],
    [
      '9: not while a call may be what keeps it',
      { ...calm, answerOwedForMs: 9 * T, begunCalls: 1 },
      'alive 3',
    ],
    [
      '9: nor one that waits behind a question',
      { ...calm, answerOwedForMs: 9 * T, queuedCalls: 1 },
      'alive 3',
    ],
    ['9: nor one that is overdue', { ...calm, answerOwedForMs: 9 * T, overdueCalls: 1 }, 'alive 3'],
    ['9: silent as well, it is deaf', { ...deaf, answerOwedForMs: 3 * T }, 'stalled 4'],
    ['10: suspect, when a person’s own check has failed', checkFailed, 'suspect 10'],
    ['10: stalled only where a person says so', checkConvicts, 'stalled 10'],
    ['10: and nobody whose call is in flight', { ...checkConvicts, begunCalls: 1 }, 'suspect 10'],
    ['10: nor one whose call waits behind a question', { ...checkConvicts, queuedCalls: 1 }, 'suspect 10'],
    ['10: behind rows 0, 1 and 2', { ...checkConvicts, isWindowFresh: true }, 'none 0'],
    ['10: behind row 1', { ...checkConvicts, isHeld: true }, 'held 1'],
    ['10: behind row 2', { ...checkFailed, stoppedForMs: T, unansweredForMs: T }, 'stalled 2'],
    ['10: behind row 9', { ...checkConvicts, answerOwedForMs: T }, 'unknown 9'],
    ['10: before rows that do not convict', { ...checkFailed, lostCalls: 3 }, 'suspect 10'],
    [
      '10: and while it is silent in a call',
      { ...atWork, ...checkFailed, silentForMs: T, begunCalls: 1 },
      'suspect 10',
    ],
    ['10: it hides no conviction by row 4', { ...deaf, failedCheck: checkFailed.failedCheck }, 'stalled 4'],
    ['10: nor by row 7', { ...overdue, failedCheck: checkFailed.failedCheck }, 'stalled 7'],
  ])('row %s', (_name, facts, expected) => {
    const verdict = judge(facts);
    expect('row' in verdict ? `${verdict.kind} ${verdict.row}` : verdict.kind).toBe(expected);
  });

  it('says with a stall how long, during what, and whether it computed', () => {
    const wordsOf = (facts: LivenessFacts) => {
      const verdict = judge(facts);
      return 'words' in verdict ? verdict.words : verdict.kind;
    };
    expect(wordsOf(deaf)).toBe('no answer for 90 s');
    expect(wordsOf({ ...computing, idleProbeUnansweredForMs: W })).toBe(
      'no answer for 90 s, computing all the time',
    );
    expect(wordsOf({ ...atWork, answeredDuringCalls: true })).toBe('no answer for 60 s during a call');
    expect(wordsOf(overdue)).toBe('call overdue by 60 s');
    expect(wordsOf({ ...calm, stoppedForMs: 10_000, unansweredForMs: 1 })).toBe(
      'stopped by a signal for 10 s',
    );
  });

  it('is acted upon, but for a server with an inspector only where a signal has stopped it', () => {
    const rows: VerdictRow[] = [2, 4, '4b', '5b', 7, '7b', 10];
    expect(rows.filter((row) => isActedUpon(row, false))).toEqual(rows);
    expect(rows.filter((row) => isActedUpon(row, true))).toEqual([2]);
  });

  const duration = fc.nat(4 * T);
  const maybe = fc.option(duration, { nil: undefined });
  const anyWork = fc.constantFrom<Work>('none', 'computing', 'unseen');
  const anyFacts: fc.Arbitrary<LivenessFacts> = fc.record({
    thresholdMs: fc.constant(T),
    probeIntervalMs: fc.constant(INTERVAL),
    workAllowanceMs: fc.integer({ min: T, max: 4 * T }),
    idleAllowanceMs: fc.integer({ min: T, max: 4 * T }),
    onSuspect: fc.constantFrom('restart', 'notify'),
    isWindowFresh: fc.boolean(),
    isHeld: fc.boolean(),
    stoppedForMs: maybe,
    silentForMs: duration,
    unansweredForMs: maybe,
    idleProbeUnansweredForMs: maybe,
    hasAnsweredProbe: fc.boolean(),
    workSinceProbe: anyWork,
    workInSilence: anyWork,
    answerOwedForMs: maybe,
    canBeProbed: fc.boolean(),
    begunCalls: fc.nat(3),
    queuedCalls: fc.nat(3),
    overdueCalls: fc.nat(3),
    overdueForMs: duration,
    overdueUnansweredForMs: duration,
    overdueProbeUnansweredForMs: maybe,
    isOverdueProbeProven: fc.boolean(),
    workSinceDeadline: anyWork,
    lostCalls: fc.nat(3),
    answeredDuringCalls: fc.boolean(),
  });
  const isStalled = (facts: LivenessFacts) => judge(facts).kind === 'stalled';
  const openCall = (facts: LivenessFacts): LivenessFacts => ({
    ...facts,
    stoppedForMs: undefined,
    idleProbeUnansweredForMs: undefined,
    begunCalls: 1,
  });

  /** What excuses whatever else holds: facts that are changed so convict nobody. */
  it.each<[string, (facts: LivenessFacts, work: Work) => LivenessFacts]>([
    [
      'who uses CPU, or whose CPU nobody sees, before the allowances are used up',
      (facts, work) => ({
        ...facts,
        stoppedForMs: undefined,
        workSinceProbe: work,
        workInSilence: work,
        workSinceDeadline: work,
        idleProbeUnansweredForMs: (facts.idleProbeUnansweredForMs ?? 0) % facts.idleAllowanceMs,
        overdueUnansweredForMs: facts.overdueUnansweredForMs % facts.workAllowanceMs,
      }),
    ],
    [
      'without a question that stayed unanswered',
      (facts) => ({
        ...facts,
        unansweredForMs: undefined,
        idleProbeUnansweredForMs: undefined,
        overdueProbeUnansweredForMs: undefined,
      }),
    ],
    [
      'who may be at a call within its deadline and was not heard during it, unless it was deaf before',
      (facts) => ({ ...openCall(facts), answeredDuringCalls: false }),
    ],
    [
      'who may be at a call within its deadline, where no person wants that',
      (facts) => ({ ...openCall(facts), onSuspect: 'notify' }),
    ],
  ])('convicts nobody %s', (_name, excuse) => {
    fc.assert(
      fc.property(anyFacts, fc.constantFrom<Work>('computing', 'unseen'), (facts, work) => {
        expect(isStalled(excuse(facts, work))).toBe(false);
      }),
    );
  });

  it('convicts nobody whom a debugger holds, and nobody right after an absence of ours', () => {
    fc.assert(
      fc.property(anyFacts, fc.boolean(), (facts, isHeld) => {
        expect(judge({ ...facts, isHeld, isWindowFresh: !isHeld }).kind).toBe(isHeld ? 'held' : 'none');
      }),
    );
  });

  it('doubts the health of one that was heard if, and only if, it owes an answer and has nothing else to do', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const heard = { ...facts, isWindowFresh: false, isHeld: false, stoppedForMs: undefined };
        const verdict = judge({ ...heard, overdueCalls: 0, silentForMs: facts.silentForMs % T });
        const isAtWork = facts.begunCalls + facts.queuedCalls > 0;
        const owes = (facts.answerOwedForMs ?? 0) >= T && !isAtWork;
        const isLost = facts.lostCalls > 0 && !isAtWork;
        if (owes) expect(verdict).toEqual({ kind: 'unknown', row: 9 });
        else expect(verdict).toEqual(isLost ? { kind: 'overdue', row: '7c' } : { kind: 'alive', row: 3 });
      }),
    );
  });

  it('judges a silent one the same, whatever it owes besides, and whatever calls it lost before', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const silent = { ...facts, silentForMs: T + facts.silentForMs };
        expect(judge(silent)).toEqual(judge({ ...silent, answerOwedForMs: undefined, lostCalls: 0 }));
      }),
    );
  });

  it('convicts by a check that only tells whom it would convict without it, and nobody else', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const { failedCheck } = checkFailed;
        expect(isStalled({ ...facts, failedCheck })).toBe(isStalled(facts));
      }),
    );
  });
});
