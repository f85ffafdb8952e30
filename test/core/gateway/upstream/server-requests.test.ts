import { describe, expect, it } from 'vitest';
import { AskRouter, type AskRefusal } from '../../../../electron/core/gateway/upstream/server-requests.ts';
import { CallersInFlight } from '../../../../electron/core/gateway/upstream/callers-in-flight.ts';
import { ElicitationOwners } from '../../../../electron/core/gateway/upstream/fan-out.ts';
import type { InboundMessage } from '../../../../electron/core/gateway/types.ts';
import { createFakeClock } from '../../fake-clock.ts';
import { FakeReply } from '../session/fake-reply.ts';
import { FakeLink, sessionFacts } from './one-link.ts';

const limits = { timeoutMs: 300_000, maxTotalMs: 1_000_000 };
const ana = sessionFacts('ana');
const ben = sessionFacts('ben');

function bench() {
  const clock = createFakeClock();
  const refusals: AskRefusal[] = [];
  const router = new AskRouter({ clock, idPrefix: 'run1', onRefused: (refusal) => refusals.push(refusal) });
  const listening = new Set<string>();
  const attach = (link: FakeLink) => {
    const callers = new CallersInFlight(link, (nonce) => listening.has(nonce));
    const elicitations = new ElicitationOwners();
    const detach = router.attach(link, { server: 'one', callers, elicitations, limits: () => limits });
    return { callers, elicitations, detach };
  };
  const link = new FakeLink();
  return { clock, refusals, router, listening, attach, link, ...attach(link) };
}

const answerTo = (message: InboundMessage | undefined, result: unknown): InboundMessage => ({
  jsonrpc: '2.0',
  ...(message?.id !== undefined && { id: message.id }),
  result,
});
const NO_RESULT = '-32603 The client gave an answer without a result.';
const NO_ERROR = '-32603 The client answered with an invalid error.';
const turns = () => new Promise((resolve) => setImmediate(resolve));

describe('what a server asks its client', () => {
  it('goes to the one session with a call in flight under an id of ours, and its answer back', async () => {
    const { router, callers, link, refusals } = bench();
    const reply = new FakeReply();
    callers.begin({ session: ana, reply });
    const answer = link.ask('elicitation/create', { message: 'Which?' });
    expect(reply.streamed).toEqual([
      { jsonrpc: '2.0', id: 'run1-1', method: 'elicitation/create', params: { message: 'Which?' } },
    ]);
    expect(router.settle(ana, answerTo(reply.streamed[0], { action: 'accept' }))).toBe(true);
    expect(await answer).toBe('{"action":"accept"}');
    expect(router.size).toBe(0);
    expect(refusals).toEqual([]);
  });

  it('goes on the newest response that is open and takes it', () => {
    const { callers, link } = bench();
    const [oldest, older, full, closed] = [
      new FakeReply(),
      new FakeReply(),
      new FakeReply(),
      new FakeReply(),
    ];
    for (const reply of [oldest, older, full, closed]) callers.begin({ session: ana, reply });
    full.isFull = true;
    closed.isOpen = false;
    void link.ask('sampling/createMessage');
    expect([oldest, older, full, closed].map(({ streamed }) => streamed.length)).toEqual([0, 1, 0, 0]);
  });

  it('goes to no session while another one of its client calls, or has called and is still there', async () => {
    const { callers, link, listening, refusals } = bench();
    const second = { ...ana, nonce: 'ana2' };
    const reply = new FakeReply();
    const end = callers.begin({ session: ana, reply: new FakeReply() });
    callers.begin({ session: second, reply });
    await link.ask('sampling/createMessage');
    end();
    end();
    listening.add('ana');
    await link.ask('sampling/createMessage');
    expect([refusals.map(({ reason }) => reason), reply.streamed]).toEqual([['several', 'several'], []]);
    listening.clear();
    void link.ask('sampling/createMessage');
    expect(reply.streamed).toHaveLength(1);
  });

  it.each([
    ['nobody', 'elicitation/create', -32603],
    ['nobody', 'roots/list', -32603],
    ['several', 'sampling/createMessage', -32603],
    ['window', 'sampling/createMessage', -32603],
    ['undeclared', 'sampling/createMessage', -32603],
    ['unreachable', 'sampling/createMessage', -32603],
  ])('is refused and told of, with nobody asked: %s, %s', async (why, method, code) => {
    const { callers, link, refusals, router } = bench();
    const reply = new FakeReply();
    const other = new FakeReply();
    const session = why === 'undeclared' ? sessionFacts('eve', 'elicitation') : ana;
    if (why !== 'nobody') callers.begin({ session, reply });
    if (why === 'several') callers.begin({ session: ben, reply: other });
    if (why === 'window') link.callers.note('window');
    reply.isOpen = why !== 'unreachable';
    expect(await link.ask(method)).toMatch(
      new RegExp(`^${code} MCP Control Panel did not pass on ${method}: `),
    );
    const reason = why === 'window' ? 'several' : why;
    // Whom it could have been about is known only where one client alone had a call in flight.
    const isOne = reason === 'undeclared' || reason === 'unreachable';
    expect(refusals).toEqual([
      { server: 'one', method, reason, ...(isOne && { clientId: session.clientId }) },
    ]);
    expect([...reply.streamed, ...other.streamed]).toEqual([]);
    expect(router.size).toBe(0);
  });

  it('is refused where the one caller declared no folders, and a method that is none is unknown', async () => {
    const { callers, link, refusals } = bench();
    callers.begin({ session: ana, reply: new FakeReply() });
    expect(await link.ask('roots/list')).toMatch(/^-32603 /);
    expect(await link.ask('tools/call')).toBe('-32601 Method not found');
    expect(await link.ask('toString')).toBe('-32601 Method not found');
    expect(refusals).toEqual([
      { server: 'one', method: 'roots/list', reason: 'undeclared', clientId: ana.clientId },
    ]);
  });

  it('is answered by the client that was asked and by nobody else, once', async () => {
    const { router, callers, link } = bench();
    const reply = new FakeReply();
    callers.begin({ session: ana, reply });
    const answer = link.ask('sampling/createMessage');
    const right = answerTo(reply.streamed[0], { model: 'mine' });
    expect(router.settle(ben, right)).toBe(false);
    expect(router.settle(ana, { ...right, id: 'run0-1' })).toBe(false);
    expect(router.settle(ana, { ...right, id: 1 })).toBe(false);
    expect(router.settle(ana, right)).toBe(true);
    await answer;
    expect(router.settle(ana, right)).toBe(false);
  });

  it.each<[Partial<InboundMessage>, string]>([
    [{ error: { code: -1, message: 'User rejected', data: 'busy' }, result: {} }, '-1 User rejected'],
    [{}, NO_RESULT],
    [{ result: 'yes' }, NO_RESULT],
    [{ result: [] }, NO_RESULT],
    [{ error: 'no' }, NO_ERROR],
    [{ error: { code: 1.5, message: 'x' } }, NO_ERROR],
    [{ error: { code: -1 } }, NO_ERROR],
    [{ error: null }, NO_ERROR],
  ])('gets the client’s own error, and words of ours for what is no answer: %j', async (answer, expected) => {
    const { router, callers, link } = bench();
    const reply = new FakeReply();
    callers.begin({ session: ana, reply });
    const asked = link.ask('elicitation/create');
    router.settle(ana, { jsonrpc: '2.0', id: reply.streamed[0]!.id!, ...answer });
    expect(await asked).toBe(expected);
  });

  it('keeps ids of two runs of a server apart', async () => {
    const { router, callers, link, attach } = bench();
    const next = new FakeLink({});
    const { callers: nextCallers } = attach(next);
    const [reply, nextReply] = [new FakeReply(), new FakeReply()];
    callers.begin({ session: ana, reply });
    nextCallers.begin({ session: ana, reply: nextReply });
    const answers = [link.ask('sampling/createMessage'), next.ask('sampling/createMessage')];
    expect(nextReply.streamed[0]?.id).not.toBe(reply.streamed[0]?.id);
    router.settle(ana, answerTo(nextReply.streamed[0], { of: 'next' }));
    router.settle(ana, answerTo(reply.streamed[0], { of: 'first' }));
    expect(await Promise.all(answers)).toEqual(['{"of":"first"}', '{"of":"next"}']);
  });

  it('tells the server of the client’s progress under the server’s own token, and waits for as long as a call may take in all', async () => {
    const { router, callers, link, clock } = bench();
    const reply = new FakeReply();
    callers.begin({ session: ana, reply });
    const answer = link.ask('sampling/createMessage', { _meta: { progressToken: 't', other: 1 } });
    expect(reply.streamed[0]?.params).toEqual({ _meta: { progressToken: 'run1-1', other: 1 } });
    const progress = { progressToken: 'run1-1', progress: 1 };
    expect(router.progressed(ben, progress)).toBe(false);
    expect(router.progressed(ana, progress)).toBe(true);
    expect(router.progressed(ana)).toBe(false);
    expect(link.told).toEqual([
      { method: 'notifications/progress', params: { progressToken: 't', progress: 1 } },
    ]);
    await clock.advance(limits.maxTotalMs - 1);
    router.settle(ana, answerTo(reply.streamed[0], {}));
    expect(await answer).toBe('{}');
    expect(clock.pending).toBe(0);
  });

  it('is called off where it was asked, when the server cancels it', async () => {
    const { router, callers, link, clock } = bench();
    const reply = new FakeReply();
    callers.begin({ session: ana, reply });
    const abort = new AbortController();
    const answer = link.ask('elicitation/create', {}, abort.signal);
    abort.abort();
    expect(await answer).toMatch(/^-32603 /);
    expect(reply.streamed[1]).toMatchObject({
      method: 'notifications/cancelled',
      params: { requestId: 'run1-1' },
    });
    expect(router.settle(ana, answerTo(reply.streamed[0], {}))).toBe(false);
    expect(clock.pending).toBe(0);
  });

  it('ends when the client has not answered for as long as a call may take in all, with progress or without', async () => {
    const { router, callers, link, clock } = bench();
    callers.begin({ session: ana, reply: new FakeReply() });
    const answers = [link.ask('elicitation/create'), link.ask('elicitation/create')];
    await clock.advance(limits.maxTotalMs - 1);
    router.progressed(ana, { progressToken: 'run1-2', progress: 1 });
    expect(router.size).toBe(2);
    await clock.advance(1);
    const late = '-32603 The client did not answer in time.';
    expect(await Promise.all(answers)).toEqual([late, late]);
    expect(clock.pending).toBe(0);
  });

  it('is told to the connection once somebody was asked, and not when it is refused', async () => {
    const { callers, link } = bench();
    await link.ask('elicitation/create');
    expect(link.clientsAsked).toBe(0);
    callers.begin({ session: ana, reply: new FakeReply() });
    void link.ask('elicitation/create');
    expect(link.clientsAsked).toBe(1);
  });

  it('ends with the session that was asked, and with the panel', async () => {
    const { router, callers, link, clock } = bench();
    const reply = new FakeReply();
    callers.begin({ session: ana, reply });
    const first = link.ask('elicitation/create');
    router.sessionEnded(ben);
    await turns();
    expect(router.size).toBe(1);
    router.sessionEnded(ana);
    expect(await first).toBe('-32603 The session of the client has ended.');
    const second = link.ask('elicitation/create');
    router.dispose();
    expect(await second).toBe('-32603 The panel is quitting.');
    expect(clock.pending).toBe(0);
  });

  it('is remembered by its elicitation id, for the word that it is over', () => {
    const { callers, link, elicitations } = bench();
    callers.begin({ session: ana, reply: new FakeReply() });
    void link.ask('elicitation/create', { mode: 'url', elicitationId: 'e1', url: 'https://x.test' });
    expect(elicitations.ownerOf('e1')).toBe('ana');
  });

  it('is nobody’s affair any more after the undo', async () => {
    const { link, detach } = bench();
    detach();
    expect(await link.ask('elicitation/create')).toBe('nobody answers');
  });
});
