import { readHere } from '../long-message.ts';
import { afterEach, beforeEach, describe, expect, it, vi, type MockInstance } from 'vitest';
import { ByteBuffer } from '../../../electron/core/mcp/bytes.ts';
import { FrameReader } from '../../../electron/core/supervisor/connection/frame-reader.ts';
import {
  eventParts,
  messageParts,
  type BodyHooks,
  type BodyParts,
} from '../../../electron/core/supervisor/remote/guarded-body.ts';

const KIB = 1024;
const MEBI = 1024 * KIB;
/** What is short, and one slice more. */
const MOST_BYTES = 128 * KIB;

const LONG = `{"jsonrpc":"2.0","id":1,"result":{"text":"${'x'.repeat(3 * MEBI)}"}}`;
const TOO_LONG = `{"jsonrpc":"2.0","id":1,"result":{"text":"${'x'.repeat(17 * MEBI)}"}}`;

const hooks: BodyHooks = {
  reader: readHere,
  onBytes: () => undefined,
  onNoise: () => undefined,
  onUnreadableAnswer: () => undefined,
  standInFor: () => 'stand-in',
};

let append: MockInstance<ByteBuffer['append']>;
let mostBytes = 0;

beforeEach(() => {
  const original = Reflect.get(ByteBuffer.prototype, 'append');
  mostBytes = 0;
  append = vi.spyOn(ByteBuffer.prototype, 'append').mockImplementation(function (this: ByteBuffer, part) {
    original.call(this, part);
    mostBytes = Math.max(mostBytes, this.length);
  });
});

afterEach(() => {
  append.mockRestore();
});

const readerOf = (text: string) => new Response(text).body!.getReader();

async function readAll(parts: BodyParts): Promise<void> {
  for await (const part of parts) expect(part.length).toBeLessThanOrEqual(MOST_BYTES);
}

describe('a buffer that grows by copying holds no megabytes, whatever comes', () => {
  it.each([
    ['long', LONG],
    ['too long', TOO_LONG],
  ])('over a pipe, of a line that is %s', (_what, line) => {
    const reader = new FrameReader({
      reader: readHere,
      onMessage: () => undefined,
      onLongMessage: () => undefined,
      onNoise: () => undefined,
    });
    const bytes = Buffer.from(`${line}\n`);
    for (let at = 0; at < bytes.length; at += 16 * KIB) reader.push(bytes.subarray(at, at + 16 * KIB));
    expect(append).toHaveBeenCalled();
    expect(mostBytes).toBeLessThanOrEqual(MOST_BYTES);
  });

  it('over the network, of one message', async () => {
    await readAll(messageParts(readerOf(LONG), hooks));
    expect(mostBytes).toBeLessThanOrEqual(MOST_BYTES);
  });

  it.each([
    ['long', LONG],
    ['too long', TOO_LONG],
    ['long in many lines', LONG.replaceAll('x'.repeat(1000), `${'x'.repeat(1000)}\ndata: `)],
  ])('over the network, of an event that is %s', async (_what, data) => {
    await readAll(eventParts(readerOf(`data: ${data}\n\n`), hooks));
    expect(mostBytes).toBeLessThanOrEqual(MOST_BYTES);
  });
});
