import { PassThrough } from 'node:stream';
import { finished } from 'node:stream/promises';
import { describe, expect, it } from 'vitest';
import { eachLine, isHarmless, isStateLine } from '../../scripts/lib/output-lines.mjs';

describe('isStateLine', () => {
  it.each([
    '2026-01-02T03:04:05.678Z everything running',
    '2026-01-02T03:04:05.678Z my.server-1 failed no such command',
  ])('knows %j', (line) => expect(isStateLine(line)).toBe(true));

  it.each([
    '',
    'hello',
    '2026-01-02T03:04:05.678Z everything',
    '2026-01-02T03:04:05.678Z everything dancing',
    ' 2026',
  ])('refuses %j', (line) => expect(isStateLine(line)).toBe(false));
});

describe('isHarmless', () => {
  it('drops complaints about a missing bus or GPU', () => {
    const bus =
      '[1:0101/000000.000000:ERROR:bus.cc(399)] Failed to connect to the bus: Could not parse server address';
    const gpu = '[1:0101/000000.000000:ERROR:viz_main_impl.cc(186)] Exiting GPU process due to errors';
    expect([bus, gpu].map(isHarmless)).toEqual([true, true]);
  });

  it.each([
    '[1:0101/000000.000000:FATAL:zygote_host_impl_linux.cc(90)] No usable sandbox!',
    'a notice of the app',
  ])('keeps %j', (line) => expect(isHarmless(line)).toBe(false));
});

describe('eachLine', () => {
  /** @param {string[]} chunks */
  async function linesOf(chunks) {
    const stream = new PassThrough();
    const lines = [];
    eachLine(stream, (line) => lines.push(line));
    for (const chunk of chunks) stream.write(chunk);
    stream.end();
    await finished(stream);
    return lines;
  }

  it('joins what arrives in pieces and keeps an unfinished last line', async () => {
    expect(await linesOf(['on', 'e\r\ntw', 'o\n', '\nlast'])).toEqual(['one', 'two', '', 'last']);
  });

  it('passes a line without an end on in pieces', async () => {
    const lines = await linesOf(['x'.repeat(70_000), 'y\n']);
    expect(lines.join('')).toHaveLength(70_001);
    expect(lines.length).toBeGreaterThan(1);
  });
});
