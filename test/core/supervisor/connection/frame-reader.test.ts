import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { FrameReader } from '../../../../electron/core/supervisor/connection/frame-reader.ts';
import { outputExcerpt, type MalformedOutput } from '../../../../electron/core/mcp/malformed-output.ts';
import type { LongMessage } from '../../../../electron/core/mcp/long-message.ts';
import { readHere } from '../../long-message.ts';

const ping = (id: number | string) => ({ jsonrpc: '2.0', id, method: 'ping' });
const line = (value: unknown) => `${JSON.stringify(value)}\n`;

/** Reads `chunks`, and returns noise and messages in the order they came. */
function read(chunks: readonly (string | Buffer)[], maxLineBytes?: number) {
  const messages: unknown[] = [];
  const longs: LongMessage[] = [];
  const noises: MalformedOutput[] = [];
  const reader = new FrameReader({
    reader: readHere,
    ...(maxLineBytes !== undefined && { maxLineBytes }),
    onMessage: (message) => messages.push(message),
    onLongMessage: (message) => {
      longs.push(message);
      messages.push(message.outline);
    },
    onMalformed: (noise) => noises.push(noise),
  });
  for (const chunk of chunks) reader.push(Buffer.from(chunk));
  const isRead = reader.end();
  return { messages, longs, noises, kinds: noises.map(({ noise }) => noise), isRead };
}

const bytewise = (text: string) => [...Buffer.from(text)].map((byte) => Buffer.from([byte]));

describe('FrameReader', () => {
  it.each([
    ['CRLF line ends', `${JSON.stringify(ping(1))}\r\n`],
    ['blank lines', `\n\r\n   \n${line(ping(1))}\n`],
    ['space around the object', `  ${JSON.stringify(ping(1))}\t\n`],
    ['a byte order mark', `\u{FEFF}${line(ping(1))}`],
  ])('takes %s without noise', (_name, text) => {
    expect(read([text])).toMatchObject({ messages: [ping(1)], noises: [] });
  });

  it.each<[string, string | Buffer, MalformedOutput['noise']]>([
    ['a number', '42\n', 'not-a-message'],
    ['an array', '[]\n', 'not-a-message'],
    ['a batch', `[${JSON.stringify(ping(9))}]\n`, 'not-a-message'],
    ['a string', '"x"\n', 'not-a-message'],
    ['null', 'null\n', 'not-a-message'],
    ['an object that is no message', '{"jsonrpc":"1.0","id":1}\n', 'not-a-message'],
    ['bad JSON', '{"jsonrpc":"2.0",\n', 'not-json'],
    ['log text', 'Server listening on stdio\n', 'not-json'],
    ['bad UTF-8', Buffer.from([0x7b, 0xff, 0xfe, 0x7d, 0x0a]), 'bad-utf8'],
    ['a NUL byte', '\0\n', 'not-json'],
    ['very deep nesting', `${'['.repeat(100_000)}\n`, 'not-json'],
    ['a long array', `[${'1,'.repeat(100_000)}0]\n`, 'not-a-message'],
    ['a long object that is no message', `{"a":"${'x'.repeat(100_000)}"}\n`, 'not-a-message'],
    ['long log text', `${'Server listening '.repeat(10_000)}\n`, 'not-json'],
    ['long bad UTF-8', Buffer.concat([Buffer.alloc(100_000, 'x'), Buffer.from([0xff, 0x0a])]), 'bad-utf8'],
  ])('reports %s as one noise and reads on', async (_name, bad, noise) => {
    const bytes = Buffer.concat([Buffer.from(line(ping(1))), Buffer.from(bad), Buffer.from(line(ping(2)))]);
    const found = read([bytes]);
    await found.isRead;
    expect(found).toMatchObject({ messages: [ping(1), ping(2)], noises: [{ noise }] });
  });

  it('skips an over-long line up to its newline, whatever its chunks, and counts its bytes', () => {
    const long = 'x'.repeat(1000);
    for (const chunks of [[`${long}\n${line(ping(1))}`], bytewise(`${long}\n${line(ping(1))}`)]) {
      const { messages, noises } = read(chunks, 100);
      expect(messages).toEqual([ping(1)]);
      expect(noises).toEqual([
        { noise: 'too-long', excerpt: expect.stringMatching(/^x{100,200}$/) as string, bytes: 1000 },
      ]);
    }
  });

  it('takes a line of exactly the limit, and not one byte more', () => {
    const bytes = JSON.stringify(ping(1)).length;
    expect(read([line(ping(1))], bytes).messages).toHaveLength(1);
    expect(read([line(ping(1))], bytes - 1).kinds).toEqual(['too-long']);
  });

  it('parses a line of exactly 64 KiB, however it came, and keeps the bytes of a longer one as they came', () => {
    const lineOf = (bytes: number) => {
      const empty = line({ jsonrpc: '2.0', id: 1, result: { text: '' } });
      return Buffer.from(empty.replace('""', `"${'x'.repeat(bytes - empty.length + 1)}"`));
    };
    const exact = lineOf(64 * 1024);
    for (const cut of [1, 64 * 1024 - 1, 64 * 1024]) {
      const { messages, longs } = read([exact.subarray(0, cut), exact.subarray(cut), line(ping(2))]);
      expect([messages.length, longs.length]).toEqual([2, 0]);
    }
    const long = lineOf(64 * 1024 + 1);
    const { longs } = read([long.subarray(0, 64 * 1024), long.subarray(64 * 1024)]);
    expect(longs[0]!.bytes.equals(long.subarray(0, -1))).toBe(true);
    longs[0]!.free();
    expect(longs[0]!.byteLength).toBeLessThan(4096);
  });

  it('reports what stands without a newline at the end of the stream, once', () => {
    const { messages, noises } = read([line(ping(1)), '{"jsonrpc":']);
    expect(messages).toEqual([ping(1)]);
    expect(noises).toEqual([{ noise: 'cut-off', excerpt: '{"jsonrpc":', bytes: 11 }]);
  });

  it('survives any bytes, and still reads the message after them', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 20 }), (chunks) => {
        const { messages } = read(
          [...chunks.map((chunk) => Buffer.from(chunk)), `\n${line(ping('last'))}`],
          300,
        );
        expect(messages.at(-1)).toEqual(ping('last'));
      }),
    );
  });

  it('reports a message that could not be handled, with its text and its bytes, and reads on', () => {
    const handled: unknown[] = [];
    const noises: MalformedOutput[] = [];
    const reader = new FrameReader({
      reader: readHere,
      onLongMessage: (message) => handled.push(message),
      onMessage: (message) => {
        if ('id' in message && message.id === 2) throw new RangeError('Maximum call stack size exceeded');
        handled.push(message);
      },
      onMalformed: (noise) => noises.push(noise),
    });
    reader.push(Buffer.from([1, 2, 3].map((id) => line(ping(id))).join('')));
    void reader.end();
    expect(handled).toEqual([ping(1), ping(3)]);
    const text = JSON.stringify(ping(2));
    expect(noises).toEqual([{ noise: 'not-handled', excerpt: text, bytes: text.length }]);
  });

  it('begins the next line anew also when the one before it could not even be reported', () => {
    const handled: unknown[] = [];
    const reader = new FrameReader({
      reader: readHere,
      onMessage: (message) => handled.push(message),
      onLongMessage: (message) => handled.push(message),
      onMalformed: () => {
        throw new Error('no room in the log');
      },
    });
    reader.push(Buffer.from('no '));
    expect(() => reader.push(Buffer.from('message\n'))).toThrow('no room in the log');
    reader.push(Buffer.from(line(ping(1))));
    expect(handled).toEqual([ping(1)]);
  });

  it('gives the same messages for any way to cut a stream into chunks', () => {
    const message = fc.oneof(
      fc.record({
        jsonrpc: fc.constant('2.0'),
        id: fc.oneof(fc.integer(), fc.string()),
        method: fc.string({ minLength: 1 }),
      }),
      fc.record({
        jsonrpc: fc.constant('2.0'),
        id: fc.integer(),
        result: fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), fc.string({ unit: 'grapheme' })),
      }),
    );
    const newline = fc.constantFrom('\n', '\r\n', '\n\n');
    fc.assert(
      fc.property(
        fc.array(fc.tuple(message, newline), { maxLength: 12 }),
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 50 }),
        (stream, sizes) => {
          const bytes = Buffer.from(stream.map(([value, end]) => JSON.stringify(value) + end).join(''));
          const { messages, noises } = read(cut(bytes, sizes));
          // Comparison is as text because -0 is written as 0.
          expect(messages.map((value) => JSON.stringify(value)).map(sortKeys)).toEqual(
            stream.map(([value]) => sortKeys(JSON.stringify(value))),
          );
          expect(noises).toEqual([]);
        },
      ),
    );
  });
});

describe('excerptOf', () => {
  it('shows the beginning as one line, without anything that acts on a terminal or turns the text', () => {
    const text = `a\nb\u001b[31mred\u0007\u202Eevil\u2028\u2029end`;
    expect(outputExcerpt(Buffer.from(text))).toMatch(/^a b \[31mred evil/);
    expect(outputExcerpt(Buffer.from('x'.repeat(10_000)))).toHaveLength(200);
  });
});

/** Cuts `bytes` into chunks of the given sizes, over and over. */
function cut(bytes: Buffer, sizes: readonly number[]): Buffer[] {
  const chunks: Buffer[] = [];
  for (let at = 0, index = 0; at < bytes.length; index += 1) {
    const end = at + sizes[index % sizes.length]!;
    chunks.push(bytes.subarray(at, end));
    at = end;
  }
  return chunks;
}

function sortKeys(json: string): string {
  const value = JSON.parse(json) as Record<string, unknown>;
  return JSON.stringify(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

describe('FrameReader memory', () => {
  it('is bounded by the line, not by the number of chunks', () => {
    const before = process.memoryUsage().rss;
    const noises: number[] = [];
    const reader = new FrameReader({
      reader: readHere,
      maxLineBytes: 1024 * 1024,
      onMessage: () => undefined,
      onLongMessage: () => undefined,
      onMalformed: ({ bytes }) => noises.push(bytes),
    });
    const chunk = Buffer.from('x');
    for (let count = 0; count < 2 * 1024 * 1024; count += 1) reader.push(chunk);
    reader.push(Buffer.from('\n'));
    expect(noises).toEqual([2 * 1024 * 1024]);
    expect(process.memoryUsage().rss - before).toBeLessThan(256 * 1024 * 1024);
  });
});

describe('a line that holds too much', () => {
  const MEBI = 1024 * 1024;
  /** Cuts a text into the parts in which a pipe is read. */
  const inParts = (text: string) => {
    const bytes = Buffer.from(text);
    return Array.from({ length: Math.ceil(bytes.length / 16_384) }, (_, index) =>
      bytes.subarray(index * 16_384, (index + 1) * 16_384),
    );
  };

  it.each([
    ['lists', '[],'],
    ['small objects', '{"a":1},'],
    ['nested lists', '[[[[[]]]]],'],
    ['figures', '1,'],
    ['one long text', 'x', '"'],
  ])('is handed on as its envelope and its bytes when it is made of %s', (_what, piece, quote = '') => {
    const many = quote + piece.repeat((4 * MEBI) / piece.length) + quote;
    const text = `{"jsonrpc":"2.0","id":1,"result":{"a":[${quote ? many : `${many}0`}]}}`;
    const { noises, messages, longs } = read(inParts(`${text}\n${line(ping(2))}`));
    expect(messages).toEqual([{ jsonrpc: '2.0', id: 1, result: {} }, ping(2)]);
    expect(longs.map(({ bytes }) => bytes.equals(Buffer.from(text)))).toEqual([true]);
    expect(noises).toEqual([]);
  });

  it('is not looked through: its edges tell, and what they do not is told when it was parsed elsewhere', async () => {
    const body = `{"a":[${'{"b":"x"},'.repeat(20_000)}0]}`;
    const lines = [
      line(ping(1)),
      `{"jsonrpc":"2.0","id":2,"result":${body}}\n`,
      `{"jsonrpc":"2.0","method":"notifications/message","params":${body}}\n`,
      `{"jsonrpc":"2.0","id":4,"error":{"code":-1,"message":"no","data":${body}}}\n`,
      `{"jsonrpc":"2.0","id":5,"result":${body}\n`,
      line(ping(6)),
    ];
    const parse = vi.spyOn(JSON, 'parse');
    const { messages, noises, isRead } = read(inParts(lines.join('')));
    const told = [
      ping(1),
      { jsonrpc: '2.0', id: 2, result: {} },
      { jsonrpc: '2.0', method: 'notifications/message' },
      ping(6),
    ];
    const longest = Math.max(...parse.mock.calls.map(([text]) => text.length));
    parse.mockRestore();
    expect(messages).toEqual(told);
    expect(longest).toBeLessThan(100);
    await isRead;
    expect(messages).toMatchObject([...told, { id: 4, error: { code: -1, message: 'no' } }]);
    expect(noises).toMatchObject([{ noise: 'not-json' }]);
  });

  it.each([
    ['in front of its id and behind', 'id":4,"result":{"text":"TEXT"},"id":5'],
    ['behind many blanks', `id":4,"result":{"text":"TEXT"}${' '.repeat(300)}`],
    ['behind a name with escapes', '\\u0069d":4,"result":{"text":"TEXT"}'],
  ])('is written anew where its edges do not tell enough: %s', async (_what, rest) => {
    const text = `{"jsonrpc":"2.0","${rest}}`.replace('TEXT', 'x'.repeat(100_000));
    const { longs, noises, isRead } = read(inParts(`${text}\n`));
    expect(longs).toEqual([]);
    await isRead;
    expect(noises).toEqual([]);
    const [{ bytes, idSpan }] = longs as [LongMessage];
    expect(JSON.parse(bytes.toString())).toEqual(JSON.parse(text));
    const id = (JSON.parse(text) as { id: number }).id;
    expect(bytes.toString('utf8', idSpan?.start, idSpan?.end)).toBe(String(id));
  });

  it.each([
    ['a notification', { method: 'notifications/message' }, ''],
    ['a request', { method: 'sampling/createMessage', id: 5 }, ',"id":5'],
    ['a request with a text as id', { method: 'sampling/createMessage', id: 'a-5' }, ',"id":"a-5"'],
  ])('is a sign of life without its params when it is %s of megabytes, and noise', (_what, asked, id) => {
    const params = `"params":{"data":"${'x'.repeat(2 * MEBI)}"}`;
    const { method } = asked;
    for (const text of [
      `{"method":"${method}",${params},"jsonrpc":"2.0"${id}}`,
      `{"jsonrpc":"2.0"${id},"method":"${method}",${params}}`,
      `{${params},"method":"${method}","jsonrpc":"2.0"${id}}`,
    ]) {
      expect(read(inParts(`${text}\n`))).toMatchObject({
        messages: [{ jsonrpc: '2.0', ...asked }],
        noises: [{ noise: 'too-long', bytes: text.length }],
      });
    }
  });

  it('is an answer when it has the method of one within', () => {
    const text = `{"jsonrpc":"2.0","id":1,"result":{"text":"${'x'.repeat(2 * MEBI)}","method":"x"}}`;
    expect(read(inParts(`${text}\n`))).toMatchObject({ messages: [{ id: 1 }], noises: [] });
  });
});
