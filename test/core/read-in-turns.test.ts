import { PassThrough, Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { readInTurns } from '../../electron/core/read-in-turns.ts';
import { eventually } from './support/eventually.ts';

const KIB = 1024;

function reader() {
  const stream = new PassThrough({ highWaterMark: 1024 * KIB });
  const parts: Buffer[] = [];
  let hasEnded = false;
  const reading = readInTurns(stream, { onPart: (part) => parts.push(part), onEnd: () => (hasEnded = true) });
  return { stream, parts, reading, hasEnded: () => hasEnded, bytes: () => Buffer.concat(parts) };
}

describe('readInTurns', () => {
  it('hands on small chunks as they come', () => {
    const { stream, bytes } = reader();
    stream.write('one');
    stream.write('two');
    expect(bytes().toString()).toBe('onetwo');
  });

  it('lets others have their turn within a large chunk, and loses nothing and no order', async () => {
    const { stream, parts, bytes, hasEnded } = reader();
    const sent = Buffer.from(Array.from({ length: 64 * KIB }, (_, index) => index % 251));
    stream.write(sent);
    stream.end('last');
    expect(parts).toHaveLength(1);
    await turn();
    expect(parts.length).toBeLessThan(4);
    await eventually(hasEnded);
    expect(bytes().equals(Buffer.concat([sent, Buffer.from('last')]))).toBe(true);
    expect(Math.max(...parts.map(({ length }) => length))).toBeLessThanOrEqual(16 * KIB);
  });

  it('goes on behind a part that its reader stumbles over', async () => {
    const stream = new Readable({ read: () => undefined });
    let bytes = 0;
    readInTurns(stream, {
      onPart: (part) => {
        bytes += part.length;
        if (bytes === 16 * KIB) throw new Error('stumbled');
      },
    });
    await turn();
    expect(() => stream.push(Buffer.alloc(40 * KIB))).toThrow('stumbled');
    await eventually(() => bytes === 40 * KIB);
    stream.push('then this');
    await eventually(() => bytes === 40 * KIB + 9);
  });

  it('keeps the order when somebody else resumes the stream meanwhile', async () => {
    const { stream, bytes } = reader();
    const large = Buffer.alloc(40 * KIB, 'a');
    stream.write(large);
    stream.resume();
    stream.write('then this');
    await eventually(() => bytes().length === large.length + 9);
    expect(bytes().subarray(-9).toString()).toBe('then this');
  });

  it('ends behind its last part, also when the stream has ended before', async () => {
    const { stream, bytes, hasEnded, reading } = reader();
    stream.once('end', () => order.push('end of the stream'));
    void reading.done.then(() => order.push(`done with ${bytes().length}`));
    const order: string[] = [];
    stream.write(Buffer.alloc(40 * KIB));
    stream.end();
    stream.resume(); // Node.js resumes it when a child has exited.
    await eventually(() => order.includes('end of the stream'));
    expect(hasEnded()).toBe(false);
    await eventually(() => order.length === 2);
    expect(order).toEqual(['end of the stream', `done with ${40 * KIB}`]);
  });

  it('ends when the stream breaks, with all that had come', async () => {
    const { stream, bytes, reading } = reader();
    stream.write(Buffer.alloc(40 * KIB));
    stream.destroy(new Error('broken'));
    await reading.done;
    expect(bytes()).toHaveLength(40 * KIB);
  });

  it('holds a flood back, also when somebody else has resumed the stream', async () => {
    let sent = 0;
    const stream = new Readable({
      read() {
        sent += 64 * KIB;
        this.push(Buffer.alloc(64 * KIB));
      },
    });
    const parts: Buffer[] = [];
    readInTurns(stream, { onPart: (part) => parts.push(part) });
    await eventually(() => parts.length > 4);
    stream.resume();
    await turn();
    await turn();
    expect(sent - Buffer.concat(parts).length).toBeLessThan(512 * KIB);
    stream.destroy();
  });

  it('gives the memory of a chunk back when all of it was handed on and nobody keeps a part', async () => {
    const stream = new PassThrough({ highWaterMark: 1024 * KIB });
    const kept: number[] = [];
    let isKept = false;
    const sink = { onPart: (part: Buffer) => kept.push(part.length), keepsPart: () => isKept };
    readInTurns(stream, sink);
    const [unused, used] = [Buffer.allocUnsafeSlow(40 * KIB), Buffer.allocUnsafeSlow(40 * KIB)];
    stream.write(unused);
    expect(unused).toHaveLength(40 * KIB);
    await eventually(() => unused.length === 0);
    stream.write(used);
    isKept = true;
    await eventually(() => kept.length === 6);
    isKept = false;
    stream.write('end');
    expect(kept).toEqual([16, 16, 8, 16, 16, 8].map((kib) => kib * KIB).concat(3));
    expect(used).toHaveLength(40 * KIB);
  });
});
