import { describe, expect, it } from 'vitest';
import type { ClientSessionView } from '../../../electron/core/gateway/session/options.ts';
import { clientView } from '../../../electron/core/panel/topics/gateway.ts';
import { clientViewSchema } from '../../../shared/gateway.ts';
import { MINUTE_MS } from '../../../shared/units.ts';
const NOW = 1_800_000_000_000;
const client = { id: 'c1', name: 'cursor', scopes: ['mcp'] as const, createdAt: 5 };
const aSession = (changes: Partial<ClientSessionView> = {}): ClientSessionView => ({
  clientId: 'c1',
  server: 'github',
  contextId: 'gateway:c1:n1',
  protocolVersion: '2025-11-25',
  capabilities: 'plain',
  inFlight: [],
  lastSeenAt: NOW,
  ...changes,
});
const noCalls = { calls: 0, errors: 0, minutes: [] };

describe('a client for the window', () => {
  it('has one use per server: its sessions, programs and declarations together, and its oldest call', () => {
    const sessions = [
      aSession({ info: { name: 'cursor-vscode', version: '1.0.0' }, capabilities: 'sampling' }),
      aSession({
        contextId: 'gateway:c1:n2',
        capabilities: 'elicitation',
        info: { name: 'cursor-vscode', version: '1.0.0' },
        lastSeenAt: NOW - 9,
        protocolVersion: '2025-06-18',
        inFlight: [
          { method: 'tools/call', target: 'search', sinceMs: 40 },
          { method: 'ping', sinceMs: 900 },
        ],
      }),
      aSession({ server: 'alpha' }),
      aSession({ clientId: 'c2', server: 'other' }),
    ];
    const view = clientView(client, sessions, noCalls, NOW);
    expect(clientViewSchema.parse(view)).toEqual(view);
    expect(view.sessions).toEqual([
      {
        server: 'alpha',
        count: 1,
        inFlight: 0,
        lastSeenAt: NOW,
        declares: [],
        programs: [],
        protocols: ['2025-11-25'],
        contextIds: ['gateway:c1:n1'],
      },
      {
        server: 'github',
        count: 2,
        inFlight: 2,
        oldest: { method: 'ping', sinceMs: 900 },
        lastSeenAt: NOW,
        declares: ['sampling', 'elicitation'],
        programs: ['cursor-vscode 1.0.0'],
        protocols: ['2025-06-18', '2025-11-25'],
        contextIds: ['gateway:c1:n1', 'gateway:c1:n2'],
      },
    ]);
  });

  it('keeps its servers, and says nothing of when it was seen before it was', () => {
    expect(clientView({ ...client, servers: ['a'] }, [], noCalls, NOW)).toMatchObject({ servers: ['a'] });
    expect(clientView(client, [], noCalls, NOW)).not.toHaveProperty('lastSeenAt');
    expect(clientView(client, [], noCalls, NOW)).not.toHaveProperty('servers');
  });
});

it('calls are counted by the minute of the last hour, that of now last; older ones are none of it', () => {
  const minute = Math.floor(NOW / MINUTE_MS) * MINUTE_MS;
  const minutes = [
    { at: minute, calls: 2, errors: 1 },
    { at: minute - 59 * MINUTE_MS, calls: 3, errors: 1 },
    { at: minute - 60 * MINUTE_MS, calls: 7, errors: 5 },
    { at: minute + MINUTE_MS, calls: 9, errors: 9 },
  ];
  const counts = clientView(client, [], { calls: 12, errors: 7, minutes }, NOW).perMinute;
  expect(counts).toHaveLength(60);
  expect([counts[0], counts[59]]).toEqual([3, 2]);
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(5);
  expect(clientView(client, [], { calls: 12, errors: 7, minutes }, NOW).hourErrors).toBe(2);
});
