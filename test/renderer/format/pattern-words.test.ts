import { describe, expect, it } from 'vitest';
import { describePattern } from '../../../renderer/format/pattern-words.ts';
import type { Pattern } from '../../../shared/restart-story.ts';
import { DAY_MS, HOUR_MS } from '../../../shared/units.ts';
const share = (count: number, of: number) => ({ count, of, ends: [] });

const sentences: readonly (readonly [Pattern, string])[] = [
  [
    { kind: 'limit', ...share(5, 5), limit: 'memory', every: { minMs: 6.2 * HOUR_MS, maxMs: 6.9 * HOUR_MS } },
    'At its memory limit every 6 to 7 h: all 5 faults',
  ],
  [
    { kind: 'limit', ...share(3, 9), limit: 'memory', every: { minMs: 90_000, maxMs: 100_000 } },
    'At its memory limit every 90 to 100 s: 3 of 9 faults',
  ],
  [{ kind: 'limit', ...share(3, 4), limit: 'memory' }, '3 of 4 faults came at its memory limit'],
  [
    { kind: 'call', ...share(10, 12), method: 'tools/call', target: 'search' },
    '10 of 12 crashes and stalls came during a call of search',
  ],
  [
    { kind: 'call', ...share(3, 3), method: 'resources/list' },
    'All 3 crashes and stalls came during a call of resources/list',
  ],
  [
    { kind: 'after-start', ...share(4, 5), withinMs: 10_000 },
    '4 of 5 faults came within 10 s after its start',
  ],
  [
    { kind: 'after-wake', ...share(3, 4), withinMs: 120_000 },
    '3 of 4 faults came within 2 m after the machine woke',
  ],
  [
    {
      kind: 'after-version',
      ...share(4, 5),
      from: '1.2',
      to: '1.3',
      upMs: 4 * HOUR_MS,
      upBeforeMs: 10 * DAY_MS,
    },
    'Since its version changed from 1.2 to 1.3: 4 faults in 4 h of running, 1 in 10 d before',
  ],
  [{ kind: 'configuration', ...share(3, 4) }, '3 of 4 ends came when its configuration was edited'],
  [
    { kind: 'same-words', ...share(3, 3), words: 'no such table:\n\u001b[31mnotes' },
    'All 3 crashes gave the same cause: "no such table: notes"',
  ],
  [{ kind: 'same-exit', ...share(4, 4), signal: 'SIGKILL' }, 'All 4 crashes: ended by SIGKILL'],
  [
    { kind: 'time-of-day', ...share(6, 7), days: 6, fromMinute: 23 * 60 + 50, toMinute: 9 },
    '6 of 7 faults came between 23:50 and 00:10, on 6 days',
  ],
];

describe('the sentence of a pattern', () => {
  it.each(sentences)('says %o', (pattern, words) => {
    expect(describePattern(pattern)).toBe(words);
  });
});
