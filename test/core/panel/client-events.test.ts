import { describe, expect, it } from 'vitest';
import type { ClientSessionView } from '../../../electron/core/gateway/edge/client-session-view.ts';
import { ClientEvents } from '../../../electron/core/panel/client-events.ts';
import { createFakeClock } from '../fake-clock.ts';

function setUp(wasSeen = false) {
  const clock = createFakeClock();
  const told: [kind: string, detail: object][] = [];
  const events = new ClientEvents({
    clock,
    logEvent: (kind, detail) => told.push([kind, detail]),
    client: (id) => (id === 'c1' ? { name: 'cursor', wasSeen } : undefined),
  });
  return { clock, told, events };
}
const session: ClientSessionView = {
  clientId: 'c1',
  server: 'github',
  contextId: 'x',
  capabilities: 'plain',
  info: { name: 'cursor-vscode', version: '1.0.0' },
  inFlight: [],
  lastSeenAt: 0,
};

describe('the first connection of a client', () => {
  it('is told once, with its first session', () => {
    const { events, told } = setUp();
    events.aboutToBeSeen('c1');
    events.aboutToBeSeen('c1');
    expect([events.awaitsSession, told]).toEqual([true, []]);
    events.sessionsChanged([{ ...session, clientId: 'c2' }, session, session]);
    events.sessionsChanged([session]);
    expect(told).toEqual([
      ['client-connected', { client: 'cursor', server: 'github', program: 'cursor-vscode 1.0.0' }],
    ]);
    expect(events.awaitsSession).toBe(false);
  });

  it('is no news of one that was seen before, nor of a stranger', () => {
    const { events, told } = setUp(true);
    events.aboutToBeSeen('c1');
    events.aboutToBeSeen('c3');
    events.sessionsChanged([session]);
    expect([events.awaitsSession, told]).toEqual([false, []]);
  });
});

describe('refusals of clients', () => {
  it('are told at once, then counted by their reason for ten minutes', async () => {
    const { clock, events, told } = setUp();
    events.refused({ reason: 'token', count: 1 });
    events.refused({ reason: 'scope', count: 1, clientName: 'cursor' });
    events.refused({ reason: 'token', count: 5 });
    events.refused({ reason: 'token', count: 2, clientName: 'zed' });
    expect(told).toEqual([
      ['client-refused', { reason: 'token', count: 1 }],
      ['client-refused', { reason: 'scope', count: 1, client: 'cursor' }],
    ]);
    await clock.advance(600_000);
    expect(told.slice(2)).toEqual([['client-refused', { reason: 'token', count: 7, client: 'zed' }]]);
  });

  it('that were counted are told at the end', () => {
    const { events, told } = setUp();
    events.refused({ reason: 'host', count: 1 });
    events.dispose();
    expect(told).toHaveLength(1);
    events.refused({ reason: 'host', count: 1 });
    events.refused({ reason: 'host', count: 4 });
    events.dispose();
    expect(told.slice(2)).toEqual([['client-refused', { reason: 'host', count: 4 }]]);
  });
});
