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
  readInTurns(stream, (part) => parts.push(part));
  stream.once('end', () => (hasEnded = true));
  return { stream, parts, hasEnded: () => hasEnded, bytes: () => Buffer.concat(parts) };
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
    readInTurns(stream, (part) => {
      bytes += part.length;
      if (bytes === 16 * KIB) throw new Error('stumbled');
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
});
