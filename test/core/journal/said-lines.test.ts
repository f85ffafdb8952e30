import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formLine, parseLine, type KeptLine } from '../../../electron/core/journal/line-form.ts';
import type { LinesInMemory } from '../../../electron/core/journal/line-ring.ts';
import { LineTimes } from '../../../electron/core/journal/line-times.ts';
import { ServerOutput } from '../../../electron/core/journal/server-output.ts';
import { createFakeClock } from '../fake-clock.ts';

function open(redact?: (text: string) => string) {
  const clock = createFakeClock();
  const output = new ServerOutput({ wallClock: clock, ...(redact && { redact }) });
  output.begin(2);
  const said = () => linesOf(output.inMemory()[1]!);
  return { clock, output, said, texts: () => said().map(({ text }) => text) };
}

const linesOf = ({ runs }: LinesInMemory<KeptLine>) => runs.flatMap(({ lines }) => lines);

describe('what is said of a server beside its stderr', () => {
  it('is kept line by line, with its level and run, and blacked out as a whole', () => {
    const { output, said } = open((text) => text.replaceAll(/BEGIN[^]*END/g, '***'));
    output.say('mcp', 'one\r\nkey BEGIN\nabc\nEND.', 'warning');
    expect(said()).toMatchObject([
      { text: 'one', source: 'mcp', level: 'warning', generation: 2 },
      { text: 'key ***.', source: 'mcp', level: 'warning' },
    ]);
    expect(output.since(0)).toEqual([]);
  });

  it('is bounded in a flood, which says how much of it was lost', async () => {
    const { clock, output, texts } = open();
    for (let index = 0; index < 10_000; index += 1) output.say('protocol', `${index}`);
    expect(texts().at(-1)).toBe('(9500 more of these came too fast to be kept)');
    expect(texts().length).toBeLessThanOrEqual(626);
    await clock.advance(1000);
    output.say('protocol', 'later');
    expect(texts().at(-1)).toBe('later');
  });

  it('does not push out what stands on stderr', () => {
    const { clock, output } = open();
    output.append(Buffer.from('cause\n'));
    for (let second = 0; second < 20; second += 1) {
      for (let index = 0; index < 500; index += 1) output.say('mcp', 'x'.repeat(5000));
      clock.jump(1000);
    }
    const [stderr, said] = output.inMemory();
    expect(linesOf(stderr!)).toMatchObject([{ text: 'cause' }]);
    expect(linesOf(said!).reduce((sum, { text }) => sum + text.length, 0)).toBeLessThanOrEqual(160 * 1024);
    expect(said!.droppedUs).toBeGreaterThan(0);
  });
});

describe('a line on disk', () => {
  const lines: fc.Arbitrary<KeptLine> = fc.record({
    atUs: fc.integer({ min: 0, max: 4_000_000_000_000_000 }),
    generation: fc.integer({ min: 0, max: 99_999 }),
    source: fc.constantFrom('stderr', 'protocol', 'mcp', 'panel'),
    text: fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\n', '')),
  });

  it('reads as it was written, whatever its text', () => {
    fc.assert(
      fc.property(lines, fc.constantFrom(undefined, 'warning' as const), (line, level) => {
        const told = line.source === 'stderr' || level === undefined ? line : { ...line, level };
        expect(parseLine(formLine(told))).toEqual(told);
      }),
    );
  });

  it('is of stderr whatever a server writes there', () => {
    for (const text of ['@mcp/error x', '#1@panel x', '2026-01-01T00:00:00.000Z #1@panel x', '', ' '])
      expect(parseLine(formLine({ atUs: 5, generation: 1, source: 'stderr', text }))).toMatchObject({
        source: 'stderr',
        text,
      });
  });
});

describe('LineTimes', () => {
  it('never gives a place twice, and keeps the order over small steps back', () => {
    const clock = createFakeClock();
    const times = new LineTimes(clock);
    const given = Array.from({ length: 3000 }, () => times.next());
    clock.setEpochMs(clock.epochMs() - 30_000);
    given.push(times.next(), times.next());
    expect(given).toEqual([...new Set(given)].sort((one, other) => one - other));
    clock.setEpochMs(clock.epochMs() - 3_600_000);
    expect(times.era).toBe(0);
    expect(times.next()).toBe(clock.epochMs() * 1000);
    expect(times.era).toBe(1);
  });
});
