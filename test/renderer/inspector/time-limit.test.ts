import { describe, expect, it } from 'vitest';
import { serverCallSchema } from '../../../shared/ipc/topics/sessions.ts';
import { readTimeLimit } from '../../../renderer/inspector/use-item-call.ts';

describe('the time limit of a call', () => {
  it.each([
    ['', {}],
    ['  ', {}],
    ['30', { timeoutMs: 30_000 }],
    [' 1.5 ', { timeoutMs: 1500 }],
    ['1,5', { timeoutMs: 1500 }],
    ['.001', { timeoutMs: 1 }],
    ['86400', { timeoutMs: 86_400_000 }],
  ])('is read from "%s"', (text, limit) => {
    expect(readTimeLimit(text)).toEqual(limit);
    const call = { callId: 'x', name: 'one', method: 'tools/call', params: {}, ...limit };
    expect(serverCallSchema.parse(call)).toEqual(call);
  });

  it.each(['0', '0.0001', '-1', '86401', '1e3', '0x10', 'ten', '1.', '1 2', 'Infinity'])(
    'is refused as "%s"',
    (text) => {
      expect(readTimeLimit(text)).toEqual({ problem: expect.stringContaining('seconds') as string });
    },
  );

  it.each([0, -1, 0.5, 86_400_001, Number.NaN, '5', null])(
    'is refused by the contract as %j',
    (timeoutMs) => {
      const call = { callId: 'x', name: 'one', method: 'tools/call', params: {}, timeoutMs };
      expect(serverCallSchema.safeParse(call).success).toBe(false);
    },
  );
});
