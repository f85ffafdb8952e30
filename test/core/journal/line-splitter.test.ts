import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LineSplitter } from '../../../electron/core/journal/server-output.ts';

const SECRET = '0123456789abcdefghijklmnop';
const MAX_CHARACTERS = 16 * 1024;

function split(text: string, chunkBytes: number): string[] {
  const lines: string[] = [];
  const redact = (line: string) => line.replaceAll(SECRET, '•••');
  const splitter = new LineSplitter({
    maxCharacters: MAX_CHARACTERS,
    onLine: (line) => lines.push(redact(line)),
    secretsIn: (line) => {
      const at = line.indexOf(SECRET);
      return at === -1 ? [] : [[at, at + SECRET.length]];
    },
  });
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += chunkBytes) splitter.append(bytes.subarray(at, at + chunkBytes));
  splitter.finish();
  return lines;
}

describe('LineSplitter', () => {
  it('shows no part of a secret in a line that is too long, wherever it stands and however it arrives', () => {
    const position = fc.integer({ min: 0, max: 3 * MAX_CHARACTERS });
    const chunkBytes = fc.integer({ min: 1000, max: 70_000 });
    fc.assert(
      fc.property(position, chunkBytes, fc.integer({ min: 0, max: 40_000 }), (before, size, after) => {
        const lines = split('x'.repeat(before) + SECRET + 'y'.repeat(after), size);
        expect(lines.join('')).toBe(`${'x'.repeat(before)}•••${'y'.repeat(after)}`);
      }),
    );
  });

  it('cuts a line without an end, and loses no character of it', () => {
    const lines = split('x'.repeat(100_000), 3000);
    expect(lines.join('')).toBe('x'.repeat(100_000));
    expect(lines.length).toBeGreaterThan(5);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(MAX_CHARACTERS + 3000);
  });

  it('never cuts between the two halves of a character', () => {
    for (const shift of ['', 'x'])
      for (const line of split(shift + '🚀'.repeat(30_000), 4096))
        expect(Buffer.from(line).toString()).toBe(line);
  });
});
