import { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { readInTurns } from '../../electron/core/read-in-turns.ts';
import { createFakeClock } from './fake-clock.ts';
import { eventually } from './support/eventually.ts';

const KIB = 1024;
const open: Readable[] = [];

afterEach(() => {
  for (const stream of open.splice(0)) stream.destroy();
});

/** A stream that brings as much as is read. */
function endless(): Readable {
  const stream = new Readable({
    read() {
      this.push(Buffer.alloc(64 * KIB));
    },
  });
  open.push(stream);
  return stream;
}

/** An endless stream of which each KiB takes `msPerKib` of the clock; who was handed a part when, in order. */
function flooded(msPerKib: number, streams = 1) {
  const clock = createFakeClock();
  const parts: { who: number; bytes: number; atMs: number }[] = [];
  for (let who = 0; who < streams; who += 1) {
    const onPart = ({ length }: Buffer) => {
      parts.push({ who, bytes: length, atMs: clock.now() });
      clock.jump((length / KIB) * msPerKib);
    };
    readInTurns(endless(), { onPart }, clock);
  }
  const workMs = () => parts.reduce((sum, { bytes }) => sum + (bytes / KIB) * msPerKib, 0);
  return { clock, parts, workMs };
}

describe('a stream that never ends', () => {
  it('is handed on in parts that take half a millisecond, whatever its bytes cost', async () => {
    const { parts } = flooded(0.25);
    await eventually(() => parts.length > 10);
    const lengths = parts.map(({ bytes }) => bytes / KIB);
    expect(lengths.slice(0, 5)).toEqual([16, 8, 4, 2, 2]);
    expect(Math.max(...lengths.slice(3))).toBe(2);
  });

  it('is handed on in parts of 16 KiB where its bytes cost little', async () => {
    const { parts } = flooded(0.001);
    await eventually(() => parts.length > 10);
    expect(parts.every(({ bytes }) => bytes === 16 * KIB)).toBe(true);
  });

  it('takes a quarter of the time at most, once it has used up what a quiet one may make up for', async () => {
    const { clock, workMs } = flooded(0.25);
    await eventually(() => clock.pending > 0);
    const [firstMs, sinceMs] = [workMs(), clock.now()];
    expect(firstMs).toBeLessThan(140);
    while (clock.now() < sinceMs + 1000) {
      await clock.advance(1);
      await turn();
    }
    const share = (workMs() - firstMs) / (clock.now() - sinceMs);
    expect(share).toBeGreaterThan(0.2);
    expect(share).toBeLessThan(0.26);
  });

  it('gets one part at a time, and others that never end get theirs in between', async () => {
    const { parts } = flooded(0.25, 3);
    await eventually(() => parts.length > 100);
    const settled = parts.slice(12, 90).map(({ who }) => who);
    for (const who of [0, 1, 2]) {
      const places = settled.flatMap((other, index) => (other === who ? [index] : []));
      const distances = places.slice(1).map((place, index) => place - places[index]!);
      // Two of another one at most: the first of a new chunk, and the next with the turn.
      expect(Math.max(...distances)).toBeLessThanOrEqual(5);
    }
  });

  it('rests for a tenth of a second at most, also when a part seemed to take hours', async () => {
    const clock = createFakeClock();
    let parts = 0;
    const onPart = () => {
      parts += 1;
      clock.jump(3_600_000);
    };
    readInTurns(endless(), { onPart }, clock);
    await eventually(() => clock.pending > 0);
    const before = parts;
    await clock.advance(100);
    expect(parts).toBe(before + 1);
  });
});

describe('a stream that ends while it rests', () => {
  it('is over behind its last part', async () => {
    const clock = createFakeClock();
    const stream = new Readable({ read: () => undefined });
    open.push(stream);
    const seen: string[] = [];
    const onPart = (part: Buffer) => {
      seen.push(part.toString());
      clock.jump(200);
    };
    const reading = readInTurns(stream, { onPart, onEnd: () => seen.push('end') }, clock);
    stream.push('one');
    await eventually(() => clock.pending > 0);
    stream.push('two');
    stream.push(null);
    stream.resume(); // Node.js resumes it when a child has exited.
    await turn();
    expect(seen).toEqual(['one']);
    await clock.advance(100);
    await reading.done;
    expect(seen).toEqual(['one', 'two', 'end']);
    expect(clock.pending).toBe(0);
  });
});
