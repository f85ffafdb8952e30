import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AskRouter } from '../../../../electron/core/gateway/relay/ask-router.ts';
import {
  CallersInFlight,
  type CallEnding,
} from '../../../../electron/core/gateway/relay/callers-in-flight.ts';
import { canBeAsked } from '../../../../electron/core/gateway/relay/client-capabilities.ts';
import { ElicitationOwners } from '../../../../electron/core/gateway/relay/elicitation-owners.ts';
import { FanOut } from '../../../../electron/core/gateway/relay/fan-out.ts';
import { LevelArbiter } from '../../../../electron/core/gateway/relay/level-arbiter.ts';
import { SubscriptionCounter } from '../../../../electron/core/gateway/relay/subscription-counter.ts';
import type { InboundMessage, SessionFacts } from '../../../../electron/core/gateway/types.ts';
import { createFakeClock } from '../../fake-clock.ts';
import { FakeLink, FakeReply, sessionFacts } from './one-link.ts';

const sessions = [
  sessionFacts('plain', 'plain'),
  sessionFacts('asks', 'elicitation'),
  sessionFacts('samples', 'sampling'),
  sessionFacts('all', 'elicitation+sampling'),
] as const;
const LINGER_MS = 1000;

const index = fc.nat({ max: 50 });
const session = fc.constantFrom(...sessions);
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('begin' as const), session }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constantFrom('answered', 'abandoned', 'gone', 'full'), index }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('ask' as const),
      method: fc.constantFrom('elicitation/create', 'sampling/createMessage', 'roots/list'),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('log' as const) }) },
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant('answer' as const), index, session: fc.option(session) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('window begins', 'window ends') }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: fc.nat({ max: LINGER_MS }) }) },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

interface Call {
  readonly session: SessionFacts;
  readonly reply: FakeReply;
  readonly ending: CallEnding;
  /** Until when the server may speak on its behalf, in the test's own words. */
  countsUntilMs: number;
  isWaited: boolean;
}

/** Plays the steps, and checks at each message that is sent that its receiver may have it. */
async function play(steps: readonly Step[]): Promise<{ delivered: number; settled: number }> {
  const clock = createFakeClock();
  const link = new FakeLink();
  let windowCalls = 0;
  const calls: Call[] = [];
  const callers = new CallersInFlight({
    clock,
    callsOnLink: () => link.callsInFlight,
    lingerMs: LINGER_MS,
  });
  const elicitations = new ElicitationOwners();
  const router = new AskRouter({ clock, idPrefix: 'p', onRefused: () => undefined });
  const limits = { timeoutMs: 1e6, maxTotalMs: 1e6 };
  router.attach(link, { server: 'one', callers, elicitations, limits: () => limits });
  const levels = new LevelArbiter();
  const subscriptions = new SubscriptionCounter();
  const fanOut = new FanOut({ clock, callers, levels, subscriptions, elicitations, sessions: () => [] });
  fanOut.attach(link);
  const asked: { message: InboundMessage; receiver: SessionFacts; isSettled: boolean }[] = [];
  let delivered = 0;
  let settled = 0;
  const count = () => {
    link.callsInFlight = windowCalls + calls.filter(({ isWaited }) => isWaited).length;
  };
  const onSent = (receiver: SessionFacts, message: InboundMessage) => {
    delivered += 1;
    if (message.method === 'notifications/cancelled') {
      const own = asked.find((ask) => ask.message.id === message.params?.['requestId']);
      return expect(own?.receiver).toBe(receiver);
    }
    const concerned = calls.filter(({ countsUntilMs }) => countsUntilMs > clock.now());
    expect(windowCalls).toBe(0);
    expect(new Set(concerned.map((call) => call.session.nonce))).toEqual(new Set([receiver.nonce]));
    if (message.id === undefined) return;
    expect(canBeAsked(receiver.capabilities, message.method!)).toBe(true);
    asked.push({ message, receiver, isSettled: false });
  };
  const run = async (one: Step): Promise<void> => {
    if (one.kind === 'begin' && 'session' in one) {
      const reply = new FakeReply();
      reply.onSent = (message) => onSent(one.session, message);
      const ending = callers.begin({ session: one.session, reply });
      calls.push({ session: one.session, reply, ending, countsUntilMs: Infinity, isWaited: true });
    } else if (one.kind === 'ask' && 'method' in one) void link.ask(one.method);
    else if (one.kind === 'log')
      link.notified.emit({ method: 'notifications/message', params: { level: 'error' } });
    else if (one.kind === 'window begins') windowCalls += 1;
    else if (one.kind === 'window ends') windowCalls = Math.max(0, windowCalls - 1);
    else if (one.kind === 'wait' && 'ms' in one) await clock.advance(one.ms);
    else if (one.kind === 'answer' && 'session' in one) {
      const ask = asked[one.index % Math.max(1, asked.length)];
      if (!ask) return;
      const from = one.session ?? ask.receiver;
      const isRight = !ask.isSettled && ask.receiver === from;
      expect(router.settle(from, { jsonrpc: '2.0', id: ask.message.id!, result: {} })).toBe(isRight);
      if (isRight) settled += 1;
      ask.isSettled ||= isRight;
      await new Promise((resolve) => setImmediate(resolve));
    } else if ('index' in one) {
      const call = calls[one.index % Math.max(1, calls.length)];
      if (!call) return;
      if (one.kind === 'gone') call.reply.isOpen = false;
      if (one.kind === 'full') call.reply.isFull = true;
      if (one.kind === 'answered') {
        call.ending.answered();
        call.countsUntilMs = -1;
      }
      if (one.kind === 'abandoned' && call.isWaited) {
        call.ending.abandoned();
        call.countsUntilMs = Math.min(call.countsUntilMs, clock.now() + LINGER_MS);
      }
      if (one.kind === 'answered' || one.kind === 'abandoned') call.isWaited = false;
    }
  };
  for (const one of steps) {
    await run(one);
    count();
  }
  router.dispose();
  await new Promise((resolve) => setImmediate(resolve));
  callers.dispose();
  fanOut.dispose();
  expect([router.size, callers.size, clock.pending]).toEqual([0, 0, 0]);
  return { delivered, settled };
}

describe('for any interleaving of callers, asks, logs and answers', () => {
  it('nothing reaches a client that did not declare it, has no call in flight, or is not the only one that has', async () => {
    let delivered = 0;
    let settled = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 60, size: 'max' }), async (steps) => {
        const outcome = await play(steps);
        delivered += outcome.delivered;
        settled += outcome.settled;
      }),
      { numRuns: 300 },
    );
    // The property says nothing where nothing was ever sent.
    expect(delivered).toBeGreaterThan(100);
    expect(settled).toBeGreaterThan(10);
  });
});
