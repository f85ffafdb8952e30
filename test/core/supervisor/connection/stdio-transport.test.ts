import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { PassThrough, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { PanelError } from '../../../../shared/error-codes.ts';
import type { MalformedOutput } from '../../../../electron/core/mcp/malformed-output.ts';
import { readInTurns } from '../../../../electron/core/read-in-turns.ts';
import { McpConnection } from '../../../../electron/core/mcp/mcp-connection.ts';
import { StdioTransport } from '../../../../electron/core/supervisor/connection/stdio-transport.ts';
import { createFakeClock, type FakeClock } from '../../fake-clock.ts';
import { outcomeOf } from '../../mcp/connection-bench.ts';
import { readHere } from '../../long-message.ts';

interface Wire {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
}

/** Input of a server: the end of a pipe that it reads, one message at a time. */
class ServerInput extends Writable {
  /** Messages that it has taken from the pipe, in order. */
  readonly heard: Wire[] = [];
  #isReading = true;
  #goOn: (() => void) | undefined;

  override _write(line: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.heard.push(JSON.parse(line.toString()) as Wire);
    if (this.#isReading) done();
    else this.#goOn = done;
  }

  /** Stops reading after one more message. */
  stopReading(): void {
    this.#isReading = false;
  }
  readOn(): void {
    this.#isReading = true;
    this.#goOn?.();
  }
}

/** Connection over pipes in memory that has shaken hands; the other end is written by hand. */
async function connected() {
  const clock = createFakeClock();
  const stdin = new ServerInput();
  const { heard } = stdin;
  const stdout = new PassThrough();
  const noises: MalformedOutput['noise'][] = [];
  const transport = new StdioTransport({
    stdin,
    reader: readHere,
    readStdout: (sink) => void readInTurns(stdout, sink),
    onMalformed: ({ noise }) => noises.push(noise),
    onAnswerLost: (id, error) => connection.loseCall(id, error),
  });
  const connection: McpConnection = new McpConnection({
    transport,
    clock,
    clientVersion: '0.0.0',
    limits: () => ({ timeoutMs: 300_000, maxTotalMs: 3_600_000 }),
    onUnmatched: () => noises.push('unmatched'),
  });
  onTestFinished(() => connection.end(new PanelError('STOPPED', 'the test is over')));
  const say = async (line: unknown) => {
    stdout.write(`${typeof line === 'string' ? line : JSON.stringify(line)}\n`);
    await clock.advance(0);
  };
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
  return { clock, stdin, noises, heard, connection, say, call };
}

/** Waits for a condition in many turns of the loop, because long lines take them. */
async function until(condition: () => boolean, clock: FakeClock): Promise<void> {
  const deadlineMs = performance.now() + 5000;
  while (!condition() && performance.now() < deadlineMs) await clock.advance(0);
}

describe('an answer that cannot be read', () => {
  it.each<[string, (id: number) => string, MalformedOutput['noise'], RegExp]>([
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
    await until(() => noises.length > 0, clock);
    const { code, message } = (await error) as PanelError;
    expect(code).toBe('PROTOCOL_ERROR');
    expect(message).toMatch(words);
    expect(message.length).toBeLessThan(500);
    expect(noises).toEqual([noise]);
    expect(connection.ledger.calls).toEqual([]);
    await clock.advance(5000);
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
    expect(probe.now).toBe(0);
  });
});

describe('an answer nested so deeply that it could not be written', () => {
  const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
  const answerTo = (id: number) => `{"jsonrpc":"2.0","id":${id},"result":{"a":${deep}}}`;

  it('is noise once where it answers nothing, and what comes after it is read', async () => {
    const { call, say, clock, noises } = await connected();
    const { outcome, id } = await call();
    await say(answerTo(4711));
    await say({ jsonrpc: '2.0', id, result: { ok: true } });
    await until(() => outcome.now !== 'pending', clock);
    expect(outcome.now).toEqual({ ok: true });
    expect(noises).toEqual(['unmatched']);
  });

  it('harms nobody where its call was cancelled, and what comes after it is read', async () => {
    const { call, say, clock, noises, connection } = await connected();
    const abort = new AbortController();
    const { id } = await call({ signal: abort.signal });
    abort.abort();
    const other = await call();
    await say(answerTo(id));
    await say({ jsonrpc: '2.0', id: other.id, result: { ok: true } });
    await until(() => other.outcome.now !== 'pending', clock);
    expect(other.outcome.now).toEqual({ ok: true });
    expect(noises).toEqual([]);
    expect(connection.ledger.calls).toEqual([]);
  });
});

describe('a message that a listener cannot handle', () => {
  it('is noise, and what comes after it is read', async () => {
    const { call, say, noises, connection } = await connected();
    const { outcome, id } = await call();
    connection.onNotification(() => {
      throw new Error('x');
    });
    await say({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: '' } });
    await say({ jsonrpc: '2.0', id, result: { ok: true } });
    expect(outcome.now).toEqual({ ok: true });
    expect(noises).toEqual(['not-handled']);
  });
});

describe('a server that asks while it is asked', () => {
  it.each([7, 'abc', '7', 0, ''])('gets its answer under its own id %j, and the call goes on', async (id) => {
    const { call, say, heard } = await connected();
    const { outcome, id: callId } = await call();
    await say({ jsonrpc: '2.0', id, method: 'ping' });
    expect(heard.at(-1)).toEqual({ jsonrpc: '2.0', id, result: {} });
    await say({ jsonrpc: '2.0', id: callId, method: 'ping' });
    expect(heard.at(-1)).toEqual({ jsonrpc: '2.0', id: callId, result: {} });
    expect(outcome.now).toBe('pending');
    await say({ jsonrpc: '2.0', id: callId, result: { ok: true } });
    expect(outcome.now).toEqual({ ok: true });
  });
});

const PIPES = new URL('../../../fixtures/servers/standard-pipes.mjs', import.meta.url).href;
/** Scripts of servers: each says that it runs. */
const SAYS_IT_BACK = `console.log('up'); process.stdin.pipe(process.stdout);`;
const READS_NOTHING = `console.log('up'); setTimeout(() => undefined, 30_000);`;
const CLOSES_ITS_INPUT = `import { closeInput } from '${PIPES}'; closeInput(); ${READS_NOTHING}`;

/** Transport over the input of a real process, which has said that it runs; it is ended with the test. */
async function transportTo(script: string) {
  const args = ['--input-type=module', '--eval', script];
  const child = spawn(process.execPath, args, { stdio: 'pipe' });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'readable');
  child.stdout.read();
  return { child, transport: await transportOver(child.stdin) };
}

async function transportOver(stdin: Writable): Promise<StdioTransport> {
  const transport = new StdioTransport({
    stdin,
    reader: readHere,
    readStdout: () => undefined,
    onMalformed: () => undefined,
    onAnswerLost: () => undefined,
  });
  await transport.start();
  return transport;
}

const message = (id: number, content = ''): JSONRPCMessage => ({
  jsonrpc: '2.0',
  id,
  method: 'x',
  params: { text: content },
});

describe('messages that are sent in one turn', () => {
  it('leave in two writes, the first of them at once', async () => {
    const writes: number[] = [];
    const stdin = new Writable({
      write(_line, _encoding, done) {
        writes.push(1);
        done();
      },
      writev(lines, done) {
        writes.push(lines.length);
        done();
      },
    });
    const transport = await transportOver(stdin);
    const sends = [1, 2, 3, 4].map((id) => transport.send(message(id)));
    expect(writes).toEqual([1]);
    await Promise.all(sends);
    expect(writes).toEqual([1, 3]);
    const later = transport.send(message(5));
    expect(writes).toEqual([1, 3, 1]);
    await later;
  });

  it('are not kept from a server whose input is closed behind them', async () => {
    const stdin = new ServerInput();
    const transport = await transportOver(stdin);
    const sends = [1, 2, 3].map((id) => transport.send(message(id)));
    stdin.end();
    await Promise.all(sends);
    expect(stdin.heard.map(({ id }) => id)).toEqual([1, 2, 3]);
  });
});

describe('a server that reads slowly', () => {
  it('gets large messages that were sent at once whole, one after the other', async () => {
    const { child, transport } = await transportTo(SAYS_IT_BACK);
    const ids = Array.from({ length: 20 }, (_, index) => index);
    const messages = ids.map((id) => message(id, `${id} é `.repeat(50_000)));
    const sends = messages.map((large) => transport.send(large));
    // All pipes are full because nobody has read yet what comes back.
    expect(child.stdin.writableLength).toBeGreaterThan(1_000_000);
    child.stdin.end();
    const lines = (await text(child.stdout)).trim().split('\n');
    await Promise.all(sends);
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(messages);
  });

  it('is sent no more while 64 MiB wait for it', async () => {
    const stdin = new ServerInput();
    const transport = await transportOver(stdin);
    stdin.stopReading();
    const large = 'x'.repeat(16 * 1024 * 1024);
    const sends = [0, 1, 2, 3].map((id) => transport.send(message(id, large)));
    const outcomes = sends.map(outcomeOf);
    await expect(transport.send(message(9))).rejects.toMatchObject({ code: 'STALLED' });
    stdin.readOn();
    await Promise.all(sends);
    expect(outcomes.map(({ now }) => now)).toEqual([undefined, undefined, undefined, undefined]);
    await transport.send(message(10));
    expect(stdin.heard.map(({ id }) => id)).toEqual([0, 1, 2, 3, 10]);
  });

  it('is sent no more while ten thousand messages wait for it, however short', async () => {
    const stdin = new ServerInput();
    const transport = await transportOver(stdin);
    stdin.stopReading();
    const sends = Array.from({ length: 10_000 }, (_, id) => transport.send(message(id)));
    await expect(transport.send(message(10_000))).rejects.toMatchObject({ code: 'STALLED' });
    stdin.readOn();
    await Promise.all(sends);
    await transport.send(message(10_001));
    expect(stdin.heard).toHaveLength(10_001);
    expect(stdin.heard.at(-1)!.id).toBe(10_001);
  });

  it.each(['ping', 'roots/list'])('gets no answer to a flood of %s that it does not read', async (method) => {
    const { say, clock, stdin, heard, connection } = await connected();
    stdin.stopReading();
    let asked = 0;
    connection.onPassed(({ message }) => (asked += 'method' in message && message.method === method ? 1 : 0));
    const before = heard.length;
    for (let flood = 0; flood < 4; flood++) {
      const ids = Array.from({ length: 100 }, (_, index) => `${flood}.${index}`);
      await say(ids.map((id) => JSON.stringify({ jsonrpc: '2.0', id, method })).join('\n'));
      expect(asked).toBe((flood + 1) * 100);
    }
    // Own calls are not refused because of the answers that nobody reads.
    const outcome = outcomeOf(connection.request('tools/call', { name: 'x' }));
    await clock.advance(0);
    expect(outcome.now).toBe('pending');
    stdin.readOn();
    await clock.advance(0);
    const answers = heard.slice(before).filter((told) => told.method === undefined);
    expect(answers.map(({ id }) => id).slice(0, 2)).toEqual(['0.0', '0.1']);
    expect(answers).toHaveLength(256);
    expect(heard.at(-1)).toMatchObject({ method: 'tools/call' });
    await say({ jsonrpc: '2.0', id: 'now it reads', method: 'ping' });
    expect(heard.at(-1)).toEqual({ jsonrpc: '2.0', id: 'now it reads', result: {} });
  });

  it('hears of a call and then of its end when its caller cancels before it could leave', async () => {
    const { connection, clock, stdin, heard } = await connected();
    stdin.stopReading();
    const taken = outcomeOf(connection.request('tools/call', { name: 'taken' }));
    await clock.advance(0);
    const abort = new AbortController();
    const params = { name: 'waiting', text: 'x'.repeat(200_000) };
    const waiting = outcomeOf(connection.request('tools/call', params, { signal: abort.signal }));
    await clock.advance(0);
    const before = heard.length;
    abort.abort();
    await clock.advance(0);
    expect([taken.now, waiting.now]).toEqual(['pending', 'CANCELLED']);
    expect(heard).toHaveLength(before);
    stdin.readOn();
    await clock.advance(0);
    const [sent, calledOff, ...others] = heard.slice(before);
    expect(sent).toMatchObject({ method: 'tools/call', params });
    expect(calledOff).toMatchObject({ method: 'notifications/cancelled', params: { requestId: sent!.id } });
    expect(others).toEqual([]);
  });
});

describe('a server that reads no more at all', () => {
  it('fails the send that finds out that its input is closed, and each after it', async () => {
    const { transport } = await transportTo(CLOSES_ITS_INPUT);
    await expect(transport.send(message(1))).rejects.toMatchObject({
      code: 'CRASHED',
      cause: { code: 'EPIPE' },
    });
    await expect(transport.send(message(2))).rejects.toMatchObject({ code: 'CRASHED' });
  });

  it('fails the sends that wait for it when it goes', async () => {
    const { child, transport } = await transportTo(READS_NOTHING);
    const sends = [1, 2, 3].map((id) => transport.send(message(id, 'x'.repeat(200_000))));
    const outcomes = sends.map(outcomeOf);
    child.kill('SIGKILL');
    await Promise.allSettled(sends);
    expect(outcomes.map(({ now }) => now)).toEqual(['CRASHED', 'CRASHED', 'CRASHED']);
  });
});
