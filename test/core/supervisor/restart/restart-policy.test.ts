import { describe, expect, it } from 'vitest';
import {
  afterAutomaticStart,
  afterFailure,
  afterSlowRetry,
  afterStableRun,
  allowsAutomaticStart,
  decideRestart,
  freshHistory,
  isCounted,
  isRepeat,
  type RestartDecision,
  type RestartHistory,
  type RestartSettings,
} from '../../../../electron/core/supervisor/restart/restart-policy.ts';
import { defaultPanelSettings } from '../../../../shared/panel-settings.ts';

const HOUR_MS = 3_600_000;
const defaults: RestartSettings = defaultPanelSettings.restart;
const almostOne = 1 - Number.EPSILON / 2;

const decide = (history: RestartHistory, settings = defaults, nowMs = 0, random = 0): RestartDecision =>
  decideRestart(history, 'CRASHED', settings, nowMs, () => random);

/** Decisions of one failure after another, each start following its decision at once. */
function series(
  first: RestartHistory,
  count: number,
  settings: RestartSettings,
  random: number,
): RestartDecision[] {
  let history = first;
  return Array.from({ length: count }, () => {
    const decision = decide(history, settings, 0, random);
    if (decision.kind === 'retry') history = afterAutomaticStart(history, 0);
    return decision;
  });
}

const delays = (decisions: readonly RestartDecision[]) =>
  decisions.map((decision) => (decision.kind === 'retry' ? decision.delayMs : decision.kind));

describe('decideRestart', () => {
  const patient: RestartSettings = { ...defaults, maxRestartAttempts: 8, maxPerHour: 100 };

  it.each([
    ['the least', 0, [500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 'give-up']],
    ['the middle', 0.5, [750, 1500, 3000, 6000, 12_000, 24_000, 45_000, 45_000, 'give-up']],
    ['the most', almostOne, [1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 'give-up']],
  ])('doubles the delay up to the maximum, with %s of the jitter', (_name, random, expected) => {
    expect(delays(series(freshHistory, 9, patient, random))).toEqual(expected);
  });

  it('speaks of one restart where there was one', () => {
    const [, decision] = series(freshHistory, 2, { ...defaults, maxRestartAttempts: 1 }, 0);
    expect(decision).toMatchObject({ reason: '1 automatic restart did not help' });
  });

  it('says of a slow retry that one more try did not help, and of none but that', () => {
    const givenUp: RestartHistory = { ...freshHistory, attempts: 3 };
    const retried = afterSlowRetry(givenUp, 0);
    expect(decide(retried)).toMatchObject({ reason: 'one more try did not help' });
    expect(decide(afterSlowRetry(retried, 1))).toMatchObject({ reason: 'one more try did not help' });
    const recovered = series(afterStableRun(retried), 4, defaults, 0);
    expect(recovered[3]).toMatchObject({ reason: '3 automatic restarts did not help' });
  });

  it.each([
    'COMMAND_NOT_FOUND',
    'PERMISSION_DENIED',
    'CWD_MISSING',
    'CONFIG_INVALID',
    'AUTH_REQUIRED',
    'PROTOCOL_ERA_UNSUPPORTED',
  ] as const)('gives up at once, without a slow retry, on %s', (code) => {
    const history = afterStableRun(freshHistory);
    const decision = decideRestart(history, code, defaults, 0, () => 0);
    expect(decision).toEqual({ kind: 'give-up', reason: expect.any(String) as string });
  });

  it.each([
    'START_FAILED',
    'START_TIMEOUT',
    'STALLED',
    'LIMIT_BREACHED',
    'PROTOCOL_ERROR',
    'UNREACHABLE',
  ] as const)('tries again after %s', (code) => {
    expect(decideRestart(freshHistory, code, defaults, 0, () => 0).kind).toBe('retry');
  });

  it('gives up a server that is stable each time and still dies too often in an hour', () => {
    let history = freshHistory;
    for (let start = 0; start < defaults.maxPerHour; start += 1) {
      expect(decide(history, defaults, start * 61_000).kind).toBe('retry');
      history = afterStableRun(afterAutomaticStart(history, start * 61_000));
    }
    const decision = decide(history, defaults, 10 * 61_000);
    expect(decision).toMatchObject({ kind: 'give-up', reason: '10 automatic restarts within an hour' });
  });

  it('allows the next automatic start exactly when the oldest of the hour has left it', () => {
    const full: RestartHistory = {
      ...freshHistory,
      wasStable: true,
      startedAtMs: Array.from({ length: 10 }, (_, index) => 1000 + index),
    };
    expect(decide(full, defaults, 1000 + HOUR_MS - 1).kind).toBe('give-up');
    expect(decide(full, defaults, 1000 + HOUR_MS).kind).toBe('retry');
  });

  it('plans the slow retry for a moment at which the hour allows it', () => {
    const full: RestartHistory = { ...freshHistory, wasStable: true, startedAtMs: Array<number>(10).fill(0) };
    expect(decide(full, defaults, 0)).toMatchObject({ slowRetryMs: HOUR_MS });
    expect(decide(full, defaults, HOUR_MS - 1000)).toMatchObject({ slowRetryMs: defaults.slowRetryMs });
  });
});

describe('allowsAutomaticStart', () => {
  const used = [0, 1000, 2000].reduce(afterSlowRetry, freshHistory);
  const three: RestartSettings = { ...defaults, maxPerHour: 3 };

  it('allows a start of a server that was given up, as long as the hour does', () => {
    expect(allowsAutomaticStart({ ...freshHistory, attempts: 99 }, three, 0)).toBe(true);
    expect(allowsAutomaticStart(used, three, 2000)).toBe(false);
    expect(allowsAutomaticStart(used, three, HOUR_MS - 1)).toBe(false);
    expect(allowsAutomaticStart(used, three, HOUR_MS)).toBe(true);
  });

  it('follows the settings of now', () => {
    expect(allowsAutomaticStart(used, { ...three, maxPerHour: 4 }, 2000)).toBe(true);
    expect(allowsAutomaticStart(freshHistory, { ...three, enabled: false }, 0)).toBe(false);
  });
});

describe('a failure that comes back', () => {
  const MINUTE_MS = 60_000;

  /** Delays before each slow retry, in minutes; each start follows its decision when it is due. */
  function slowRetriesOf(signatures: readonly string[], settings = defaults) {
    let history = freshHistory;
    let nowMs = 0;
    return signatures.flatMap((signature) => {
      history = afterFailure(history, signature);
      const decision = decide(history, settings, nowMs);
      if (decision.kind === 'retry') {
        nowMs += decision.delayMs;
        history = afterAutomaticStart(history, nowMs);
        return [];
      }
      nowMs += decision.slowRetryMs ?? 0;
      history = afterSlowRetry(history, nowMs);
      return [
        {
          minutes: (decision.slowRetryMs ?? 0) / MINUTE_MS,
          reason: decision.reason,
          isRepeat: isRepeat(history),
          isCounted: isCounted(history),
        },
      ];
    });
  }
  const times = (count: number, signature: string) => Array.from({ length: count }, () => signature);
  const minutesOf = (retries: ReturnType<typeof slowRetriesOf>) => retries.map(({ minutes }) => minutes);

  it('is news once, and counted at every doubling', () => {
    const retries = slowRetriesOf(times(40, 'a'));
    expect(retries.map(({ isRepeat }) => isRepeat)).toEqual(retries.map((_, index) => index > 0));
    expect(retries.flatMap(({ isCounted }, index) => (isCounted ? [index] : []))).toEqual([4, 8, 16, 32]);
  });

  it('is tried as soon as ever when it has changed', () => {
    const retries = slowRetriesOf([...times(7, 'a'), ...times(4, 'b')]);
    expect(minutesOf(retries)).toEqual([5, 10, 20, 40, 5, 5, 10, 20]);
    expect(retries.flatMap(({ isRepeat }, index) => (isRepeat ? [] : [index]))).toEqual([0, 4, 5]);
  });

  it('is not slowed down before it came the third time', () => {
    expect(minutesOf(slowRetriesOf(times(5, 'a'), { ...defaults, maxRestartAttempts: 0 }))).toEqual([
      5, 5, 10, 20, 40,
    ]);
  });

  it('never comes sooner than a person wants', () => {
    const slow = { ...defaults, slowRetryMs: 120 * MINUTE_MS };
    expect(new Set(minutesOf(slowRetriesOf(times(8, 'a'), slow)))).toEqual(new Set([120]));
  });

  it('is forgotten after a stable run', () => {
    const often = times(9, 'a').reduce(
      (history, one) => afterSlowRetry(afterFailure(history, one), 0),
      freshHistory,
    );
    expect(often.sameFailure.times).toBe(9);
    expect(afterStableRun(often).sameFailure).toEqual(freshHistory.sameFailure);
  });
});
