import { describe, expect, it } from 'vitest';
import { waitUntil } from '../../../fixtures/fixture-server.ts';
import { countTurns, createHostileRun, EVENTS, flood, JSON_BODY, MIB, resultOf } from './hostile-bench.ts';
import { GRACES, STOPPED, type RunBench } from './remote-bench.ts';

const callOf = ({ run }: RunBench) => run.connection!.request('tools/call', { name: 'a', arguments: {} });

const endless: [string, string, string][] = [
  ['a line without an end', 'x'.repeat(MIB), ''],
  ['data without an end', 'x'.repeat(MIB), 'data: {"jsonrpc":"2.0","method":"'],
  ['lines without an empty one', 'data: y\n'.repeat(MIB / 8), ''],
];
/** Most bytes that are read of an event, and a chunk or two on their way. */
const MOST_BYTES = (16 + 64 + 3) * MIB;

describe('a remote server that sends no end of an event', () => {
  it.each(endless)('is given up in its handshake (%s)', async (_what, chunk, head) => {
    const { body, made } = flood(chunk, 128 * MIB, { head });
    const bench = createHostileRun(({ rpc }) =>
      rpc === 'initialize' ? new Response(body, { headers: EVENTS }) : undefined,
    );
    await expect(bench.run.launch()).rejects.toMatchObject({ code: 'PROTOCOL_ERROR' });
    expect(made.bytes).toBeLessThan(MOST_BYTES);
    expect(bench.noise).toMatchObject([{ noise: 'too-long' }]);
  });

  it.each(endless)('loses that call and no other (%s)', async (_what, chunk, head) => {
    const { body, made } = flood(chunk, 128 * MIB, { head });
    let calls = 0;
    const bench = createHostileRun(({ rpc }) => {
      if (rpc !== 'tools/call' || (calls += 1) > 1) return undefined;
      return new Response(body, { headers: EVENTS });
    });
    await bench.run.launch();
    const lost = callOf(bench);
    lost.catch(() => undefined);
    expect(await callOf(bench)).toEqual({ isHealthy: true });
    await expect(lost).rejects.toMatchObject({ code: 'PROTOCOL_ERROR' });
    expect(made.bytes).toBeLessThan(MOST_BYTES);
    expect(bench.crashes).toEqual([]);
  });

  it.each(endless)('is given up on the stream of its own messages (%s)', async (_what, chunk, head) => {
    const { body, made } = flood(chunk, 128 * MIB, { head });
    const bench = createHostileRun(({ method }) =>
      method === 'GET' ? new Response(body, { headers: EVENTS }) : undefined,
    );
    await bench.run.launch();
    expect(await bench.crashed).toMatchObject({ code: 'PROTOCOL_ERROR' });
    expect(made.bytes).toBeLessThan(MOST_BYTES);
    expect(bench.count('GET answer')).toBe(1);
  });

  it.each(endless)('is given up over the older transport (%s)', async (_what, chunk, head) => {
    const { body, made } = flood(chunk, 128 * MIB, { head });
    const bench = createHostileRun(() => new Response(body, { headers: EVENTS }), 'sse');
    await expect(bench.run.launch()).rejects.toMatchObject({ code: 'PROTOCOL_ERROR' });
    expect(made.bytes).toBeLessThan(MOST_BYTES);
  });
});

describe('a remote server that sends too much at once', () => {
  it('has its too long event skipped, the call told, and the next event of the stream read', async () => {
    let rest = '';
    const bench = createHostileRun(({ rpc, body }) => {
      if (rpc !== 'tools/call') return undefined;
      const head = `data: {"jsonrpc":"2.0","id":${(JSON.parse(body) as { id: number }).id},"result":{"text":"`;
      rest = 'data: {"jsonrpc":"2.0","method":"notifications/after"}\n\n';
      return new Response(flood('x'.repeat(MIB), 20 * MIB, { head, tail: `"}}\n\n${rest}` }).body, {
        headers: EVENTS,
      });
    });
    await bench.run.launch();
    const before = bench.run.connection!.lastActivityAtMs;
    const error: unknown = await callOf(bench).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'PROTOCOL_ERROR' });
    expect(String(error)).toContain('cannot be read');
    expect(bench.noise).toMatchObject([{ noise: 'too-long' }]);
    await waitUntil(() => bench.run.connection!.lastActivityAtMs > before, 'the next event');
    expect(bench.crashes).toEqual([]);
  });

  it('has a body of JSON without an end refused, and with it that call', async () => {
    const { body, made } = flood('[1,'.padEnd(MIB, ' '), 64 * MIB);
    let calls = 0;
    const bench = createHostileRun(({ rpc }) => {
      if (rpc !== 'tools/call' || (calls += 1) > 1) return undefined;
      return new Response(body, { headers: JSON_BODY });
    });
    await bench.run.launch();
    await expect(callOf(bench)).rejects.toMatchObject({
      code: 'PROTOCOL_ERROR',
      data: { noise: 'too-long' },
    });
    expect(made.bytes).toBeLessThan(18 * MIB);
    expect(await callOf(bench)).toEqual({ isHealthy: true });
    expect(bench.crashes).toEqual([]);
  });

  it('has a batch of a hundred messages read, and a larger one refused before it is parsed', async () => {
    let size = 100;
    const bench = createHostileRun(({ rpc, body }) => {
      if (rpc !== 'tools/call') return undefined;
      const notes = Array.from({ length: size - 1 }, () => '{"jsonrpc":"2.0","method":"notifications/x"}');
      return new Response(`[${[...notes, resultOf(body, { ofBatch: true })].join(',')}]`, {
        headers: JSON_BODY,
      });
    });
    await bench.run.launch();
    expect(await callOf(bench)).toEqual({ ofBatch: true });
    size = 101;
    await expect(callOf(bench)).rejects.toMatchObject({
      code: 'PROTOCOL_ERROR',
      data: { noise: 'too-many' },
    });
    expect(bench.noise).toMatchObject([{ noise: 'too-many' }]);
    expect(bench.crashes).toEqual([]);
  });
});

describe('a remote server that sends its clients elsewhere', () => {
  it('is followed without a look at what stands in the redirect', async () => {
    const { body, made } = flood('x'.repeat(MIB), 128 * MIB);
    let isMoved = false;
    const bench = createHostileRun(({ rpc }) => {
      if (rpc !== 'tools/call' || isMoved) return undefined;
      isMoved = true;
      return new Response(body, {
        status: 307,
        headers: { location: '/elsewhere', 'content-type': 'text/plain' },
      });
    });
    await bench.run.launch();
    expect(await callOf(bench)).toEqual({ isHealthy: true });
    expect(made.bytes).toBe(0);
    expect(bench.crashes).toEqual([]);
  });

  it('is not read to its end where it is not followed', async () => {
    const { body, made } = flood('x'.repeat(MIB), 128 * MIB);
    const headers = { location: 'http://127.0.0.1:2/mcp', 'content-type': 'text/plain' };
    const bench = createHostileRun(() => new Response(body, { status: 307, headers }));
    await expect(bench.run.launch()).rejects.toThrow(/redirects to/);
    expect(made.bytes).toBe(0);
  });
});

describe('a remote server that asks and asks', () => {
  const REQUESTS = 20_000;
  const ask = '{"jsonrpc":"2.0","id":1,"method":"ping"}';

  it('gets a few answers at a time, and none for what it asks beyond them', async () => {
    const { body, made } = flood(
      `data: ${ask}\n\n`.repeat(1000),
      (REQUESTS / 1000) * (ask.length + 8) * 1000,
    );
    const turns = countTurns();
    const bench = createHostileRun(({ method, rpc }) => {
      if (method === 'GET') return new Response(body, { headers: EVENTS });
      // Requests of its own are never answered.
      return rpc === undefined ? new Promise<never>(() => undefined) : undefined;
    });
    await bench.run.launch();
    await waitUntil(() => bench.noise.some(({ noise }) => noise === 'too-many'), {
      deadlineMs: 20_000,
      describe: 'the first request that is dropped',
    });
    // A call beside the flood is answered, whether before the end of the flood or after.
    expect(await callOf(bench)).toEqual({ isHealthy: true });
    await waitUntil(() => made.bytes >= REQUESTS * (ask.length + 8), {
      deadlineMs: 30_000,
      describe: 'the end of the flood',
    });
    turns.stop();
    expect(bench.count('POST answer')).toBe(4);
    // Each turn takes 64 events at most.
    expect(turns.turns()).toBeGreaterThan((REQUESTS - 1000) / 64);
    expect(bench.crashes).toEqual([]);
  });

  it('gets all its answers when it takes them', async () => {
    const asks = Array.from(
      { length: 40 },
      (_, id) => `data: {"jsonrpc":"2.0","id":${id},"method":"ping"}\n\n`,
    );
    const bench = createHostileRun(({ method }) =>
      method === 'GET'
        ? new Response(new ReadableStream({ start: (c) => c.enqueue(Buffer.from(asks.join(''))) }), {
            headers: EVENTS,
          })
        : undefined,
    );
    await bench.run.launch();
    await waitUntil(() => bench.count('POST answer') === 40, 'all answers');
    expect(bench.noise).toEqual([]);
    await bench.run.end(GRACES, STOPPED);
  });
});
