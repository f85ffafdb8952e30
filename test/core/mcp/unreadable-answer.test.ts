import { describe, expect, it } from 'vitest';
import { FrameReader } from '../../../electron/core/supervisor/connection/frame-reader.ts';
import type { MalformedOutput } from '../../../electron/core/mcp/malformed-output.ts';
import type { UnreadableAnswer } from '../../../electron/core/mcp/unreadable-answer.ts';
import { readHere } from '../long-message.ts';

const MAX_LINE_BYTES = 4096;
const LONG = 'x'.repeat(2 * MAX_LINE_BYTES);

/** Reads the answers that `chunks` were meant to be, and the noise that each of them is still. */
function read(chunks: readonly (string | Buffer)[]) {
  const answers: UnreadableAnswer[] = [];
  const noises: MalformedOutput['noise'][] = [];
  const reader = new FrameReader({
    reader: readHere,
    maxLineBytes: MAX_LINE_BYTES,
    onMessage: () => undefined,
    onLongMessage: () => undefined,
    onMalformed: ({ noise }) => noises.push(noise),
    onUnreadableAnswer: (answer) => answers.push(answer),
  });
  for (const chunk of chunks) reader.push(Buffer.from(chunk));
  return { answers, noises };
}

const bytewise = (text: string) => [...Buffer.from(text)].map((byte) => Buffer.from([byte]));

describe('an answer that is no message', () => {
  it.each([
    ['a result of null', '{"jsonrpc":"2.0","id":5,"result":null}', 'its result is null, not an object'],
    [
      'a result that is a list',
      '{"jsonrpc":"2.0","id":5,"result":[]}',
      'its result is a list, not an object',
    ],
    [
      'a result that is text',
      '{"jsonrpc":"2.0","id":5,"result":"x"}',
      'its result is a string, not an object',
    ],
    ['an error that is text', '{"jsonrpc":"2.0","id":5,"error":"boom"}', 'its error has no code and message'],
    [
      'an error whose code is text',
      '{"jsonrpc":"2.0","id":5,"error":{"code":"E","message":"m"}}',
      'its error has no code and message',
    ],
    [
      'a result and an error',
      '{"jsonrpc":"2.0","id":5,"result":{},"error":null}',
      'it has both a result and an error',
    ],
    ['neither', '{"jsonrpc":"2.0","id":5}', 'it has neither a result nor an error'],
    ['an older version', '{"jsonrpc":"1.0","id":5,"result":{}}', 'its jsonrpc is not "2.0"'],
    [
      'a field too many',
      '{"jsonrpc":"2.0","id":5,"result":{},"took":3}',
      'it does not have the form of an answer',
    ],
  ])('is told with what is wrong with it: %s', (_what, line, fault) => {
    expect(read([`${line}\n`])).toEqual({ answers: [{ id: 5, fault }], noises: ['not-a-message'] });
  });

  it('is known by an id that is a number as text, too', () => {
    expect(read(['{"jsonrpc":"2.0","id":"5","result":null}\n']).answers).toMatchObject([{ id: '5' }]);
  });

  it.each([
    ['a request', '{"jsonrpc":"2.0","id":5,"method":1}'],
    ['a log line with an id and an error', '{"level":"error","id":5,"error":"will retry"}'],
    ['no id', '{"jsonrpc":"2.0","result":null}'],
    ['an id of null', '{"jsonrpc":"2.0","id":null,"error":"parse error"}'],
    ['an id that is no number of ours', '{"jsonrpc":"2.0","id":"","result":null}'],
    ['a fraction', '{"jsonrpc":"2.0","id":0.5,"result":null}'],
    ['a list', '[{"jsonrpc":"2.0","id":5,"result":null}]'],
  ])('is not seen in %s', (_what, line) => {
    expect(read([`${line}\n`])).toEqual({ answers: [], noises: ['not-a-message'] });
  });
});

describe('an answer that cannot be parsed', () => {
  const tooLong = `it has more than the ${MAX_LINE_BYTES} bytes that a line may have`;

  it.each([
    ['id first', `{"jsonrpc":"2.0","id":5,"result":{"text":"${LONG}"}}`],
    ['id before the version', `{"id":5,"jsonrpc":"2.0","result":{"text":"${LONG}"}}`],
    ['with spaces', ` { "jsonrpc" : "2.0" , "id" : 5 , "error" : {"message":"${LONG}"}}`],
    ['id last, as the TypeScript SDK writes', `{"result":{"text":"${LONG}"},"jsonrpc":"2.0","id":5}`],
    ['id before the version at the end', `{"result":{"text":"${LONG}"},"id":5,"jsonrpc":"2.0"}`],
    ['the result between both', `{"jsonrpc":"2.0","result":{"text":"${LONG}"},"id":5}\r`],
  ])('is known by its beginning or its end when it is too long, whatever its chunks: %s', (_what, line) => {
    const text = `${line}\n`;
    const half = MAX_LINE_BYTES / 2;
    for (const chunks of [[text], bytewise(text), [text.slice(0, half), text.slice(half)]]) {
      const { answers, noises } = read(chunks);
      expect(answers.map(({ id, fault }) => [Number(id), fault])).toEqual([[5, tooLong]]);
      expect(noises).toEqual(['too-long']);
    }
  });

  it('is known by its beginning where JSON breaks off, or holds what JSON does not', () => {
    const fault = 'it is not JSON';
    for (const result of ['{"mean":NaN}}', '{"text":"first'])
      expect(read([`{"jsonrpc":"2.0","id":5,"result":${result}\n`]).answers).toMatchObject([{ fault }]);
  });

  it('is known where it is not UTF-8', () => {
    const line = Buffer.from('{"result":{"text":"gr\xFC\xDFe"},"jsonrpc":"2.0","id":5}\n', 'latin1');
    const { answers, noises } = read([line]);
    expect(answers.map(({ id, fault }) => [Number(id), fault])).toEqual([[5, 'it is not UTF-8']]);
    expect(noises).toEqual(['bad-utf8']);
  });

  it.each([
    ['a long request', `{"jsonrpc":"2.0","id":5,"method":"x","params":{"text":"${LONG}"}}`],
    ['a long request, id last', `{"params":{"text":"${LONG}"},"method":"x","jsonrpc":"2.0","id":5}`],
    ['an id inside of the result', `{"result":{"text":"${LONG}","jsonrpc":"2.0","id":5}}`],
    [
      'an id in the midst of a long result',
      `{"result":{"a":{"jsonrpc":"2.0","id":5},"text":"${LONG}"},"x":1}`,
    ],
    ['a log line that quotes an answer', `sent ${LONG} {"result":{},"jsonrpc":"2.0","id":5}`],
    ['a log line', `{"id":5,"result":"${LONG}"}`],
    ['text that ends as an answer does', `{"result":{"text":"${LONG},\\"jsonrpc\\":\\"2.0\\",\\"id\\":5}"}}`],
    ['an answer to somebody else', `{"jsonrpc":"2.0","id":"abc","result":{"text":"${LONG}"}}`],
    ['an id that JSON does not know', `{"jsonrpc":"2.0","id":005,"result":{"text":"${LONG}"}}`],
    ['an id with a control character', `{"jsonrpc":"2.0","id":"5\u0001","result":{"text":"${LONG}"}}`],
    // The rest behind the break would have told whose answer it was.
    ['an answer that breaks off behind an id', `{"jsonrpc":"2.0","result":{"user":{"a":1,"id":5}`],
  ])('is not seen in %s', (_what, line) => {
    expect(read([`${line}\n`]).answers).toEqual([]);
  });
});
