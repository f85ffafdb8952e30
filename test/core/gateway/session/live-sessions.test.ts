import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ServerConfig } from '../../../../shared/server-config.ts';
import { systemClock } from '../../../../electron/core/platform/system-clock.ts';
import { exclusiveSlot } from '../../../../electron/core/sessions/session-policy.ts';
import { SupervisedSessions } from '../../../../electron/core/sessions/supervised-sessions.ts';
import { fixtureServer, readMessages, readStarts, waitUntil } from '../../../fixtures/fixture-server.ts';
import { createLiveSessions, stdio, type LiveSessionsBench } from '../../sessions/live-sessions-bench.ts';
import { createClients, type EdgeParts } from './sessions-bench.ts';
import type { FakeReply } from './fake-reply.ts';
import { isAlive } from '../../../support/proc.ts';

let folder: string;
let undoes: (() => Promise<unknown>)[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'edge-'));
  undoes = [];
});
afterEach(async () => {
  for (const undo of undoes.reverse()) await undo();
  const survivors = readStarts(startLog()).filter(isAlive);
  rmSync(folder, { recursive: true, force: true });
  expect(survivors).toEqual([]);
});

const startLog = () => join(folder, 'starts');
const messageLog = () => join(folder, 'messages');
const server = (...flags: string[]) =>
  stdio(fixtureServer(`--start-log=${startLog()}`, `--message-log=${messageLog()}`, ...flags), {
    autoStart: false,
    restart: { initialBackoffMs: 50 },
  });
const answered = (...replies: FakeReply[]) =>
  waitUntil(() => replies.every(({ isOpen }) => !isOpen), { deadlineMs: 15_000, describe: 'the answers' });

/** An edge over real processes. */
function edgeOver(config: ServerConfig, more: Partial<EdgeParts> = {}) {
  const live: LiveSessionsBench = createLiveSessions([config]);
  const { fleet } = live;
  const sessions = new SupervisedSessions({
    clock: systemClock,
    wallClock: systemClock,
    servers: { get: (name) => fleet.get(name), onStateChange: (listener) => live.onStateChange(listener) },
    createInstance: live.createInstance,
    sharingOf: () => ({ mode: 'shared', reason: 'default', words: '' }),
    onChange: () => undefined,
    notice: () => undefined,
  });
  const clients = createClients({
    clock: systemClock,
    wallClock: systemClock,
    sessions,
    servers: {
      find: (name) => {
        const found = fleet.find(name);
        return found && { config: found.config, state: found.stateKind, wasStopped: found.wasStopped };
      },
    },
    ...more,
  });
  undoes.push(
    () => live.dispose(),
    () => sessions.close(),
    async () => clients.edge.current.dispose(),
  );
  return { ...clients, live };
}

describe('an edge over a real server', () => {
  it('keeps two clients apart that use equal ids and tokens', async () => {
    const { newClient } = edgeOver(server());
    const clients = [newClient('a'), newClient('b')];
    const greetings = clients.map((client) => client.initialize());
    await answered(...greetings);
    const calls = Array.from({ length: 200 }, (_, id) =>
      clients.map((client, of) => {
        const text = `of ${of}, ${id}`;
        return { id, of, text, reply: client.tool(id, 'echo', { text }) };
      }),
    ).flat();
    const slow = clients.map((client) => client.tool('slow', 'sleep', { ms: 300, progressIntervalMs: 20 }));
    await answered(...calls.map(({ reply }) => reply), ...slow);
    for (const { id, text, reply } of calls) {
      expect(reply.answer).toEqual({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }] } });
      expect(reply.streamed).toEqual([]);
    }
    for (const { streamed, ends } of slow) {
      expect(ends).toBe(1);
      const values = streamed.map(({ params }) => params?.['progress']);
      expect(values.length).toBeGreaterThan(2);
      // What the panel knows nothing of is its client's to judge.
      expect(streamed[0]?.params?.['_meta']).toEqual({ 'fixture/total': 300 });
      // Progress of the other one would be there twice.
      expect(new Set(values).size).toBe(values.length);
    }
    expect(readStarts(startLog())).toHaveLength(1);
  });

  it('passes a result of a mebibyte on whole, and the answer of the server to a method that it does not have', async () => {
    const { newClient } = edgeOver(server());
    const client = newClient('a');
    await answered(client.initialize());
    const [big, unknown] = [
      client.tool('big', 'payload', { bytes: 1024 * 1024 }),
      client.request(2, 'no/such'),
    ];
    await answered(big, unknown);
    expect(big.answer).toEqual({
      jsonrpc: '2.0',
      id: 'big',
      result: { content: [{ type: 'text', text: 'x'.repeat(1024 * 1024) }] },
    });
    expect(unknown.answer?.error).toEqual({ code: -32601, message: 'Method not found: no/such' });
  });

  it('tells a call of a server that is killed at once, never repeats it, and takes the next one to its successor', async () => {
    const { newClient, live } = edgeOver(server());
    const client = newClient('a');
    await answered(client.initialize());
    const lost = client.tool(1, 'sleep', { ms: 60_000 });
    const hasCame = () => readMessages(messageLog()).some(({ params }) => params?.['name'] === 'sleep');
    await waitUntil(hasCame, { deadlineMs: 10_000, describe: 'the call at the server' });
    process.kill(readStarts(startLog())[0]!, 'SIGKILL');
    await answered(lost);
    expect(lost.answer?.error).toMatchObject({ code: -32603, data: { server: 'one' } });
    const next = client.tool(2, 'echo', { text: 'again' });
    await answered(next);
    expect(next.answer?.result).toEqual({ content: [{ type: 'text', text: 'again' }] });
    expect(readMessages(messageLog()).filter(({ params }) => params?.['name'] === 'sleep')).toHaveLength(1);
    expect(live.fleet.get('one').stateKind).toBe('running');
  });

  it('gives each client a process of its own where the server is used by one at a time', async () => {
    const { newClient } = edgeOver(server(), {
      sharingOf: (_config, { nonce }) => ({ slot: exclusiveSlot(nonce), answersInTurn: false }),
    });
    const clients = [newClient('a'), newClient('b')];
    await answered(...clients.map((client) => client.initialize()));
    const pids = clients.map((client) => client.tool(1, 'pid'));
    await answered(...pids);
    expect(pids[0]?.text).not.toBe(pids[1]?.text);
  });
});
