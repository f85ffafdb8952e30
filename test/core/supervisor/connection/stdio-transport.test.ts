import { PassThrough } from 'node:stream';
import { afterEach, describe, expect, it } from 'vitest';
import { PanelError } from '../../../../shared/error-codes.ts';
import type { FrameNoise } from '../../../../electron/core/supervisor/connection/frame-reader.ts';
import { McpConnection } from '../../../../electron/core/supervisor/connection/mcp-connection.ts';
import { StdioTransport } from '../../../../electron/core/supervisor/connection/stdio-transport.ts';
import { createFakeClock } from '../../fake-clock.ts';
import { outcomeOf } from './connection-bench.ts';

interface Wire {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
}

const open: McpConnection[] = [];
afterEach(() => {
  for (const connection of open.splice(0)) connection.end(new PanelError('STOPPED', 'the test is over'));
});

/** A connection over pipes in memory that has shaken hands; the other end is written by hand. */
async function connected() {
  const clock = createFakeClock();
  const stdin = new PassThrough();
  const stdout = new PassThrough();
  const noises: FrameNoise['noise'][] = [];
  const heard: Wire[] = [];
  const transport = new StdioTransport({
    stdin,
    stdout,
    onNoise: ({ noise }) => noises.push(noise),
    onAnswerLost: (id, error) => connection.loseCall(id, error),
  });
  const connection: McpConnection = new McpConnection({
    transport,
    clock,
    clientVersion: '0.0.0',
    limits: () => ({ timeoutMs: 300_000, maxTotalMs: 3_600_000 }),
    onUnmatched: () => noises.push('unmatched'),
    onNotification: () => undefined,
    onAskedBack: () => undefined,
    onBeforeCall: () => undefined,
  });
  open.push(connection);
  const say = async (line: unknown) => {
    stdout.write(`${typeof line === 'string' ? line : JSON.stringify(line)}\n`);
    await clock.advance(0);
  };
  stdin.on('data', (chunk: Buffer) => {
    for (const line of chunk.toString().trim().split('\n')) heard.push(JSON.parse(line) as Wire);
  });
  const handshake = connection.connect(new AbortController().signal);
  await clock.advance(0);
  const serverInfo = { name: 'pipes', version: '1' };
  const protocolVersion = heard[0]!.params!['protocolVersion'];
  await say({ jsonrpc: '2.0', id: 0, result: { protocolVersion, capabilities: {}, serverInfo } });
  await handshake;
  const call = async (options?: { signal: AbortSignal }) => {
    const promise = connection.request('tools/call', { name: 'x' }, options);
    const outcome = outcomeOf(promise);
    await clock.advance(0);
    return { promise, outcome, id: heard.findLast(({ method }) => method === 'tools/call')!.id as number };
  };
  return { clock, stdin, stdout, noises, heard, connection, say, call };
}

describe('an answer that cannot be read', () => {
  it.each<[string, (id: number) => string, FrameNoise['noise'], RegExp]>([
    ['is null', (id) => `{"jsonrpc":"2.0","id":${id},"result":null}`, 'not-a-message', /its result is null/],
    [
      'is text',
      (id) => `{"jsonrpc":"2.0","id":"${id}","error":"boom"}`,
      'not-a-message',
      /its error has no code.*boom/,
    ],
    [
      'is longer than a line may be',
      (id) => `{"result":{"text":"${'x'.repeat(16 * 1024 * 1024)}"},"jsonrpc":"2.0","id":${id}}`,
      'too-long',
      /more than the 16777216 bytes/,
    ],
  ])('rejects its call at once when it %s, and stays noise', async (_what, lineOf, noise, words) => {
    const { call, say, clock, connection, noises } = await connected();
    const { promise, id } = await call();
    const error = promise.catch((reason: unknown) => reason as PanelError);
    await say(lineOf(id));
    const deadlineMs = performance.now() + 5000;
    while (noises.length === 0 && performance.now() < deadlineMs) await clock.advance(0);
    const { code, message } = (await error) as PanelError;
    expect(code).toBe('PROTOCOL_ERROR');
    expect(message).toMatch(words);
    expect(message.length).toBeLessThan(500);
    expect(noises).toEqual([noise]);
    expect(connection.ledger.calls).toEqual([]);
    expect(clock.pending).toBe(0);
  });

  it('rejects that one call only', async () => {
    const { call, say } = await connected();
    const [first, second] = [await call(), await call()];
    await say({ jsonrpc: '2.0', id: first.id, result: null });
    await say({ jsonrpc: '2.0', id: second.id, result: { ok: true } });
    expect([first.outcome.now, second.outcome.now]).toEqual(['PROTOCOL_ERROR', { ok: true }]);
  });

  it('is nothing but noise where it answers a question of supervision, or nothing at all', async () => {
    const { connection, say, heard, noises, clock } = await connected();
    const probe = outcomeOf(connection.probe('ping'));
    await clock.advance(0);
    const { id } = heard.at(-1)!;
    await say({ jsonrpc: '2.0', id, result: null });
    await say({ jsonrpc: '2.0', id: 999, result: null });
    expect(noises).toEqual(['not-a-message', 'not-a-message']);
    expect(probe.now).toBe('pending');
    await say({ jsonrpc: '2.0', id, result: {} });
    expect(probe.now).toBeUndefined();
  });
});
