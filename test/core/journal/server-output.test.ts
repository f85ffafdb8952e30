import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LineSplitter, ServerOutput } from '../../../electron/core/journal/server-output.ts';
import { createFakeClock } from '../fake-clock.ts';

function log() {
  const clock = createFakeClock();
  const output = new ServerOutput({ wallClock: clock });
  output.begin(1);
  return { clock, output, write: (text: string | Uint8Array) => output.append(Buffer.from(text as string)) };
}
const texts = (output: ServerOutput) => output.since(0).map(({ text }) => text);

describe('ServerOutput in memory', () => {
  it('cuts the output into numbered lines with their time and run', async () => {
    const { clock, output, write } = log();
    write('one\ntw');
    await clock.advance(5);
    write('o\r\n');
    expect(output.since(0)).toEqual([
      { id: 1, at: 1_800_000_000_000, generation: 1, text: 'one' },
      { id: 2, at: 1_800_000_000_005, generation: 1, text: 'two' },
    ]);
    expect(output.since(1).map(({ id }) => id)).toEqual([2]);
  });

  it('shows an unfinished line in the tail, and keeps it when the next run begins', () => {
    const { output, write } = log();
    write('done\nTraceback');
    expect(output.tail()).toBe('done\nTraceback');
    output.begin(2);
    expect(output.tail()).toBe('');
    expect(output.since(0)).toMatchObject([
      { text: 'done', generation: 1 },
      { text: 'Traceback', generation: 1 },
    ]);
    write('next\n');
    expect(output.tail()).toBe('next');
  });

  it('keeps the tail to twenty lines and four thousand characters', () => {
    const { output, write } = log();
    for (let index = 1; index <= 50; index += 1) write(`line ${index}\n`);
    expect(output.tail().split('\n')).toHaveLength(20);
    expect(output.tail().endsWith('line 50')).toBe(true);
    for (let index = 0; index < 5; index += 1) write(`${'x'.repeat(3000)}\n`);
    expect(output.tail()).toHaveLength(4000);
  });

  it('keeps more than it shows for whoever looks for a cause, of the current run only', () => {
    const { output, write } = log();
    write('before\n');
    output.begin(2);
    for (let index = 1; index <= 150; index += 1) write(`line ${index}\n`);
    expect(output.recent().split('\n')).toHaveLength(150);
    expect(output.recent().startsWith('line 1\n')).toBe(true);
    for (let index = 151; index <= 1000; index += 1) write(`line ${index}\n`);
    expect(output.recent().split('\n')).toHaveLength(200);
  });

  it('survives a flood without newlines in bounded memory', () => {
    const { output, write } = log();
    const chunk = Buffer.alloc(65_536, 'x');
    for (let index = 0; index < 2000; index += 1) write(chunk);
    expect(texts(output).join('').length).toBeLessThanOrEqual(640 * 1024);
    expect(Math.max(...texts(output).map((text) => text.length))).toBeLessThanOrEqual(4000);
  });

  it('drops the oldest lines first, and keeps the last two thousand short ones', () => {
    const { output, write } = log();
    for (let index = 1; index <= 10_000; index += 1) write(`${index}\n`);
    const ids = output.since(0).map(({ id }) => id);
    expect(ids.at(-1)).toBe(10_000);
    expect(ids.length).toBeGreaterThanOrEqual(2000);
    expect(ids.length).toBeLessThanOrEqual(2500);
    expect(ids).toEqual(ids.map((_, index) => ids[0]! + index));
  });

  it('gives the same lines for any way to cut the output into chunks', () => {
    const lines = fc.array(
      fc.string({ unit: 'grapheme', maxLength: 30 }).map((text) => text.replace(/[\r\n]/g, '')),
    );
    fc.assert(
      fc.property(lines, fc.integer({ min: 1, max: 17 }), (wanted, size) => {
        const { output, write } = log();
        const bytes = Buffer.from(wanted.map((text) => `${text}\n`).join(''));
        for (let at = 0; at < bytes.length; at += size) write(bytes.subarray(at, at + size));
        expect(texts(output)).toEqual(wanted);
      }),
    );
  });
});

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

  it('never cuts between the two halves of a character', () => {
    for (const shift of ['', 'x'])
      for (const line of split(shift + '🚀'.repeat(30_000), 4096))
        expect(Buffer.from(line).toString()).toBe(line);
  });
});
