import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ClientSessionView } from '../../../electron/core/gateway/session/options.ts';
import { ClientEvents } from '../../../electron/core/panel/client-events.ts';
import { createFakeClock } from '../fake-clock.ts';

function setUp(hasSessions = true) {
  const clock = createFakeClock();
  const told: unknown[][] = [];
  const events = new ClientEvents({
    clock,
    logEvent: (server, ...event) => told.push(server === null ? event : [server, ...event]),
    client: (id) => (id === 'c1' ? { name: 'cursor', hasSessions } : undefined),
  });
  return { clock, told, events };
}
const session: ClientSessionView = {
  clientId: 'c1',
  server: 'github',
  contextId: 'x',
  protocolVersion: '2025-11-25',
  capabilities: 'plain',
  info: { name: 'cursor-vscode', version: '1.0.0' },
  inFlight: [],
  lastSeenAt: 0,
};

describe('the first connection of a client', () => {
  it('is told once, with its first session', () => {
    const { events, told } = setUp();
    events.arrived('c1');
    expect([events.awaitsSession, told]).toEqual([true, []]);
    events.sessionsChanged([{ ...session, clientId: 'c2' }, session, session]);
    events.sessionsChanged([session]);
    expect(told).toEqual([
      ['client-connected', { client: 'cursor', server: 'github', program: 'cursor-vscode 1.0.0' }],
    ]);
    expect(events.awaitsSession).toBe(false);
  });

  it('is told with its first request where it is for metrics, which knows no sessions', () => {
    const { events, told } = setUp(false);
    events.arrived('c1');
    expect(told).toEqual([['client-connected', { client: 'cursor', reads: 'metrics' }]]);
    expect(events.awaitsSession).toBe(false);
  });

  it('is no news of a client that did not arrive now, nor of a stranger', () => {
    const { events, told } = setUp();
    events.arrived('c3');
    events.sessionsChanged([session]);
    expect([events.awaitsSession, told]).toEqual([false, []]);
  });
});

describe('refusals of clients', () => {
  it('are told at once, then counted by their reason for ten minutes, with the client that is known', async () => {
    const { clock, events, told } = setUp();
    events.refused('token');
    events.refused('scope', 'cursor');
    for (const client of [undefined, 'zed', undefined]) events.refused('token', client);
    expect(told).toEqual([
      ['client-refused', { reason: 'token', count: 1 }],
      ['client-refused', { reason: 'scope', count: 1, client: 'cursor' }],
    ]);
    await clock.advance(600_000);
    expect(told.slice(2)).toEqual([['client-refused', { reason: 'token', count: 3, client: 'zed' }]]);
  });

  it('are each counted once, whenever they come, and told at the end, with no timer left', () => {
    const step = fc.record({
      reason: fc.constantFrom('token' as const, 'host' as const, 'rate' as const),
      waitMs: fc.integer({ min: 0, max: 900_000 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (all) => {
        const { clock, events, told } = setUp();
        for (const { reason, waitMs } of all) {
          events.refused(reason);
          clock.tick(waitMs);
        }
        events.dispose();
        const counted = new Map<unknown, number>();
        for (const [, detail] of told as [string, { reason: string; count: number }][])
          counted.set(detail.reason, (counted.get(detail.reason) ?? 0) + detail.count);
        for (const reason of ['token', 'host', 'rate'])
          expect(counted.get(reason) ?? 0).toBe(all.filter((one) => one.reason === reason).length);
        expect(clock.pending).toBe(0);
      }),
    );
  });
});

describe('questions of servers that reached no client', () => {
  const refusal = { server: 'github', method: 'sampling/createMessage', reason: 'several' } as const;

  it('are one event with their number, however often a server asks', async () => {
    const { clock, events, told } = setUp();
    for (let asked = 0; asked < 100; asked += 1) events.askRefused(refusal);
    expect(told).toEqual([]);
    await clock.advance(2000);
    const { method, reason } = refusal;
    expect(told).toEqual([['github', 'ask-refused', { method, reason, count: 100 }]]);
    events.askRefused(refusal);
    events.askRefused(refusal);
    await clock.advance(599_999);
    expect(told).toHaveLength(1);
    await clock.advance(1);
    expect(told.slice(1)).toEqual([['github', 'ask-refused', { method, reason, count: 2 }]]);
    await clock.advance(600_000);
    expect([told.length, clock.pending]).toEqual([2, 0]);
  });

  it('are counted for each server, method and reason, and name the client that could not be asked', () => {
    const { clock, events, told } = setUp();
    events.askRefused(refusal);
    events.askRefused({ ...refusal, server: 'memory' });
    events.askRefused({ ...refusal, reason: 'undeclared', clientId: 'c1' });
    events.askRefused({ ...refusal, reason: 'unreachable', clientId: 'gone' });
    events.dispose();
    const counted = (reason: string) => ({ method: refusal.method, reason, count: 1 });
    expect(told).toEqual([
      ['github', 'ask-refused', counted('several')],
      ['memory', 'ask-refused', counted('several')],
      ['github', 'ask-refused', { ...counted('undeclared'), client: 'cursor' }],
      ['github', 'ask-refused', counted('unreachable')],
    ]);
    expect(clock.pending).toBe(0);
  });
});
