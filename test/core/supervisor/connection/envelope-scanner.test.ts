import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EnvelopeScanner } from '../../../../electron/core/supervisor/connection/envelope-scanner.ts';
import { isMessage } from '../../../../electron/core/supervisor/connection/message-form.ts';

/** Scans bytes that come in chunks of these sizes, over and over. */
function scan(text: string | Buffer, sizes: readonly number[] = [16_384]) {
  const scanner = new EnvelopeScanner();
  const bytes = Buffer.from(text);
  for (let at = 0, index = 0; at < bytes.length; index += 1) {
    const end = at + sizes[index % sizes.length]!;
    scanner.push(bytes.subarray(at, end));
    at = end;
  }
  return scanner.end();
}

const chunkSizes = fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 12 });
/** Text in JSON, some of its characters escaped without need. */
const written = fc
  .tuple(fc.string({ unit: 'grapheme', maxLength: 12 }), fc.array(fc.boolean(), { maxLength: 12 }))
  .map(([text, escapes]) => writeText(text, escapes));
const space = fc.constantFrom('', '', ' ', '\t\r ');
const name = fc.oneof(
  fc
    .tuple(
      fc.constantFrom(
        'jsonrpc',
        'id',
        'method',
        'params',
        'result',
        'error',
        'code',
        'message',
        '_meta',
        'data',
      ),
      fc.array(fc.boolean(), { maxLength: 8 }),
    )
    .map(([text, escapes]) => writeText(text, escapes)),
  written,
);
const scalar = fc.oneof(
  written,
  fc.constantFrom('true', 'false', 'null', '"2.0"', '-0', '7', '1.5e3', '-12', '2E-2', '9007199254740993'),
);
/** Any JSON text, with spaces between and names that come twice. */
const json = fc.letrec<{ value: string; object: string; list: string }>((tie) => ({
  value: fc.oneof({ maxDepth: 3 }, scalar, tie('object'), tie('list')),
  object: fc
    .array(fc.tuple(space, name, space, tie('value'), space), { maxLength: 5 })
    .map((fields) => `{${fields.map(([a, key, b, value, c]) => `${a}${key}${b}:${value}${c}`).join(',')}}`),
  list: fc.array(tie('value'), { maxLength: 4 }).map((items) => `[ ${items.join(' ,')}]`),
}));
/** Values most of which are messages. */
const message = fc
  .array(
    fc.oneof(
      fc.constant('"jsonrpc":"2.0"'),
      fc.constantFrom('"id":7', '"id" : "a-5"', '"\\u0069d": 12 '),
      json.object.map((object) => `"result":${object}`),
      json.object.map((object) => `"params":${object}`),
      fc
        .tuple(written, json.value)
        .map(([text, data]) => `"error":{"code":-3,"message":${text},"data":${data}}`),
      written.map((text) => `"method":${text}`),
      fc.tuple(name, json.value).map(([key, value]) => `${key}:${value}`),
    ),
    { maxLength: 5 },
  )
  .map((fields) => `{"jsonrpc":"2.0",${fields.length > 0 ? fields.join(' , ') : '"id":1'}}`);

function writeText(text: string, escapes: readonly boolean[]): string {
  const units = Array.from({ length: text.length }, (_, index) => text.charCodeAt(index));
  const isEscaped = (index: number) => escapes[index] === true || text.charCodeAt(index) < 32;
  const parts = units.map((unit, index) =>
    // One half of a character cannot be written in UTF-8 without the other.
    isEscaped(index) || (unit >= 0xd8_00 && unit <= 0xdf_ff)
      ? `\\u${unit.toString(16).padStart(4, '0')}`
      : null,
  );
  return `"${parts.map((part, index) => part ?? JSON.stringify(text[index]).slice(1, -1)).join('')}"`;
}

/** Expected envelope, by the parser of the runtime. */
function expectedOf(text: string) {
  const value: unknown = JSON.parse(text);
  if (!isMessage(value)) return { is: 'not-a-message' };
  const error = 'error' in value ? value.error : undefined;
  const body = 'method' in value ? value.params : 'result' in value ? value.result : error;
  return {
    is: 'message',
    kind: 'method' in value ? ('id' in value ? 'request' : 'notification') : error ? 'error' : 'result',
    id: 'id' in value ? value.id : undefined,
    method: 'method' in value ? value.method : undefined,
    errorCode: error?.code,
    errorMessage: error?.message,
    body,
    data: error?.data,
    valueCount: countOf(value),
  };
}

function foundIn(text: string, sizes: readonly number[]) {
  const scanned = scan(text, sizes);
  if (scanned.is !== 'message') return { is: scanned.is };
  const { kind, id, method, errorCode, errorMessage, bytes, bodySpan, idSpan, outline } = scanned.message;
  expect(bytes.toString()).toBe(text);
  const valueAt = (span: typeof bodySpan): unknown =>
    span && JSON.parse(bytes.toString('utf8', span.start, span.end));
  expect(valueAt(idSpan)).toEqual(id);
  return {
    is: scanned.is,
    kind,
    id,
    method,
    errorCode,
    errorMessage,
    body: valueAt(bodySpan),
    data: 'error' in outline ? outline.error.data : undefined,
    valueCount: text.includes('\\u') ? undefined : scanned.message.valueCount,
  };
}

function countOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce<number>((count, part) => count + countOf(part), 1);
}

describe('EnvelopeScanner', () => {
  it('tells of any message what parsing tells, in whatever chunks it comes', () => {
    fc.assert(
      fc.property(fc.oneof(message, json.value), chunkSizes, (text, sizes) => {
        const { valueCount, ...expected } = { valueCount: undefined, ...expectedOf(text) };
        const found = foundIn(text, sizes);
        expect({ ...found, valueCount: undefined }).toEqual({ ...expected, valueCount: undefined });
        // A name that comes twice has two values, of which parsing keeps one.
        if (found.valueCount !== undefined) expect(found.valueCount).toBeGreaterThanOrEqual(valueCount ?? 0);
      }),
      { numRuns: 500 },
    );
  });

  it('refuses exactly what the parser refuses', () => {
    const edit = fc.tuple(
      fc.nat(),
      fc.constantFrom('', '"', '{', ']', '}', ',', ':', '\\', '0', 'e', '-', '\n', ' ', '\u00e9'),
    );
    fc.assert(
      fc.property(
        json.value,
        fc.array(edit, { minLength: 1, maxLength: 3 }),
        chunkSizes,
        (text, edits, sizes) => {
          let edited = text;
          for (const [at, piece] of edits) {
            const index = at % (edited.length + 1);
            edited = edited.slice(0, index) + piece + edited.slice(index + 1);
          }
          // Toggling the encoding drops halves of characters, which UTF-8 cannot hold.
          edited = Buffer.from(edited).toString();
          let isJson = true;
          try {
            JSON.parse(edited);
          } catch {
            isJson = false;
          }
          expect(scan(edited, sizes).is === 'not-json').toBe(!isJson);
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('knows bad UTF-8 wherever a chunk ends', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 12 }), chunkSizes, (inside, sizes) => {
        const bytes = Buffer.concat([Buffer.from('{"a":"'), inside, Buffer.from('é🚀"}')]);
        let isUtf8 = true;
        try {
          new TextDecoder('utf-8', { fatal: true }).decode(bytes);
        } catch {
          isUtf8 = false;
        }
        expect(scan(bytes, sizes).is === 'bad-utf8').toBe(!isUtf8);
      }),
    );
  });

  it('takes a byte order mark and space around the message', () => {
    const text = `\u{FEFF} \t{"jsonrpc":"2.0","id":1,"result":{}}\r`;
    for (const size of [1, 2, 100])
      expect(scan(text, [size])).toMatchObject({ is: 'message', message: { id: 1 } });
  });

  it('finds the id to be replaced, and the last of two', () => {
    const scanned = scan('{"id":1,"result":{"id":5},"jsonrpc":"2.0","i\\u0064": "seven" }');
    if (scanned.is !== 'message') throw new Error(scanned.is);
    const { id, idSpan, bytes } = scanned.message;
    expect(id).toBe('seven');
    expect(bytes.toString('utf8', idSpan?.start, idSpan?.end).trim()).toBe('"seven"');
  });

  it('keeps of an error of megabytes the beginning and the end of its words, and says what is missing', () => {
    const words = `first ${'\\n\\u00e4🚀'.repeat(100_000)} last`;
    const scanned = scan(`{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"${words}","data":{"a":1}}}`);
    if (scanned.is !== 'message') throw new Error(scanned.is);
    const { errorMessage, outline } = scanned.message;
    expect(errorMessage).toMatch(/^first \nä🚀\n[\nä🚀]*… \[\d+ bytes left out\] …[\nä🚀]* last$/u);
    // No half of a character is left.
    expect(Buffer.from(errorMessage ?? '').toString()).toBe(errorMessage);
    expect(outline).toMatchObject({ error: { data: { a: 1 } } });
  });

  it('takes a million names of a message, and any depth, without keeping them', () => {
    const names = Array.from({ length: 100_000 }, (_, index) => `"n${index}":1`).join(',');
    expect(scan(`{${names}}`)).toEqual({ is: 'not-a-message', outline: { '': 1 } });
    const deep = `${'['.repeat(500_000)}${']'.repeat(500_000)}`;
    expect(scan(`{"jsonrpc":"2.0","id":1,"result":{"deep":${deep}}}`)).toMatchObject({
      is: 'message',
      message: { kind: 'result', valueCount: 500_004 },
    });
  });
});
