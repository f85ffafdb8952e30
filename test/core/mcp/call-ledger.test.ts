import fc from 'fast-check';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { CallLedger } from '../../../electron/core/mcp/call-ledger.ts';
import { deadlineOf, type CallLimits, type CallTerms } from '../../../electron/core/mcp/open-call.ts';
import { excuse } from '../../../electron/core/wait-times.ts';

const limits: CallLimits = { timeoutMs: 100, maxTotalMs: 350 };
const terms: CallTerms = { limits, allowance: limits };
const call = (id: number, method = 'tools/call', params?: Record<string, unknown>): JSONRPCMessage => ({
  jsonrpc: '2.0',
  id,
  method,
  ...(params && { params }),
});
const answer = (id: number | string): JSONRPCMessage => ({ jsonrpc: '2.0', id, result: {} });
const failure = (id: number | string): JSONRPCMessage => ({
  jsonrpc: '2.0',
  id,
  error: { code: -1, message: 'no' },
});
const progress = (progressToken: number | string): JSONRPCMessage => ({
  jsonrpc: '2.0',
  method: 'notifications/progress',
  params: { progressToken, progress: 1 },
});

function ledgerWith(...ids: number[]): CallLedger {
  const ledger = new CallLedger();
  for (const id of ids) ledger.sent(call(id), 0, terms);
  return ledger;
}
const ids = (calls: readonly { id: number | string }[]) => calls.map(({ id }) => id);

describe('CallLedger', () => {
  it('knows method and target of a call', () => {
    const ledger = new CallLedger();
    ledger.sent(call(1, 'tools/call', { name: 'query' }), 7, terms);
    ledger.sent(call(2, 'tools/list'), 8, terms);
    expect(ledger.calls).toMatchObject([
      { method: 'tools/call', target: 'query', startedAtMs: 7 },
      { method: 'tools/list', target: undefined, startedAtMs: 8 },
    ]);
  });

  it('tells on whose behalf a call under way was made, and whether anybody still waits for it', () => {
    const ledger = new CallLedger();
    ledger.sent(call(1, 'tools/call', { name: 'query' }), 0, terms, { by: 'client', client: 'Editor' });
    ledger.sent(call(2), 0, terms, { by: 'window' });
    ledger.sent(call(3, 'tools/list'), 50, terms);
    ledger.sent({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 2 } }, 10, 'probe');
    expect(ledger.inFlightAt(100)).toEqual([
      { method: 'tools/call', target: 'query', ageMs: 100, by: 'client', client: 'Editor', isGivenUp: true },
      { method: 'tools/call', target: undefined, ageMs: 100, by: 'window', isGivenUp: true },
      { method: 'tools/list', target: undefined, ageMs: 50, by: 'panel', isGivenUp: undefined },
    ]);
  });

  it('does not count probes, notifications and our answers as calls', () => {
    const ledger = new CallLedger();
    ledger.sent(call(1, 'ping'), 0, 'probe');
    ledger.sent({ jsonrpc: '2.0', method: 'notifications/initialized' }, 0, terms);
    ledger.sent(answer(9), 0, terms);
    expect(ledger.calls).toEqual([]);
    expect(ledger.arrived(answer(1), 1)).toBe('probe-answer');
    expect(ledger.arrived(answer(9), 1)).toBe('unmatched');
  });

  it('knows its calls and questions by ids and tokens that come back as text, as the SDK does', () => {
    const ledger = ledgerWith(1, 2, 3);
    ledger.sent(call(4, 'ping'), 0, 'probe');
    ledger.arrived(progress('1'), 50);
    expect(ledger.calls[0]!.lastProgressAtMs).toBe(50);
    expect(ledger.isOpen('1')).toBe(true);
    expect(ledger.arrived(answer('1'), 60)).toBe('answer');
    expect(ledger.arrived(failure('2'), 60)).toBe('answer');
    expect(ledger.arrived(answer('4'), 60)).toBe('probe-answer');
    expect(ids(ledger.calls)).toEqual([3]);
    ledger.forgetOverdue(200, 'probe');
    expect(ledger.arrived(answer('3'), 201)).toBe('late-answer');
    expect(ledger.arrived(answer('3'), 202)).toBe('unmatched');
  });

  it('takes an error without an id for noise', () => {
    const nameless = { jsonrpc: '2.0', error: { code: -32700, message: 'parse error' } } as JSONRPCMessage;
    expect(ledgerWith(1).arrived(nameless, 1)).toBe('unmatched');
  });

  it('takes requests and notifications of the server for what they are', () => {
    const ledger = ledgerWith(1);
    expect(ledger.arrived(call(1, 'roots/list'), 1)).toBe('other');
    expect(ledger.arrived({ jsonrpc: '2.0', method: 'notifications/message' }, 1)).toBe('other');
    expect(ids(ledger.calls)).toEqual([1]);
  });

  it('ignores progress for unknown, answered and misshapen tokens', () => {
    const ledger = ledgerWith(1, 2);
    ledger.arrived(answer(2), 10);
    for (const token of [2, 77, 'one', null, {}]) ledger.arrived(progress(token as number), 50);
    ledger.arrived({ jsonrpc: '2.0', method: 'notifications/progress' }, 50);
    expect(deadlineOf(ledger.calls[0]!)).toBe(100);
  });

  it('is due exactly at the deadline, and never open and overdue at once', () => {
    const ledger = ledgerWith(1);
    expect([ledger.openAt(99).length, ledger.overdueAt(99).length]).toEqual([1, 0]);
    expect([ledger.openAt(100).length, ledger.overdueAt(100).length]).toEqual([0, 1]);
  });

  it('awaits no call that was cancelled, though the server may still be at it', () => {
    const ledger = ledgerWith(1);
    ledger.sent(call(2), 0, terms);
    for (const requestId of [2, 9, null, {}])
      ledger.sent({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } }, 1, terms);
    expect(ids(ledger.awaitedAt(1))).toEqual([1]);
    expect(ids(ledger.openAt(1))).toEqual([1, 2]);
    expect(ledger.arrived(answer(2), 2)).toBe('answer');
  });

  it('counts calls in a row that had no answer by their deadline, until one is answered', () => {
    const ledger = ledgerWith(1, 2);
    ledger.forgetOverdue(50, 'probe');
    expect(ledger.lostCalls).toBe(0);
    ledger.forgetOverdue(200, 'probe');
    expect(ledger.lostCalls).toBe(2);
    ledger.sent(call(3), 200, terms);
    ledger.forgetOverdue(400, 'probe');
    expect(ledger.lostCalls).toBe(3);
    ledger.sent(call(4), 400, terms);
    ledger.sent(call(5), 400, terms);
    // Whoever answers a call answers calls, whatever else is overdue.
    ledger.arrived(answer(5), 600);
    ledger.forgetOverdue(600, 'call');
    expect(ledger.lostCalls).toBe(0);
  });

  it('counts no call that was called off in time, because a server may end that without an answer', () => {
    const ledger = ledgerWith(1);
    ledger.sent({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }, 50, terms);
    ledger.forgetOverdue(200, 'probe');
    expect(ledger.lostCalls).toBe(0);
  });

  describe('while a client is asked something', () => {
    const ofClient = (client: string) => ({ by: 'client', client }) as const;
    const at = { nowMs: 0, now: () => at.nowMs };

    it('goes on with the last of several answers, and counts progress meanwhile', () => {
      const ledger = new CallLedger();
      ledger.sent(call(1), 0, terms, ofClient('ana'));
      at.nowMs = 20;
      const [first, second] = [ledger.clientAsked(at), ledger.clientAsked(at)];
      at.nowMs = 130;
      first();
      ledger.arrived(progress(1), 140);
      expect(ids(ledger.overdueAt(349))).toEqual([]);
      at.nowMs = 150;
      second();
      expect(ids(ledger.openAt(249))).toEqual([1]);
      expect(ids(ledger.overdueAt(250))).toEqual([1]);
    });
  });

  it('remembers the last thousand dropped calls and no more', () => {
    const ledger = ledgerWith(...Array.from({ length: 1500 }, (_, index) => index));
    ledger.forgetOverdue(1000, 'probe');
    expect(ledger.calls).toEqual([]);
    expect(ledger.arrived(answer(499), 1001)).toBe('unmatched');
    expect(ledger.arrived(answer(500), 1001)).toBe('late-answer');
    expect(ledger.arrived(answer(1499), 1001)).toBe('late-answer');
  });

  it('looks at no open call when an answer comes, while none can be overdue', () => {
    const ledger = new CallLedger();
    let looks = 0;
    const counted = {
      get timeoutMs() {
        looks += 1;
        return limits.timeoutMs;
      },
      maxTotalMs: limits.maxTotalMs,
    };
    const count = 500;
    for (let id = 0; id < count; id += 1) ledger.sent(call(id), id / count, { limits, allowance: counted });
    const atSending = looks;
    for (let id = 0; id < count; id += 1) {
      ledger.arrived(answer(id), 50);
      ledger.forgetOverdue(50, 'probe');
    }
    expect([looks - atSending, ledger.size]).toEqual([0, 0]);
    expect(atSending).toBeLessThanOrEqual(2 * count);
  });

  it('forgets exactly what a walk over all calls would, in any order of things', () => {
    const kinds = ['send', 'send hurried', 'answer', 'progress', 'call off', 'absent', 'forget'] as const;
    const step = fc.record({
      kind: fc.constantFrom(...kinds),
      id: fc.nat({ max: 12 }),
      waitMs: fc.constantFrom(0, 1, 20, 60),
    });
    let forgotten = 0;
    fc.assert(
      fc.property(fc.array(step, { minLength: 20, maxLength: 80, size: 'max' }), (steps) => {
        const ledger = new CallLedger();
        let nowMs = 0;
        for (const { kind, id, waitMs } of steps) {
          nowMs += waitMs;
          const hurried = { timeoutMs: 15, maxTotalMs: 40 };
          if (kind === 'send') ledger.sent(call(id), nowMs, terms);
          if (kind === 'send hurried') ledger.sent(call(id), nowMs, { limits, allowance: hurried });
          if (kind === 'answer') ledger.arrived(answer(id), nowMs);
          if (kind === 'progress') ledger.arrived(progress(id), nowMs);
          if (kind === 'call off') ledger.calledOff(id);
          if (kind === 'absent')
            for (const open of ledger.calls) {
              excuse(open, { absentMs: waitMs, lateMs: waitMs, opensWindow: waitMs > 1 }, nowMs);
            }
          if (kind !== 'forget') continue;
          const [before, left] = [ledger.size, ids(ledger.openAt(nowMs))];
          ledger.forgetOverdue(nowMs, 'probe');
          expect(ids(ledger.calls)).toEqual(left);
          forgotten += before - left.length;
        }
      }),
    );
    // The property says nothing where nothing was ever overdue.
    expect(forgotten).toBeGreaterThan(10);
  });

  it('holds exactly the calls that were sent and not answered, in any order of things', () => {
    const step = fc.tuple(fc.constantFrom('send', 'answer', 'progress'), fc.integer({ min: 0, max: 8 }));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const ledger = new CallLedger();
        const open = new Set<number>();
        steps.forEach(([kind, id], nowMs) => {
          if (kind === 'send' && !open.has(id)) {
            ledger.sent(call(id), nowMs, terms);
            open.add(id);
          }
          if (kind === 'answer')
            expect(ledger.arrived(answer(id), nowMs)).toBe(open.delete(id) ? 'answer' : 'unmatched');
          if (kind === 'progress') ledger.arrived(progress(id), nowMs);
          expect(new Set(ids(ledger.calls))).toEqual(open);
        });
      }),
    );
  });
});
