import { describe, expect, it } from 'vitest';
import {
  KEPT_CHARACTERS,
  toPastCall,
  withPastCall,
  type CallHistory,
} from '../../../renderer/store/past-calls.ts';

const callAt = (at: number, text = 'x', isError = false) =>
  toPastCall(
    `call ${at}`,
    at - 5,
    { at },
    {
      phase: 'done',
      at,
      outcome: { result: { content: [{ type: 'text', text }], ...(isError && { isError }) }, durationMs: 5 },
    },
  );

describe('the history of calls', () => {
  it('keeps the last fifty of each item, the newest first', () => {
    let history: CallHistory = new Map();
    for (let at = 1; at <= 60; at += 1) history = withPastCall(history, 'tool a', callAt(at));
    history = withPastCall(history, 'tool b', callAt(61));
    expect(history.get('tool a')).toHaveLength(50);
    expect(history.get('tool a')?.[0]).toMatchObject({
      at: 60,
      durationMs: 5,
      value: { at: 60 },
      end: 'answered',
    });
    expect(history.get('tool b')).toHaveLength(1);
  });

  it('says how a call ended', () => {
    expect(callAt(1, 'x', true).end).toBe('error');
    const error = { code: 'CRASHED', message: 'It ended.' } as const;
    expect(toPastCall('a', 3, {}, { phase: 'failed', at: 9, error })).toMatchObject({
      end: 'failed',
      durationMs: 6,
    });
    expect(toPastCall('a', 3, {}, { phase: 'cancelled', at: 9, afterMs: 6 }).end).toBe('cancelled');
  });

  it('drops the oldest answers where all of them are too large, never the newest, and keeps the rows', () => {
    const large = 'x'.repeat(KEPT_CHARACTERS / 2);
    let history = withPastCall(new Map(), 'tool a', callAt(1, large));
    history = withPastCall(history, 'tool b', callAt(2, 'small'));
    history = withPastCall(history, 'tool b', callAt(3, large));
    expect(history.get('tool a')?.[0]).toMatchObject({ at: 1, record: undefined });
    expect(history.get('tool b')?.map(({ record }) => record !== undefined)).toEqual([true, true]);
    history = withPastCall(history, 'tool c', callAt(4, large + large));
    expect(history.get('tool c')?.[0]?.record).toBeDefined();
  });
});
