import { afterEach, describe, expect, it, vi } from 'vitest';
import { nextTurn } from '../../../../electron/core/next-turn.ts';
import { waitUntil } from '../../../fixtures/fixture-server.ts';
import type { RawResult } from '../../../../electron/core/mcp/long-message.ts';
import {
  countTurns,
  createHostileRun,
  EVENTS,
  flood,
  JSON_BODY,
  MIB,
  resultOf,
  type Asked,
} from './hostile-bench.ts';
import type { RunBench } from './remote-bench.ts';

const KIB = 1024;
const LONG = 'y'.repeat(100 * KIB);
/** Size that is parsed in one turn at most. */
const SHORT_BYTES = 64 * KIB;

afterEach(() => void vi.restoreAllMocks());

const idIn = (body: string) => (JSON.parse(body) as { id: number }).id;
const rawCallOf = ({ run }: RunBench) => run.connection!.requestRaw('tools/call', { name: 'a' });
const callOf = ({ run }: RunBench) => run.connection!.request('tools/call', { name: 'a' });

/** Text of a result that came as bytes. */
function bodyOf(raw: RawResult): string {
  if (raw.kind !== 'long') throw new Error('the result was parsed');
  const text = raw.message.bytes.toString('utf8');
  return text.slice(text.indexOf('"result":') + '"result":'.length, -1);
}

/** Opens a stream that stays open, with a function that writes to it. */
function openStream() {
  let controller: ReadableStreamDefaultController<Uint8Array>;
  const body = new ReadableStream<Uint8Array>({ start: (made) => void (controller = made) });
  const say = (text: string) => controller.enqueue(Buffer.from(text));
  return { body, say };
}

/**
 * Ways in which a server sends a message that answers a call: how it comes, and how the run is made that gets
 * it.
 */
const ways: [string, (message: ReadableStream<Uint8Array>, asked: Asked) => Response | undefined][] = [
  ['JSON', (body) => new Response(body, { headers: JSON_BODY })],
  ['SSE', (body) => new Response(body, { headers: EVENTS })],
];
const envelopes: Record<string, [head: string, tail: string]> = { JSON: ['', ''], SSE: ['data: ', '\n\n'] };

/** Run whose calls are answered by `size` bytes of `piece` in `result`, `open` and `close` around it. */
function createLongRun(
  [kind, respond]: (typeof ways)[number],
  { piece, open, close, size }: { piece: string; open: string; close: string; size: number },
) {
  const [head, tail] = envelopes[kind]!;
  return createHostileRun((asked) => {
    if (asked.rpc !== 'tools/call') return undefined;
    const begin = `${head}{"jsonrpc":"2.0","id":${idIn(asked.body)},"result":${open}`;
    const { body } = flood(piece, size, { head: begin, tail: `${close}}${tail}` });
    return respond(body, asked);
  });
}

describe.each(ways)('an answer of 15 MiB over %s', (...way) => {
  const item = `["${'z'.repeat(118)}",[]],`;
  const lists = { piece: item.repeat(512), open: '{"x":[', close: '[]]}', size: 15 * MIB };

  it('settles its call with what it holds', async () => {
    const text = 'abc\\u00e4\\n\u00e4'.repeat(2 * KIB);
    const bench = createLongRun(way, { piece: text, open: '{"text":"', close: '"}', size: 15 * MIB });
    await bench.run.launch();
    const result = await callOf(bench);
    const once = String(JSON.parse(`"${text}"`));
    expect(Object.keys(result)).toEqual(['text']);
    expect(result['text'] === once.repeat(Math.ceil((15 * MIB) / Buffer.byteLength(text)))).toBe(true);
  });

  it('is parsed nowhere on its way: its call gets the bytes', async () => {
    const bench = createLongRun(way, lists);
    await bench.run.launch();
    const parsed = vi.spyOn(JSON, 'parse');
    const read = vi.spyOn(Response.prototype, 'json');
    const body = bodyOf(await rawCallOf(bench));
    const longest = Math.max(...parsed.mock.calls.map(([text]) => text.length));
    const bodies = await Promise.all(read.mock.results.map(async ({ value }) => JSON.stringify(await value)));
    vi.restoreAllMocks();
    expect(longest).toBeLessThanOrEqual(SHORT_BYTES);
    for (const given of bodies) expect(given.length).toBeLessThanOrEqual(SHORT_BYTES);
    const { open, close, piece, size } = lists;
    const pieces = Math.ceil(size / piece.length);
    expect(body.length).toBe(open.length + pieces * piece.length + close.length);
    expect(body.startsWith(`${lists.open}${item}`)).toBe(true);
    expect(body.endsWith(`,${lists.close}`)).toBe(true);
  });

  it('is read in hundreds of turns, between which the calls of another server are answered', async () => {
    const bench = createLongRun(way, lists);
    const other = createHostileRun(() => undefined);
    await Promise.all([bench.run.launch(), other.run.launch()]);
    let isOver = false;
    const long = rawCallOf(bench).finally(() => (isOver = true));
    const turns = countTurns();
    let answered = 0;
    while (!isOver) {
      await callOf(other);
      answered += 1;
      // The server answers within a turn.
      await nextTurn();
    }
    turns.stop();
    expect((await long).kind).toBe('long');
    // Each turn takes 64 KiB at most.
    expect(turns.turns()).toBeGreaterThanOrEqual((15 * MIB) / (64 * KIB));
    expect(answered).toBeGreaterThan(50);
  });
});

describe('a long message on the stream of a server', () => {
  it.each(['http', 'sse'] as const)('answers a call, and keeps its place among others (%s)', async (kind) => {
    const stream = openStream();
    const bench = createHostileRun(({ method, rpc, body }) => {
      if (method === 'GET') {
        if (kind === 'sse') stream.say('event: endpoint\ndata: /messages\n\n');
        return new Response(stream.body, { headers: EVENTS });
      }
      const accepted = new Response(null, { status: 202 });
      if (kind === 'sse' && rpc === 'initialize') {
        const { id, params } = JSON.parse(body) as { id: number; params: { protocolVersion: string } };
        const { protocolVersion } = params;
        const result = { protocolVersion, capabilities: {}, serverInfo: { name: 'by-hand', version: '0' } };
        stream.say(`data: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`);
        return accepted;
      }
      if (rpc !== 'tools/call') return undefined;
      // The message has many lines, which are one text with newlines.
      const lines = `{"jsonrpc":"2.0",\n"method":"notifications/two",\n"params":{"text":\n"${LONG}"}}`;
      const events = [
        'data: {"jsonrpc":"2.0","method":"notifications/one"}\n\n',
        `event: message\r\ndata: ${lines.replaceAll('\n', '\r\ndata: ')}\r\n\r\n`,
        `data: ${resultOf(body, { text: LONG })}\n\n`,
        `event: other\ndata: ${resultOf(body, { text: LONG })}\n\n`,
        'data: {"jsonrpc":"2.0","method":"notifications/three"}\n\n',
      ].join('');
      if (kind === 'http') return new Response(events, { headers: EVENTS });
      stream.say(events);
      return accepted;
    }, kind);
    await bench.run.launch();
    const heard: string[] = [];
    bench.run.connection!.onNotification(({ method }) => void heard.push(method));
    await waitUntil(() => bench.count('GET answer') === 1, 'the stream');
    const result = await callOf(bench);
    expect(result['text'] === LONG).toBe(true);
    await waitUntil(() => heard.length === 3, 'the last message');
    expect(heard).toEqual(['notifications/one', 'notifications/two', 'notifications/three']);
    expect(bench.noise).toEqual([]);
  });

  it('has an id from which the stream is continued', async () => {
    const resumedAt: (string | null)[] = [];
    let call = '';
    const bench = createHostileRun(({ method, rpc, body, headers }) => {
      const lastEventId = headers.get('last-event-id');
      if (method === 'GET' && lastEventId !== null) {
        resumedAt.push(lastEventId);
        return new Response(`id: e3\ndata: ${resultOf(call, { text: LONG })}\n\n`, { headers: EVENTS });
      }
      if (rpc !== 'tools/call') return undefined;
      call = body;
      const note = `{"jsonrpc":"2.0","method":"notifications/x","params":{"text":"${LONG}"}}`;
      const events = `id: e1\nretry: 500\ndata:\n\nid: e2\ndata: ${note}\n\n`;
      return new Response(events, { headers: EVENTS });
    });
    await bench.run.launch();
    const result = await callOf(bench);
    expect(result['text'] === LONG).toBe(true);
    expect(resumedAt).toEqual(['e2']);
    expect(bench.count('POST ping')).toBe(0);
  });

  it.each([
    ['is no JSON', (body: string) => `{"jsonrpc":"2.0","id":${idIn(body)},"result":{"a":"${LONG}" oops}}`],
    [
      'is no UTF-8',
      (body: string) =>
        Buffer.concat([
          Buffer.from(`{"jsonrpc":"2.0","id":${idIn(body)},"result":{"a":"${LONG}`),
          Buffer.from([0xff]),
          Buffer.from('"}}'),
        ]),
    ],
    ['is no message', (body: string) => `{"jsonrpc":"2.0","id":${idIn(body)},"result":"${LONG}"}`],
  ])('loses its call and no other where it %s', async (what, made) => {
    for (const [head, tail, headers] of [
      ['', '', JSON_BODY],
      ['data: ', '\n\n', EVENTS],
    ] as const) {
      let calls = 0;
      const bench = createHostileRun(({ rpc, body }) => {
        if (rpc !== 'tools/call' || (calls += 1) > 1) return undefined;
        const sent = Buffer.concat([Buffer.from(head), Buffer.from(made(body)), Buffer.from(tail)]);
        return new Response(sent, { headers });
      });
      await bench.run.launch();
      await expect(callOf(bench)).rejects.toMatchObject({ code: 'PROTOCOL_ERROR' });
      expect(await callOf(bench)).toEqual({ isHealthy: true });
      // What lies between its edges is looked at by whoever wants it.
      expect(bench.noise).toHaveLength(what === 'is no message' ? 1 : 0);
      expect(bench.crashes).toEqual([]);
    }
  });

  it('that asks for something with megabytes is answered', async () => {
    const stream = openStream();
    const answers: unknown[] = [];
    const bench = createHostileRun(({ method, rpc, body }) => {
      if (method === 'GET') return new Response(stream.body, { headers: EVENTS });
      if (rpc === undefined && method === 'POST') answers.push(JSON.parse(body));
      return undefined;
    });
    await bench.run.launch();
    for (const [id, size] of [
      [7, 0.5 * MIB],
      [8, 2 * MIB],
    ] as const)
      stream.say(
        `data: {"jsonrpc":"2.0","id":${id},"method":"ping","params":{"x":"${'x'.repeat(size)}"}}\n\n`,
      );
    await waitUntil(() => answers.length === 2, 'the answers');
    expect(answers).toEqual([7, 8].map((id) => ({ jsonrpc: '2.0', id, result: {} })));
    expect(bench.noise).toMatchObject([{ noise: 'too-long' }]);
  });
});

describe('a long batch', () => {
  const note = (text: string) => `{"jsonrpc":"2.0","method":"notifications/x","params":{"text":"${text}"}}`;

  it('has each of its messages handed on, short and long', async () => {
    const bench = createHostileRun(({ rpc, body }) => {
      if (rpc !== 'tools/call') return undefined;
      const items = [note('a'), '{"no":"message"}', note(LONG), resultOf(body, { text: LONG })];
      return new Response(` [${items.join(' ,\n')}] `, { headers: JSON_BODY });
    });
    await bench.run.launch();
    let heard = 0;
    bench.run.connection!.onNotification(() => void (heard += 1));
    const body = bodyOf(await rawCallOf(bench));
    expect(body === `{"text":"${LONG}"}`).toBe(true);
    expect(heard).toBe(2);
    expect(bench.noise).toMatchObject([{ noise: 'not-a-message' }]);
  });

  it('of more than a hundred messages is refused', async () => {
    const batch = `[${Array.from({ length: 101 }, () => note('a'.repeat(1000))).join(',')}]`;
    const bench = createHostileRun(({ rpc }) =>
      rpc === 'tools/call' ? new Response(batch, { headers: JSON_BODY }) : undefined,
    );
    await bench.run.launch();
    await expect(callOf(bench)).rejects.toMatchObject({
      code: 'PROTOCOL_ERROR',
      data: { noise: 'too-many' },
    });
  });
});
