import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { patternsOf, type PatternContext } from '../../../electron/core/story/patterns.ts';
import { readRuns } from '../../../electron/core/story/run-ends.ts';
import { calledAt } from '../../../electron/core/story/tell-end.ts';
import type { Pattern } from '../../../shared/restart-story.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, StoryWriter } from './story-builders.ts';

const minuteOfDay = (at: number): number => Math.floor(at / MINUTE_MS) % (24 * 60);

function patternsIn(writer: StoryWriter, context: Partial<PatternContext> = {}): readonly Pattern[] {
  const { ends, up } = readRuns(writer.events);
  return patternsOf(ends, { up, now: writer.now, minuteOfDay, calledAt, ...context });
}

const only = (patterns: readonly Pattern[], kind: Pattern['kind']): Pattern | undefined =>
  patterns.find((pattern) => pattern.kind === kind);

describe('the pattern of', () => {
  it('a limit says how long the runs took to get there, where they took about as long', () => {
    const writer = new StoryWriter();
    for (const hours of [6, 6.5, 7, 6.2]) {
      writer.up();
      writer.limitAfter(hours * HOUR_MS);
    }
    expect(only(patternsIn(writer), 'limit')).toMatchObject({
      limit: 'memory',
      count: 4,
      of: 4,
      every: { minMs: 6 * HOUR_MS, maxMs: 7 * HOUR_MS },
    });
    writer.up();
    writer.limitAfter(MINUTE_MS);
    expect(only(patternsIn(writer), 'limit')).not.toHaveProperty('every');
  });

  it('a limit that is come to again and again is named also among more faults of other kinds', () => {
    const writer = new StoryWriter();
    for (let fault = 0; fault < 9; fault += 1) {
      writer.up();
      if (fault % 3 === 0) writer.limitAfter(6 * HOUR_MS);
      else writer.crashAfter(fault * MINUTE_MS);
    }
    expect(only(patternsIn(writer), 'limit')).toMatchObject({ count: 3, of: 9 });
  });

  it('a call leaves out what the panel asked for itself', () => {
    const writer = new StoryWriter();
    for (let crash = 0; crash < 3; crash += 1) {
      writer.up();
      writer.crashAfter(HOUR_MS, { calls: [{ method: 'tools/list', by: 'panel' }] });
    }
    expect(only(patternsIn(writer), 'call')).toBeUndefined();
  });

  it('a call names the tool that was being called in most crashes, and of how many', () => {
    const writer = new StoryWriter();
    const searching = { calls: [{ method: 'tools/call', target: 'search' }] };
    for (let crash = 0; crash < 12; crash += 1) {
      writer.up();
      writer.crashAfter(HOUR_MS, crash < 10 ? searching : {});
    }
    expect(only(patternsIn(writer), 'call')).toMatchObject({
      method: 'tools/call',
      target: 'search',
      count: 10,
      of: 12,
    });
  });

  it('the start says within how long, and is not named where runs lasted', () => {
    const writer = new StoryWriter();
    for (const seconds of [8, 6, 9]) {
      writer.up();
      writer.crashAfter(seconds * 1000);
    }
    expect(only(patternsIn(writer), 'after-start')).toMatchObject({ withinMs: 10_000, count: 3, of: 3 });
    writer.up();
    writer.crashAfter(HOUR_MS);
    expect(only(patternsIn(writer), 'after-start')).toBeUndefined();
  });

  it('the wake of the machine counts crashes right after it', () => {
    const writer = new StoryWriter();
    for (let night = 0; night < 4; night += 1) {
      writer.up();
      writer.pass(DAY_MS).add('system-resumed', { sleptMs: HOUR_MS }, null);
      writer.crashAfter(night < 3 ? MINUTE_MS : HOUR_MS);
    }
    expect(only(patternsIn(writer), 'after-wake')).toMatchObject({ count: 3, of: 4 });
  });

  it('a version needs an earlier one that failed far less for the time that it was up', () => {
    const writer = new StoryWriter();
    writer.up('1.2');
    writer.crashAfter(10 * DAY_MS);
    for (let crash = 0; crash < 4; crash += 1) {
      writer.up('1.3');
      writer.crashAfter(HOUR_MS);
    }
    writer.up('1.3');
    expect(only(patternsIn(writer), 'after-version')).toMatchObject({
      from: '1.2',
      to: '1.3',
      count: 4,
      of: 5,
      upMs: 4 * HOUR_MS,
      upBeforeMs: 10 * DAY_MS,
    });
    writer.pass(30 * DAY_MS);
    expect(only(patternsIn(writer), 'after-version')).toBeUndefined();
  });

  it('crashes with the same words comes before the same exit, which is named where there are no words', () => {
    const [worded, wordless] = [new StoryWriter(), new StoryWriter()];
    for (let crash = 0; crash < 3; crash += 1) {
      worded.up();
      worded.crashAfter(HOUR_MS, { cause: 'no such table: notes' });
      wordless.up();
      wordless.crashAfter(HOUR_MS, { signal: 'SIGKILL' });
    }
    expect(only(patternsIn(worded), 'same-words')).toMatchObject({ words: 'no such table: notes', count: 3 });
    expect(only(patternsIn(worded), 'same-exit')).toBeUndefined();
    expect(only(patternsIn(wordless), 'same-exit')).toMatchObject({ signal: 'SIGKILL', count: 3, of: 3 });
  });

  it('a time of the day needs four days, and knows the hour around midnight', () => {
    const writer = new StoryWriter();
    writer.now = 20_000 * DAY_MS - 10 * MINUTE_MS;
    for (const minutes of [0, 20, 5, 15]) {
      writer.up();
      const next = writer.now + DAY_MS;
      writer.crashAfter(minutes * MINUTE_MS);
      expect(only(patternsIn(writer), 'time-of-day') === undefined).toBe(
        readRuns(writer.events).ends.length < 4,
      );
      writer.now = next;
    }
    expect(only(patternsIn(writer), 'time-of-day')).toMatchObject({
      count: 4,
      of: 4,
      days: 4,
      fromMinute: 23 * 60 + 50,
      toMinute: 10,
    });
  });

  it('many crashes in one night is no time of the day', () => {
    const writer = new StoryWriter();
    for (let crash = 0; crash < 20; crash += 1) {
      writer.up();
      writer.crashAfter(MINUTE_MS);
    }
    expect(only(patternsIn(writer), 'time-of-day')).toBeUndefined();
  });
});

const ends = fc.array(
  fc.record({
    cause: fc.constantFrom('crash', 'limit', 'configuration'),
    tool: fc.constantFrom(undefined, 'search', 'write'),
    words: fc.constantFrom(undefined, 'out of luck'),
    upMs: fc.integer({ min: 1, max: 3 * HOUR_MS }),
  }),
  { maxLength: 25 },
);

describe('patterns', () => {
  it('are named with numbers that a plain count gives, never below three, and never of more than there are', () => {
    fc.assert(
      fc.property(ends, (life) => {
        const writer = new StoryWriter();
        for (const { cause, tool, words, upMs } of life) {
          writer.up();
          const calls = tool === undefined ? [] : [{ method: 'tools/call', target: tool }];
          if (cause === 'crash')
            writer.crashAfter(upMs, { calls, ...(words !== undefined && { cause: words }) });
          else if (cause === 'limit') writer.limitAfter(upMs);
          else writer.pass(upMs).add('ended', { generation: writer.generation, by: 'configuration' });
        }
        const count = (isMeant: (end: (typeof life)[number]) => boolean) => life.filter(isMeant).length;
        const crashes = count(({ cause }) => cause === 'crash');
        const faults = count(({ cause }) => cause !== 'configuration');
        const found = patternsIn(writer);
        const spans = life.filter(({ cause }) => cause === 'limit').map(({ upMs }) => upMs);
        const limit = spans.length;
        const isRegular = limit >= 3 && Math.max(...spans) <= 1.5 * Math.min(...spans);
        const expected = {
          limit: limit >= 3 && limit >= faults * (isRegular ? 0.25 : 0.5) ? [limit, faults] : undefined,
          call: (['search', 'write'] as const)
            .map((tool) => count((end) => end.cause === 'crash' && end.tool === tool))
            .filter((within) => within >= 3 && within >= 0.6 * crashes)
            .map((within) => [within, crashes])[0],
          'same-words': [count(({ cause, words }) => cause === 'crash' && words !== undefined)]
            .filter((same) => same >= 3 && same >= 0.6 * crashes)
            .map((same) => [same, crashes])[0],
          configuration: [life.length - faults]
            .filter((edits) => edits >= 3 && edits * 2 >= life.length)
            .map((edits) => [edits, life.length])[0],
        };
        for (const [kind, numbers] of Object.entries(expected)) {
          const pattern = found.find((one) => one.kind === kind);
          expect(pattern && [pattern.count, pattern.of]).toEqual(numbers);
        }
        for (const pattern of found) {
          expect(pattern.count).toBeGreaterThanOrEqual(3);
          expect(pattern.count).toBeLessThanOrEqual(pattern.of);
          expect(pattern.ends.length).toBe(pattern.count);
        }
      }),
    );
  });
});
