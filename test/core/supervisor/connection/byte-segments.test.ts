import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ByteSegments, partsBetween } from '../../../../electron/core/supervisor/connection/byte-segments.ts';
import { JsonScanner } from '../../../../electron/core/supervisor/connection/json-scanner.ts';

const MEBI = 1024 * 1024;
const counting = (length: number, from = 0) =>
  Buffer.from(Uint8Array.from({ length }, (_, index) => (from + index) % 251));

describe('bytes in segments', () => {
  it('are the bytes that came, as a whole and in any of their slices', () => {
    const sizes = fc.array(fc.integer({ min: 0, max: 90_000 }), { maxLength: 8 });
    fc.assert(
      fc.property(sizes, fc.nat(), fc.nat(), (lengths, one, other) => {
        const segments = new ByteSegments();
        const parts = lengths.map((length, index) => counting(length, index));
        for (const [index, part] of parts.entries()) {
          if (index % 3 === 1) segments.adopt(part);
          else segments.append(part);
        }
        const whole = Buffer.concat(parts);
        const [start = 0, end = 0] = [one, other].map((at) => at % (whole.length + 1)).sort((a, b) => a - b);
        expect(segments.length).toBe(whole.length);
        expect(segments.bytes.equals(whole)).toBe(true);
        expect(Buffer.concat(segments.parts).equals(whole)).toBe(true);
        expect(segments.slice(start, end).equals(whole.subarray(start, end))).toBe(true);
        const between = Buffer.concat(partsBetween(segments.parts, start, end));
        expect(between.equals(whole.subarray(start, end))).toBe(true);
      }),
      { numRuns: 50 },
    );
  });

  it('do not change when the memory that they came in does', () => {
    const segments = new ByteSegments();
    const reused = Buffer.from('before');
    segments.append(reused);
    reused.fill('x');
    expect(segments.bytes.toString()).toBe('before');
  });

  it('lie in one piece once they are many megabytes, so that no turn copies all of them', () => {
    const segments = new ByteSegments();
    const part = counting(16 * 1024);
    while (segments.length <= 3 * MEBI) segments.append(part);
    expect(segments.parts).toHaveLength(1);
    expect(segments.bytes.subarray(-part.length).equals(part)).toBe(true);
  });
});

describe('a long text in JSON', () => {
  it('is read to its end, and refused for a control character, wherever these lie in memory', () => {
    const place = fc.record({
      offset: fc.nat({ max: 40 }),
      at: fc.nat({ max: 199 }),
      byte: fc.nat({ max: 255 }),
    });
    fc.assert(
      fc.property(place, ({ offset, at, byte }) => {
        const memory = Buffer.alloc(offset + 202, 'x');
        const text = memory.subarray(offset);
        text[0] = text[201] = '"'.charCodeAt(0);
        text[1 + at] = byte;
        const scanner = new JsonScanner({
          maxDepth: 0,
          onName: () => undefined,
          onBegin: () => undefined,
          onEnd: () => undefined,
        });
        scanner.push(text);
        expect(scanner.end()).toBe(isJson(text));
      }),
      { numRuns: 2000 },
    );
  });
});

function isJson(text: Buffer): boolean {
  try {
    JSON.parse(text.toString('latin1'));
    return true;
  } catch {
    return false;
  }
}
