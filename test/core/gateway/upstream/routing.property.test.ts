import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AskRouter } from '../../../../electron/core/gateway/upstream/server-requests.ts';
import { CallersInFlight } from '../../../../electron/core/gateway/upstream/callers-in-flight.ts';
import { canBeAsked } from '../../../../electron/core/gateway/upstream/client-capabilities.ts';
import { ElicitationOwners } from '../../../../electron/core/gateway/upstream/fan-out.ts';
import { FanOut } from '../../../../electron/core/gateway/upstream/fan-out.ts';
import { LevelArbiter } from '../../../../electron/core/gateway/upstream/log-levels.ts';
import { SubscriptionCounter } from '../../../../electron/core/gateway/upstream/subscriptions.ts';
import type { InboundMessage, SessionFacts } from '../../../../electron/core/gateway/types.ts';
import { createFakeClock } from '../../fake-clock.ts';
import { FakeReply } from '../session/fake-reply.ts';
import { FakeLink, sessionFacts } from './one-link.ts';
import { propertyRuns } from '../../../support/property-runs.ts';

const sessions = [
  sessionFacts('plain', 'plain'),
  sessionFacts('asks', 'elicitation'),
  sessionFacts('samples', 'sampling'),
  sessionFacts('all', 'elicitation+sampling'),
] as const;
/** A server may speak as late as this, and later, of a call that it has answered. */
const LATE_MS = 10_000;

const index = fc.nat({ max: 50 });
const session = fc.oneof(
  { weight: 6, arbitrary: fc.constant(sessions[3]) },
  { weight: 1, arbitrary: fc.constantFrom(...sessions) },
);
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('begin' as const), session }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constantFrom('ended', 'gone', 'full'), index }),
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
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('window calls' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('restart' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: fc.constantFrom(100, 1000, LATE_MS) }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

interface Call {
  readonly session: SessionFacts;
  readonly reply: FakeReply;
  readonly end: () => void;
  isInFlight: boolean;
}

/** One run of the server, and who has ever called it. */
function createRun(parts: Omit<ConstructorParameters<typeof FanOut>[0], 'callers'>, router: AskRouter) {
  const link = new FakeLink();
  const callers = new CallersInFlight(link, () => false);
  const limits = { timeoutMs: 1e6, maxTotalMs: 1e6 };
  const fanOut = new FanOut({ ...parts, callers });
  router.attach(link, { server: 'one', callers, elicitations: parts.elicitations, limits: () => limits });
  fanOut.attach(link);
  return { link, callers, fanOut, everCalled: new Set<string>() };
}

/** Plays the steps, and checks at each message that is sent that its receiver may have it. */
async function play(steps: readonly Step[]): Promise<{ delivered: number; settled: number }> {
  const clock = createFakeClock();
  let calls: Call[] = [];
  const router = new AskRouter({ clock, idPrefix: 'p', onRefused: () => undefined });
  const parts = {
    clock,
    levels: new LevelArbiter(),
    subscriptions: new SubscriptionCounter(),
    elicitations: new ElicitationOwners(),
    sessions: () => [],
  };
  let run = createRun(parts, router);
  const asked: { message: InboundMessage; receiver: SessionFacts; isSettled: boolean }[] = [];
  let delivered = 0;
  let settled = 0;
  const check = (receiver: SessionFacts, message: InboundMessage) => {
    delivered += 1;
    if (message.method === 'notifications/cancelled') {
      const own = asked.find((ask) => ask.message.id === message.params?.['requestId']);
      return expect(own?.receiver).toBe(receiver);
    }
    expect([...run.everCalled]).toEqual([receiver.nonce]);
    expect(calls.some(({ isInFlight }) => isInFlight)).toBe(true);
    if (message.id === undefined) return;
    expect(canBeAsked(receiver.capabilities, message.method!)).toBe(true);
    asked.push({ message, receiver, isSettled: false });
  };
  /** Noted, because whoever sends takes an error that is thrown here for the receiver's. */
  const violations: unknown[] = [];
  const onSent = (receiver: SessionFacts, message: InboundMessage) => {
    try {
      check(receiver, message);
    } catch (error) {
      violations.push(error);
    }
  };
  const endRun = () => {
    calls = [];
    run.link.end();
    run.callers.dispose();
    run.fanOut.dispose();
  };
  const take = async (one: Step): Promise<void> => {
    if (one.kind === 'begin' && 'session' in one) {
      const reply = new FakeReply();
      reply.onStreamed = (message) => onSent(one.session, message);
      run.everCalled.add(one.session.nonce);
      const end = run.callers.begin({ session: one.session, reply });
      calls.push({ session: one.session, reply, end, isInFlight: true });
    } else if (one.kind === 'ask' && 'method' in one) void run.link.ask(one.method);
    else if (one.kind === 'log')
      run.link.notified.emit({ method: 'notifications/message', params: { level: 'error' } });
    else if (one.kind === 'window calls') {
      run.everCalled.add('window');
      run.link.callers.note('window');
    } else if (one.kind === 'restart') {
      endRun();
      run = createRun(parts, router);
    } else if (one.kind === 'wait' && 'ms' in one) await clock.advance(one.ms);
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
      if (one.kind !== 'ended') return;
      call.end();
      call.isInFlight = false;
    }
  };
  for (const one of steps) {
    await take(one);
    if (violations.length > 0) throw violations[0];
  }
  router.dispose();
  await new Promise((resolve) => setImmediate(resolve));
  endRun();
  expect([router.size, run.callers.size, clock.pending]).toEqual([0, 0, 0]);
  return { delivered, settled };
}

describe('for any interleaving of callers, asks, logs and answers', () => {
  it('nothing reaches a client that did not declare it, has no call in flight, or is not the only one that ever called', async () => {
    let delivered = 0;
    let settled = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 60, size: 'max' }), async (steps) => {
        const outcome = await play(steps);
        delivered += outcome.delivered;
        settled += outcome.settled;
      }),
      { numRuns: propertyRuns(300) },
    );
    // The property says nothing where nothing was ever sent.
    expect(delivered).toBeGreaterThan(30);
    expect(settled).toBeGreaterThan(3);
  });
});
