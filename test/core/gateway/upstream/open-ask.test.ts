import { describe, expect, it } from 'vitest';
import { isAsk, receiverOf, refusalOf } from '../../../../electron/core/gateway/upstream/open-ask.ts';
import { settleWith } from '../../../../electron/core/gateway/upstream/open-ask.ts';
import type { CapabilityClass, InboundMessage } from '../../../../electron/core/gateway/types.ts';
import { FakeReply, sessionFacts } from './one-link.ts';

const caller = (capabilities: CapabilityClass, count = 1) => ({
  session: sessionFacts('ana', capabilities),
  replies: Array.from({ length: count }, () => new FakeReply()),
});

describe('whom a request of a server goes to', () => {
  it('is the only one that calls, where it declared that and can be reached', () => {
    const ana = caller('sampling');
    expect(receiverOf(ana, 'sampling/createMessage')).toBe(ana);
  });

  it.each([
    ['nobody', 'nobody', 'sampling/createMessage'],
    ['several', 'several', 'sampling/createMessage'],
    ['undeclared', caller('elicitation'), 'sampling/createMessage'],
    ['undeclared', caller('plain', 0), 'sampling/createMessage'],
    ['undeclared', caller('elicitation+sampling'), 'roots/list'],
    ['unreachable', caller('elicitation', 0), 'elicitation/create'],
  ] as const)('is nobody because of: %s', (reason, sole, method) => {
    expect(receiverOf(sole, method)).toBe(reason);
  });
});

describe('what a server is told that asked nobody', () => {
  it.each(['sampling/createMessage', 'elicitation/create', 'roots/list'])('names %s and why', (method) => {
    expect(isAsk(method)).toBe(true);
    const reasons = ['nobody', 'several', 'undeclared', 'unreachable'] as const;
    const refusals = reasons.map((reason) => refusalOf(method, reason));
    expect(new Set(refusals.map(({ message }) => message)).size).toBe(reasons.length);
    for (const { code, message } of refusals) {
      expect(code).toBe(-32603);
      expect(message).toContain(method);
    }
  });

  it.each(['tools/call', 'constructor', ''])('is that there is no such method: %s', (method) => {
    expect(isAsk(method)).toBe(false);
    expect(refusalOf(method, 'nobody')).toMatchObject({ code: -32601, message: 'Method not found' });
  });
});

describe('the answer of a client', () => {
  function settled(message: Partial<InboundMessage>) {
    const ends: unknown[] = [];
    settleWith(
      { settle: (result) => ends.push({ result }), fail: (error) => ends.push(error) },
      { jsonrpc: '2.0', id: 'x', ...message },
    );
    expect(ends).toHaveLength(1);
    return ends[0];
  }

  it('is its result', () => {
    expect(settled({ result: { action: 'accept' } })).toEqual({ result: { action: 'accept' } });
  });

  it('is its error, whatever else it says', () => {
    const error = { code: -1, message: 'User rejected', data: { why: 'busy' } };
    expect(settled({ error, result: {} })).toMatchObject(error);
  });

  it.each([
    [{}, 'result'],
    [{ result: 'yes' }, 'result'],
    [{ result: [] }, 'result'],
    [{ error: 'no' }, 'none'],
    [{ error: { code: 1.5, message: 'x' } }, 'none'],
    [{ error: { code: -1 } }, 'none'],
    [{ error: null }, 'none'],
  ])('that is none fails the question: %j', (message, words) => {
    expect(settled(message)).toMatchObject({
      code: -32603,
      message: expect.stringContaining(words) as string,
    });
  });
});
