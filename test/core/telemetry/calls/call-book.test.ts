import { describe, expect, it } from 'vitest';
import { CallBook } from '../../../../electron/core/telemetry/calls/call-book.ts';
import { ClientCalls } from '../../../../electron/core/telemetry/calls/client-calls.ts';
import { createFakeClock } from '../../fake-clock.ts';

function bench() {
  const clock = createFakeClock();
  const marked: string[] = [];
  const book = new CallBook({ clock, wallClock: clock, onRecent: (key) => marked.push(key) });
  return { clock, marked, book };
}

const result = (durationMs = 10) => ({ outcome: 'result', durationMs }) as const;
const error = (durationMs = 10) => ({ outcome: 'error', durationMs }) as const;

describe('CallBook', () => {
  it('keeps one server apart from the other, and knows nothing of one without calls', () => {
    const { book, clock } = bench();
    book.record('a', result());
    book.record('a', error());
    book.record('b', result());
    expect(book.recent('a')).toEqual({ calls: 2, errors: 1 });
    expect(book.recent('b')).toEqual({ calls: 1, errors: 0 });
    expect(book.since('a', 0)).toMatchObject([{ calls: 2, errors: 1 }]);
    expect([book.recent('c'), book.totals('c'), book.since('c', 0)]).toEqual([undefined, undefined, []]);
    book.dispose();
    expect(clock.pending).toBe(0);
  });

  it('tells of the last minute: each call goes after 55 to 60 seconds, and its figure is absent then, not 0', async () => {
    const { book, clock } = bench();
    book.record('a', result());
    await clock.advance(30_000);
    book.record('a', error());
    await clock.advance(24_999);
    expect(book.recent('a')).toEqual({ calls: 2, errors: 1 });
    await clock.advance(5001);
    expect(book.recent('a')).toEqual({ calls: 1, errors: 1 });
    await clock.advance(30_000);
    expect(book.recent('a')).toBeUndefined();
  });

  it('says when the figure of the last minute changes, also by time alone, and has no timer without one', async () => {
    const { book, clock, marked } = bench();
    expect(clock.pending).toBe(0);
    book.record('a', result());
    expect(marked).toEqual(['a']);
    const told: unknown[] = [];
    for (let second = 0; second < 70; second += 1) {
      const before = marked.length;
      await clock.advance(1000);
      if (marked.length > before) told.push(book.recent('a'));
    }
    expect(told.at(-1)).toBeUndefined();
    expect(told.filter((recent) => recent === undefined)).toHaveLength(1);
    expect(clock.pending).toBe(0);
  });

  it('adds up outcomes and durations since the start, in buckets that hold those below them', () => {
    const { book } = bench();
    for (const durationMs of [5, 6, 20_000, 400_000]) book.record('a', result(durationMs));
    book.record('a', { outcome: 'timeout', durationMs: 300_000 });
    book.record('a', { outcome: 'cancelled', durationMs: 1 });
    book.record('a', { outcome: 'lost', durationMs: 1 });
    const totals = book.totals('a')!;
    expect(totals.outcomes).toEqual({ result: 4, error: 0, timeout: 1, cancelled: 1, lost: 1 });
    expect(totals.durations).toMatchObject({ count: 5, sumMs: 720_011 });
    const counts = Object.fromEntries(totals.durations.upTo.map(({ boundMs, count }) => [boundMs, count]));
    expect(counts).toMatchObject({ 5: 1, 10: 2, 10_000: 2, 30_000: 3, 60_000: 3, 300_000: 4 });
  });

  it('forgets a server, and is asked for it no more', async () => {
    const { book, clock, marked } = bench();
    book.record('a', result());
    book.forget('a');
    marked.length = 0;
    await clock.advance(60_000);
    expect([book.recent('a'), book.totals('a'), book.since('a', 0)]).toEqual([undefined, undefined, []]);
    expect(marked).toEqual([]);
    expect(clock.pending).toBe(0);
  });
});

describe('ClientCalls', () => {
  const ofClients = () => {
    const clock = createFakeClock();
    return { clock, calls: new ClientCalls(clock) };
  };

  it('counts calls and errors per client, and what each asked of which server', () => {
    const { calls, clock } = ofClients();
    calls.recordClientCall('1', { server: 'memory', clientName: 'editor', ...result() });
    calls.recordClientCall('1', { server: 'memory', ...error() });
    calls.recordClientCall('1', { server: 'github', outcome: 'cancelled', durationMs: 1 });
    calls.recordClientCall('2', { server: 'memory', ...result() });
    expect(calls.count('1')).toEqual({ calls: 3, errors: 1 });
    expect(calls.count('never seen')).toEqual({ calls: 0, errors: 0 });
    expect(calls.since('1', 0)).toMatchObject([{ calls: 3, errors: 1 }]);
    const summary = calls
      .totals()
      .map(({ clientId, clientName, server, outcomes }) => [clientId, clientName, server, outcomes]);
    const none = { result: 0, error: 0, timeout: 0, cancelled: 0, lost: 0 };
    expect(summary).toEqual([
      ['1', 'editor', 'memory', { ...none, result: 1, error: 1 }],
      ['1', 'editor', 'github', { ...none, cancelled: 1 }],
      ['2', undefined, 'memory', { ...none, result: 1 }],
    ]);
    expect(clock.pending).toBe(0);
  });

  it('forgets a client that was revoked, and a server that was removed', () => {
    const { calls } = ofClients();
    for (const id of ['1', '2'])
      for (const server of ['memory', 'github']) calls.recordClientCall(id, { server, ...result() });
    calls.forget('1');
    calls.forgetServer('github');
    expect(calls.totals().map(({ clientId, server }) => [clientId, server])).toEqual([['2', 'memory']]);
    expect(calls.count('1')).toEqual({ calls: 0, errors: 0 });
    expect(calls.since('1', 0)).toEqual([]);
    expect(calls.count('2')).toEqual({ calls: 2, errors: 0 });
  });
});
