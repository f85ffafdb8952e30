import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, vi } from 'vitest';
import { askToLeave, isAskedToLeave, provesHome } from '../../../electron/core/doorkeeper/leave.ts';
import { SessionIds } from '../../../electron/core/gateway/auth/session-id.ts';
import type { Tombstones } from '../../../electron/core/gateway/auth/tombstones.ts';
import {
  Doorkeeper,
  type DoorkeeperOptions,
  type Held,
} from '../../../electron/core/doorkeeper/doorkeeper.ts';
import { PanelStarter } from '../../../electron/core/doorkeeper/main.ts';
import type { AdmittedRequest, InboundMessage, SessionFacts } from '../../../electron/core/gateway/types.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { createFakeClock } from '../fake-clock.ts';
import { FakeReply } from '../gateway/session/fake-reply.ts';

const client = { id: 'c', name: 'client', scopes: ['mcp' as const] };
const facts: SessionFacts = {
  nonce: 'n',
  clientId: 'c',
  server: 'files',
  protocolVersion: '2025-06-18',
  capabilities: 'plain',
};
const request: AdmittedRequest = { client, server: 'files', sessionId: 's', protocolVersion: undefined };

function setUp(options: Partial<DoorkeeperOptions> = {}) {
  const clock = createFakeClock();
  const forwarded: Held[] = [];
  let starts = 0;
  const doorkeeper = new Doorkeeper({
    clock,
    wallClock: clock,
    createNonce: () => 'n',
    sessionIds: {
      mint: () => 's',
      open: (id) => (id === 's' ? facts : undefined),
      retire: () => Promise.resolve(),
    },
    offers: { has: () => true, find: () => Promise.resolve(undefined) },
    hiddenFrom: () => undefined,
    hasQuit: () => false,
    startPanel: () => void (starts += 1),
    forward: async (held) => void forwarded.push(held),
    ...options,
  });
  const post = (message: Partial<InboundMessage>, to = request) => {
    const reply = new FakeReply();
    doorkeeper.post(to, { jsonrpc: '2.0', ...message }, reply);
    return reply;
  };
  const call = (id: number, text = '') => post({ id, method: 'tools/call', params: { text } });
  return { call, clock, doorkeeper, forwarded, post, starts: () => starts };
}

describe('the doorkeeper', () => {
  it('holds a call, and hands it over when the panel is back', async () => {
    const { call, clock, doorkeeper, forwarded, starts } = setUp();
    const reply = call(1);
    await clock.advance(19_000);
    expect(reply.isOpen).toBe(true);
    expect(starts()).toBe(1);
    doorkeeper.leave();
    expect(forwarded.map(({ message }) => message.id)).toEqual([1]);
    // What came in at the same time follows, whatever it is.
    call(2);
    expect(forwarded.map(({ message }) => message.id)).toEqual([1, 2]);
    expect(clock.pending).toBe(0);
  });

  it('lists no tool that is hidden from the client', async () => {
    const tools = [{ name: 'seen' }, { name: 'hidden' }];
    const offer = {
      greeting: {} as never,
      isShared: true,
      list: () => Buffer.from(JSON.stringify({ tools })),
    };
    const { post } = setUp({
      offers: { has: () => true, find: () => Promise.resolve(offer) },
      hiddenFrom: () => new Set(['hidden']),
    });
    const reply = post({ id: 1, method: 'tools/list' });
    await vi.waitFor(() => expect(reply.isOpen).toBe(false));
    expect(reply.answer).toMatchObject({ result: { tools: [{ name: 'seen' }] } });
  });

  it('gives a session its id before it holds the greeting, because headers cannot follow later', async () => {
    const { clock, post } = setUp();
    const reply = post({ id: 1, method: 'initialize', params: {} });
    await clock.advance(0);
    expect(reply).toMatchObject({ isOpen: true, headers: { 'Mcp-Session-Id': 's' } });
  });

  it('says after 20 s that nothing was done', async () => {
    const { call, clock, doorkeeper, forwarded } = setUp();
    const reply = call(1);
    await clock.advance(20_000);
    expect(reply.answer?.error).toMatchObject({
      message: 'MCP Control Panel did not start. Nothing was done.',
      data: { code: 'UNREACHABLE' },
    });
    doorkeeper.leave();
    expect(forwarded).toEqual([]);
  });

  it('holds 64 calls of 8 MiB together, and refuses the next at once', async () => {
    const { call, clock } = setUp();
    const held = Array.from({ length: 64 }, (_, id) => call(id));
    await clock.advance(0);
    const refused = call(64);
    await clock.advance(0);
    expect(held.every(({ isOpen }) => isOpen)).toBe(true);
    expect(refused.answer?.error?.message).toContain('too many calls wait');

    const other = setUp();
    const [long, more] = [other.call(1, 'x'.repeat(8 * 1024 * 1024 - 200)), other.call(2, 'x'.repeat(200))];
    await other.clock.advance(0);
    expect([long.isOpen, more.isOpen]).toEqual([true, false]);
  });

  it('forgets a call whose client has left or cancelled it', async () => {
    const { call, clock, doorkeeper, forwarded, post } = setUp();
    const [left, cancelled, other] = [call(1), call(2), call(3)];
    await clock.advance(0);
    left.leave();
    expect(post({ method: 'notifications/cancelled', params: { requestId: 2 } }).code).toBe(202);
    expect([cancelled.isOpen, cancelled.answer]).toEqual([false, undefined]);
    doorkeeper.leave();
    expect(forwarded.map(({ reply }) => reply)).toEqual([other]);
    expect(clock.pending).toBe(0);
  });

  it('tells at once that a user quit the panel, and does not start it', async () => {
    const { call, clock, starts } = setUp({ hasQuit: () => true });
    const reply = call(1);
    await clock.advance(0);
    expect(reply.answer?.error?.message).toBe('MCP Control Panel was quit. Start it, then call again.');
    expect(starts()).toBe(0);
  });

  it('refuses what the panel would refuse: a later era, an unknown session, a server that there is none of', async () => {
    const { clock, post } = setUp({ offers: { has: () => false, find: () => Promise.resolve(undefined) } });
    expect(post({ id: 1, method: 'server/discover' })).toMatchObject({
      code: 400,
      answer: { error: { code: -32_601 } },
    });
    const unknown = post({ id: 2, method: 'tools/list' }, { ...request, sessionId: 'x' });
    const greeting = post({ id: 3, method: 'initialize', params: {} });
    await clock.advance(0);
    expect([unknown.code, greeting.code]).toEqual([404, 404]);
  });

  it('ends its streams when it leaves, so that clients open them at the panel', () => {
    const { doorkeeper } = setUp();
    const [before, after] = [new FakeReply(), new FakeReply()];
    doorkeeper.listen(request, before);
    expect([before.isStream, before.isOpen]).toEqual([true, true]);
    doorkeeper.leave();
    doorkeeper.listen(request, after);
    expect([before.isOpen, after.isOpen]).toEqual([false, false]);
  });
});

describe('the request to leave the port', () => {
  const idsOf = (digit: string) =>
    new SessionIds({
      key: Buffer.from(digit.repeat(64), 'hex'),
      tombstones: { has: () => false } as unknown as Tombstones,
    });
  const [ours, theirs] = [idsOf('a'), idsOf('b')];

  it('counts with the key of the home alone, for its port, and for ten seconds', async () => {
    const asked: IncomingMessage[] = [];
    const server = createServer((request, response) => {
      asked.push(request);
      response.writeHead(204).end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    expect(await askToLeave(port, ours, 100_000)).toBe(true);
    server.close();
    const [request] = asked;
    expect(isAskedToLeave(request!)).toBe(true);
    expect(provesHome(request!, port, ours, 109_000)).toBe(true);
    expect(provesHome(request!, port, theirs, 100_000)).toBe(false);
    expect(provesHome(request!, port + 1, ours, 100_000)).toBe(false);
    expect(provesHome(request!, port, ours, 111_000)).toBe(false);
    expect(provesHome({ headers: {} } as IncomingMessage, port, ours, 0)).toBe(false);
    expect(await askToLeave(port, ours, 0)).toBe(false);
  });
});

describe('the start of the panel', () => {
  it('happens one at a time, three times in ten minutes at most, by all doorkeepers of the home, and only where it is allowed', async () => {
    const wallClock = createFakeClock();
    let isAllowed = false;
    let end: () => void = () => undefined;
    let starts = 0;
    const start = () => {
      starts += 1;
      return new Promise<void>((resolve) => (end = resolve));
    };
    const home = tempFolder('panel-starter-');
    const next = () => new PanelStarter({ home, wallClock, mayStart: () => isAllowed, start });
    next().wanted();
    expect(starts).toBe(0);
    isAllowed = true;
    const starter = next();
    starter.wanted();
    starter.wanted();
    expect(starts).toBe(1);
    end();
    await wallClock.advance(1000);
    starter.wanted();
    next().wanted();
    next().wanted();
    expect(starts).toBe(3);
    await wallClock.advance(10 * 60_000);
    next().wanted();
    expect(starts).toBe(4);
  });
});
