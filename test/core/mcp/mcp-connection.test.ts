import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { PanelError } from '../../../shared/error-codes.ts';
import { LONGEST_TIMER_MS } from '../../../electron/core/clock.ts';
import { createDeferred } from '../../../electron/core/deferred.ts';
import type { CallOptions } from '../../../electron/core/mcp/mcp-connection.ts';
import { RpcError } from '../../../electron/core/mcp/rpc-error.ts';
import { behindTheNextTimer } from '../fake-clock.ts';
import { createConnectionBench, outcomeOf } from './connection-bench.ts';

type Bench = Awaited<ReturnType<typeof createConnectionBench>>;

/** Makes a call that has left. */
async function call({ connection, clock, transport }: Bench, options: CallOptions = {}) {
  const promise = connection.request('tools/call', { name: 'query' }, options);
  const outcome = outcomeOf(promise);
  await clock.advance(0);
  return { promise, outcome, id: transport.lastId };
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe('the deadline of a call', () => {
  it.each([
    [
      { timeoutMs: 3000, maxTotalMs: 60_000 },
      { timeout: 3000, totalElapsed: 3000 },
    ],
    [
      { timeoutMs: 6000, maxTotalMs: 1000 },
      { maxTotalTimeout: 1000, totalElapsed: 1000 },
    ],
  ])('tells by its cause which limit has passed, as the SDKs do: %j', async (limits, data) => {
    const bench = await createConnectionBench(limits);
    const { promise } = await call(bench);
    const failure = promise.catch((error: unknown) => error);
    await bench.clock.advance(6000);
    const cause = { code: -32001, message: 'Request timed out', data };
    expect(await failure).toMatchObject({ code: 'REQUEST_TIMEOUT', cause, data: undefined });
  });

  describe('while its client is asked something by the server', () => {
    const ask: JSONRPCMessage = { jsonrpc: '2.0', id: 'q', method: 'elicitation/create', params: {} };
    const limits = { timeoutMs: 3000, maxTotalMs: 60_000 };

    /** Bench whose client is asked at once, and answers when the test says so. */
    async function asked() {
      const bench = await createConnectionBench(limits);
      const answers: ((result: Record<string, unknown>) => void)[] = [];
      bench.connection.onRequest((_request, _signal, asking) => {
        asking();
        return new Promise((resolve) => answers.push(resolve));
      });
      return { ...bench, answers };
    }

    it('stands still, for this call and for a new one of that client, and goes on with what was left', async () => {
      const bench = await asked();
      const first = await call(bench, { client: 'ana' });
      await bench.clock.advance(2000);
      bench.transport.say(ask);
      const second = await call(bench, { client: 'ana' });
      const other = await call(bench, { client: 'ben' });
      await bench.clock.advance(30_000);
      expect([first.outcome.now, second.outcome.now]).toEqual(['pending', 'pending']);
      expect(other.outcome.now).toBe('REQUEST_TIMEOUT');
      bench.answers[0]!({ action: 'accept' });
      await bench.clock.advance(999);
      expect(first.outcome.now).toBe('pending');
      await bench.clock.advance(1);
      expect([first.outcome.now, second.outcome.now]).toEqual(['REQUEST_TIMEOUT', 'pending']);
      await bench.clock.advance(2000);
      expect(second.outcome.now).toBe('REQUEST_TIMEOUT');
    });

    it('passes all the same at the longest total time', async () => {
      const bench = await asked();
      const { outcome } = await call(bench, { client: 'ana' });
      bench.transport.say(ask);
      await bench.clock.advance(59_999);
      expect(outcome.now).toBe('pending');
      await bench.clock.advance(1);
      expect(outcome.now).toBe('REQUEST_TIMEOUT');
    });

    it('goes on when the server calls its question off', async () => {
      const bench = await asked();
      const { outcome } = await call(bench, { client: 'ana' });
      bench.transport.say(ask);
      await bench.clock.advance(10_000);
      bench.transport.cancel('q');
      bench.answers[0]!({ action: 'cancel' });
      await bench.clock.advance(3000);
      expect(outcome.now).toBe('REQUEST_TIMEOUT');
    });
  });

  it('is moved by progress, and never beyond the longest total time', async () => {
    const bench = await createConnectionBench({ timeoutMs: 3000, maxTotalMs: 7000 });
    const { outcome, id } = await call(bench);
    for (const stepMs of [2900, 2900]) {
      await bench.clock.advance(stepMs);
      bench.transport.progress(id);
    }
    await bench.clock.advance(7000 - 5800 - 1);
    expect(outcome.now).toBe('pending');
    await bench.clock.advance(1);
    expect(outcome.now).toBe('REQUEST_TIMEOUT');
  });

  it('is not touched when somebody sets the time of day', async () => {
    const bench = await createConnectionBench({ timeoutMs: 3000, maxTotalMs: 10_000 });
    const { outcome, id } = await call(bench);
    const twoHoursOn = Date.now() + 7_200_000;
    vi.spyOn(Date, 'now').mockReturnValue(twoHoursOn);
    await bench.clock.advance(1000);
    bench.transport.progress(id);
    await bench.clock.advance(1000);
    expect(outcome.now).toBe('pending');
    bench.transport.answer(id, { ok: true });
    await bench.clock.advance(0);
    expect(outcome.now).toEqual({ ok: true });
  });

  it('stays what it was when the call was sent, for its caller and for the verdict on the server', async () => {
    const bench = await createConnectionBench({ timeoutMs: 300_000, maxTotalMs: 400_000 });
    const { outcome, id } = await call(bench);
    bench.settings.calls = { timeoutMs: 1000, maxTotalMs: 1000 };
    await bench.clock.advance(6000);
    const { ledger } = bench.connection;
    expect(ledger.openAt(bench.clock.now()).map((open) => open.id)).toEqual([id]);
    expect(ledger.overdueAt(bench.clock.now())).toEqual([]);
    bench.transport.answer(id, { ok: true });
    await bench.clock.advance(0);
    expect(outcome.now).toEqual({ ok: true });
    const next = await call(bench);
    await bench.clock.advance(1000);
    expect(next.outcome.now).toBe('REQUEST_TIMEOUT');
  });

  it('is the own one of a caller that has one: nobody waits after it, and the server is not overdue for it', async () => {
    const bench = await createConnectionBench({ timeoutMs: 300_000, maxTotalMs: 400_000 });
    const { outcome } = await call(bench, { timeoutMs: 15_000 });
    const { ledger } = bench.connection;
    await bench.clock.advance(14_999);
    expect(outcome.now).toBe('pending');
    expect(ledger.awaitedAt(bench.clock.now())).toHaveLength(1);
    await bench.clock.advance(1);
    expect(outcome.now).toBe('REQUEST_TIMEOUT');
    expect(ledger.awaitedAt(bench.clock.now())).toEqual([]);
    expect(ledger.openAt(bench.clock.now())).toHaveLength(1);
    await bench.clock.advance(285_000);
    expect(ledger.overdueAt(bench.clock.now())).toHaveLength(1);
  });

  it('passes for each of several calls when its own is over, in whatever order they were sent', async () => {
    const bench = await createConnectionBench({ timeoutMs: 10_000, maxTotalMs: 400_000 });
    const long = await call(bench);
    await bench.clock.advance(20);
    const short = await call(bench, { timeoutMs: 2000 });
    await bench.clock.advance(1999);
    expect([long.outcome.now, short.outcome.now]).toEqual(['pending', 'pending']);
    await bench.clock.advance(1);
    expect([long.outcome.now, short.outcome.now]).toEqual(['pending', 'REQUEST_TIMEOUT']);
    await bench.clock.advance(7979);
    expect(long.outcome.now).toBe('pending');
    await bench.clock.advance(1);
    expect(long.outcome.now).toBe('REQUEST_TIMEOUT');
  });

  it('gives no more time for an absence of ours before the call was sent', async () => {
    const bench = await createConnectionBench({ timeoutMs: 10_000, maxTotalMs: 12_000 });
    const first = await call(bench);
    bench.transport.answer(first.id, { ok: true });
    await bench.clock.advance(500);
    bench.clock.jump(60_000);
    const { outcome } = await call(bench);
    await bench.clock.advance(9999);
    expect(outcome.now).toBe('pending');
    await bench.clock.advance(1);
    expect(outcome.now).toBe('REQUEST_TIMEOUT');
  });

  it('never finds a server overdue for a caller that waits longer than the setting', async () => {
    const bench = await createConnectionBench({ timeoutMs: 1000, maxTotalMs: 400_000 });
    const { outcome } = await call(bench, { timeoutMs: 15_000 });
    await bench.clock.advance(14_999);
    expect(outcome.now).toBe('pending');
    expect(bench.connection.ledger.overdueAt(bench.clock.now())).toEqual([]);
  });

  it('does not pass early where it is longer than a timer can be', async () => {
    const bench = await createConnectionBench({ timeoutMs: 2 ** 40, maxTotalMs: 2 ** 40 });
    const setTimeout = bench.clock.setTimeout.bind(bench.clock);
    vi.spyOn(bench.clock, 'setTimeout').mockImplementation((task, delayMs) =>
      setTimeout(task, Math.min(delayMs, LONGEST_TIMER_MS)),
    );
    const { outcome } = await call(bench);
    await bench.clock.advance(2 ** 40 - 1);
    expect(outcome.now).toBe('pending');
    await bench.clock.advance(1);
    expect(outcome.now).toBe('REQUEST_TIMEOUT');
  });

  it('begins anew, for its caller and for the verdict on the server, when we ourselves were absent', async () => {
    const bench = await createConnectionBench({ timeoutMs: 10_000, maxTotalMs: 15_000 });
    const { outcome } = await call(bench);
    await bench.clock.advance(9000);
    bench.clock.jump(60_000);
    await bench.clock.advance(5000);
    expect(outcome.now).toBe('pending');
    expect(bench.connection.ledger.overdueAt(bench.clock.now())).toEqual([]);
    await bench.clock.advance(2000);
    expect(outcome.now).toBe('REQUEST_TIMEOUT');
    expect(bench.connection.ledger.overdueAt(bench.clock.now())).toHaveLength(1);
  });

  it('does not pass before an answer was read that had come by then', async () => {
    const bench = await createConnectionBench({ timeoutMs: 1000, maxTotalMs: 5000 });
    const { outcome, id } = await call(bench);
    await bench.clock.advance(999);
    behindTheNextTimer(() => bench.transport.answer(id, { ok: true }));
    await bench.clock.advance(1000);
    expect(outcome.now).toEqual({ ok: true });
  });

  it('is not what an error of the server says, whatever its code', async () => {
    const bench = await createConnectionBench({ timeoutMs: 1000, maxTotalMs: 5000 });
    const { promise, id } = await call(bench);
    const failure = promise.catch((reason: unknown) => reason as PanelError);
    const error = { code: -32001, message: 'The database did not answer', data: { table: 'orders' } };
    bench.transport.say({ jsonrpc: '2.0', id, error });
    const { cause } = (await failure) as PanelError;
    expect(cause).toBeInstanceOf(RpcError);
    expect(cause).toMatchObject(error);
    expect(await failure).toMatchObject({
      code: 'SERVER_ERROR',
      message: 'The database did not answer',
      data: { rpcCode: -32001, rpcData: { table: 'orders' } },
    });
  });

  it('counts as an answer what answers a request, and neither messages nor a request that was lost', async () => {
    const bench = await createConnectionBench({ timeoutMs: 60_000, maxTotalMs: 60_000 });
    const { promise, id } = await call(bench);
    promise.catch(() => undefined);
    await bench.clock.advance(1000);
    bench.transport.progress(id);
    bench.connection.lose(id, new PanelError('UNREACHABLE', 'x'));
    bench.transport.answer(99);
    expect(bench.connection.lastAnswerAtMs).toBe(0);
    const asked = bench.connection.probe('ping');
    bench.transport.answer(bench.transport.lastId);
    expect(bench.connection.lastAnswerAtMs).toBe(1000);
    await asked;
  });

  it('takes an answer that comes after it for a sign of life, and for no noise', async () => {
    const bench = await createConnectionBench({ timeoutMs: 1000, maxTotalMs: 5000 });
    const { outcome, id } = await call(bench);
    await bench.clock.advance(1500);
    expect(bench.connection.ledger.overdueAt(bench.clock.now())).toHaveLength(1);
    bench.transport.answer(id);
    expect(bench.connection.lastActivityAtMs).toBe(1500);
    expect(bench.connection.lastAnswerAtMs).toBe(1500);
    expect(bench.connection.ledger.calls).toEqual([]);
    expect(bench.unmatched).toEqual([]);
    expect(outcome.now).toBe('REQUEST_TIMEOUT');
  });
});

describe('a question of supervision', () => {
  it.each([-32000, -32001, -32601])(
    'is answered by an error of the server with the code %i',
    async (code) => {
      const bench = await createConnectionBench({ timeoutMs: 1000, maxTotalMs: 5000 });
      const outcome = outcomeOf(bench.connection.probe('ping'));
      bench.transport.say({ jsonrpc: '2.0', id: bench.transport.lastId, error: { code, message: 'no' } });
      await bench.clock.advance(0);
      expect(outcome.now).toBe(0);
    },
  );

  it('is answered neither by its loss nor by the end of the connection', async () => {
    const bench = await createConnectionBench({ timeoutMs: 1000, maxTotalMs: 5000 });
    const lost = outcomeOf(bench.connection.probe('ping'));
    bench.connection.lose(bench.transport.lastId, new PanelError('UNREACHABLE', 'x'));
    const ended = outcomeOf(bench.connection.probe('ping'));
    bench.connection.end(new PanelError('CRASHED', 'x'));
    await bench.clock.advance(0);
    expect([lost.now, ended.now]).toEqual(['UNREACHABLE', 'CRASHED']);
  });
});

describe('the end of a call', () => {
  it.each<[string, (bench: Bench, id: number, abort: AbortController) => void, unknown]>([
    ['its answer', ({ transport }, id) => transport.answer(id), {}],
    [
      'an error of the server',
      ({ transport }, id) => transport.say({ jsonrpc: '2.0', id, error: { code: 1, message: 'no' } }),
      'SERVER_ERROR',
    ],
    ['its caller', (_bench, _id, abort) => abort.abort(), 'CANCELLED'],
    [
      'its loss',
      ({ connection }, id) => connection.lose(id, new PanelError('UNREACHABLE', 'x')),
      'UNREACHABLE',
    ],
    ['the connection', ({ connection }) => connection.end(new PanelError('CRASHED', 'x')), 'CRASHED'],
  ])(
    'leaves no timer behind for longer than its limit when it comes by %s',
    async (_what, finish, expected) => {
      const bench = await createConnectionBench({ timeoutMs: 1000, maxTotalMs: 5000 });
      const abort = new AbortController();
      const { outcome, id } = await call(bench, { signal: abort.signal });
      expect(bench.clock.pending).toBe(1);
      finish(bench, id as number, abort);
      await bench.clock.advance(0);
      expect(outcome.now).toEqual(expected);
      await bench.clock.advance(1000);
      expect(bench.clock.pending).toBe(0);
    },
  );

  it('is seen by the ledger, too, when the id of the answer comes back as text', async () => {
    const bench = await createConnectionBench({ timeoutMs: 1000, maxTotalMs: 5000 });
    const { outcome, id } = await call(bench);
    bench.transport.answer(String(id), { ok: true });
    await bench.clock.advance(0);
    expect(outcome.now).toEqual({ ok: true });
    expect(bench.connection.ledger.calls).toEqual([]);
    expect(bench.connection.pendingRequests).toBe(0);
    expect(bench.unmatched).toEqual([]);
  });

  it('calls the request off for a caller that cancels, once', async () => {
    const bench = await createConnectionBench({ timeoutMs: 1000, maxTotalMs: 5000 });
    const abort = new AbortController();
    const { outcome, id } = await call(bench, { signal: abort.signal });
    abort.abort();
    await bench.clock.advance(5000);
    expect(outcome.now).toBe('CANCELLED');
    expect(bench.transport.cancelled).toEqual([id]);
  });

  it('sends nothing for a caller that has cancelled already', async () => {
    const bench = await createConnectionBench({ timeoutMs: 1000, maxTotalMs: 5000 });
    const sent = bench.transport.sent.length;
    const { outcome } = await call(bench, { signal: AbortSignal.abort() });
    expect(outcome.now).toBe('CANCELLED');
    expect(bench.transport.sent).toHaveLength(sent);
    expect(bench.clock.pending).toBe(0);
  });

  it.each<[string, (bench: Bench, abort: AbortController) => Promise<void> | void]>([
    [
      'before the connection ended',
      async ({ connection, clock }, abort) => {
        abort.abort();
        await clock.advance(0);
        connection.end(new PanelError('STALLED', 'x'));
      },
    ],
    [
      'in the turn in which the connection ended',
      ({ connection }, abort) => {
        abort.abort();
        connection.end(new PanelError('STALLED', 'x'));
      },
    ],
    [
      'in the turn in which the connection ended, right after it',
      ({ connection }, abort) => {
        connection.end(new PanelError('STALLED', 'x'));
        abort.abort();
      },
    ],
  ])('is the cancellation where its caller cancelled %s', async (_when, finish) => {
    const bench = await createConnectionBench({ timeoutMs: 1000, maxTotalMs: 5000 });
    const abort = new AbortController();
    const { outcome } = await call(bench, { signal: abort.signal });
    await finish(bench, abort);
    await bench.clock.advance(0);
    expect(outcome.now).toBe('CANCELLED');
    expect(bench.clock.pending).toBe(0);
  });

  it('is not held up, for a caller that cancels, by what the call waits for before it leaves', async () => {
    const bench = await createConnectionBench({ timeoutMs: 1000, maxTotalMs: 5000 });
    const probed = createDeferred<void>();
    bench.connection.onBeforeCall(() => probed.promise);
    const abort = new AbortController();
    const sent = bench.transport.sent.length;
    const { outcome } = await call(bench, { signal: abort.signal });
    abort.abort();
    await bench.clock.advance(0);
    expect(outcome.now).toBe('CANCELLED');
    probed.resolve();
    await bench.clock.advance(0);
    expect(bench.transport.sent).toHaveLength(sent);
    expect(bench.clock.pending).toBe(0);
  });

  it('is not held up, for a caller that cancels, by the search for the reason of a broken pipe', async () => {
    const bench = await createConnectionBench({ timeoutMs: 1000, maxTotalMs: 5000 });
    bench.transport.refusal = new PanelError('CRASHED', 'The pipe to the server is closed.');
    const abort = new AbortController();
    const { outcome } = await call(bench, { signal: abort.signal });
    expect(outcome.now).toBe('pending');
    abort.abort();
    await bench.clock.advance(0);
    expect(outcome.now).toBe('CANCELLED');
    bench.connection.end(new PanelError('CRASHED', 'x'));
    await bench.clock.advance(0);
    expect(bench.clock.pending).toBe(0);
  });

  it('comes with the refusal to send it: the server is not busy with what it never got', async () => {
    const bench = await createConnectionBench({ timeoutMs: 1000, maxTotalMs: 5000 });
    bench.transport.refusal = new PanelError('STALLED', 'The server has stopped reading.');
    const { outcome } = await call(bench);
    expect(outcome.now).toBe('STALLED');
    expect(bench.connection.ledger.calls).toEqual([]);
    await bench.clock.advance(1000);
    expect(bench.clock.pending).toBe(0);
  });

  it('comes at once where the server cancels the call, with its reason; what it says later is no noise', async () => {
    const bench = await createConnectionBench({ timeoutMs: 1000, maxTotalMs: 5000 });
    const { promise, id } = await call(bench);
    const failure = promise.catch((reason: unknown) => reason);
    bench.transport.cancel(id, 'the simulator was closed');
    expect(await failure).toMatchObject({
      code: 'CANCELLED',
      message: 'The server cancelled tools/call: the simulator was closed',
      data: { cancelledBy: 'server' },
    });
    expect(bench.connection.ledger.calls).toEqual([]);
    expect(bench.transport.cancelled).toEqual([]);
    bench.transport.answer(id, {});
    expect(bench.unmatched).toEqual([]);
    await bench.clock.advance(1000);
    expect(bench.clock.pending).toBe(0);
  });

  it('does not come by a server that cancels a request of its own with the same id, or none that is known', async () => {
    const bench = await createConnectionBench({ timeoutMs: 1000, maxTotalMs: 5000 });
    const { outcome, id } = await call(bench);
    bench.transport.say({ jsonrpc: '2.0', id, method: 'roots/list' });
    bench.transport.cancel(id);
    bench.transport.cancel(4711);
    bench.transport.say({ jsonrpc: '2.0', method: 'notifications/cancelled', params: {} });
    bench.transport.answer(id, { ok: true });
    await bench.clock.advance(0);
    expect(outcome.now).toEqual({ ok: true });
  });

  it('is the last the server hears of it, also when its caller cancels afterwards', async () => {
    const bench = await createConnectionBench({ timeoutMs: 1000, maxTotalMs: 5000 });
    const abort = new AbortController();
    const { outcome, id } = await call(bench, { signal: abort.signal });
    bench.transport.answer(id);
    await bench.clock.advance(0);
    abort.abort();
    await bench.clock.advance(0);
    expect(outcome.now).toEqual({});
    expect(bench.transport.cancelled).toEqual([]);
  });
});

describe('the use of a server', () => {
  const LIMITS = { timeoutMs: 60_000, maxTotalMs: 60_000 };

  it.each([
    ['tools/call', {}, true],
    ['resources/read', {}, true],
    ['prompts/get', {}, true],
    ['completion/complete', {}, true],
    ['resources/subscribe', {}, true],
    ['resources/subscribe', { isOwnQuestion: true }, false],
    ['tools/list', {}, false],
    ['resources/templates/list', {}, false],
    ['resources/unsubscribe', {}, false],
  ] as const)('is dated by %s with %j, at its begin and its end: %s', async (method, options, isUse) => {
    const { connection, clock, transport } = await createConnectionBench(LIMITS);
    const bornAtMs = connection.use.lastUseAtMs;
    await clock.advance(1000);
    const asked = connection.request(method, {}, options);
    await clock.advance(0);
    expect(connection.use.lastUseAtMs - bornAtMs).toBe(isUse ? 1000 : 0);
    await clock.advance(500);
    transport.answer(transport.lastId);
    await asked;
    expect(connection.use.lastUseAtMs - bornAtMs).toBe(isUse ? 1500 : 0);
  });

  it('begins before a call has left, and ends with its answer', async () => {
    const bench = await createConnectionBench({ timeoutMs: 1000, maxTotalMs: 1000 });
    const { connection, clock, transport } = bench;
    const hook = createDeferred<void>();
    const drop = connection.onBeforeCall(() => hook.promise);
    const first = call(bench);
    await clock.advance(0);
    expect([connection.use.isInUse, transport.sent.length]).toEqual([true, 2]);
    hook.resolve();
    drop();
    const { outcome } = await first;
    await clock.advance(0);
    transport.answer(transport.lastId);
    await clock.advance(0);
    expect([outcome.now, connection.use.isInUse]).toEqual([{}, false]);
  });

  it('is none by health checks and by what the panel asks for itself', async () => {
    const { connection, clock } = await createConnectionBench(LIMITS);
    void connection.probe('ping').catch(() => undefined);
    void connection.request('tools/list', {}, { isOwnQuestion: true }).catch(() => undefined);
    await clock.advance(0);
    expect(connection.use.isInUse).toBe(false);
  });
});
