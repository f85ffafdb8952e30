import { describe, expect, it } from 'vitest';
import { compileQuery, type LineMatcher, type LineQuery } from '../../../shared/line-query.ts';
import { createLogHunt } from '../../../renderer/logs/log-hunt.ts';
import type { WindowSide } from '../../../renderer/logs/log-window.ts';
import { aLine, FakeLog, someLines } from './fake-log.ts';

/** A search over a log whose clock moves by a millisecond for each line that the page matches. */
function setUp(fake: FakeLog) {
  let nowMs = 0;
  let sincePause = 0;
  const seen = { most: 0, tested: 0 };
  let onPause = () => {};
  const hunt = createLogHunt(fake, {
    now: () => nowMs,
    later: (act) => {
      sincePause = 0;
      onPause();
      queueMicrotask(act);
      return () => undefined;
    },
  });
  const counting = (matcher: LineMatcher): LineMatcher => ({
    ...matcher,
    test: (text) => {
      nowMs += 1;
      seen.tested += 1;
      seen.most = Math.max(seen.most, (sincePause += 1));
      return matcher.test(text);
    },
  });
  const find = async (query: LineQuery, side: WindowSide, key: string) => {
    const compiled = await compileQuery(query);
    if (compiled.kind !== 'matcher') throw new Error('no matcher');
    return hunt.find({ filter: {}, query, matcher: counting(compiled.matcher), key, side });
  };
  return { hunt, find, seen, pausing: (act: () => void) => (onPause = act) };
}

const NEEDLE = { words: 'Needle', isRegex: false, matchesCase: true };
const lines = [
  aLine(1, { text: 'Needle one' }),
  ...someLines(2, 3000),
  aLine(3001, { text: 'Needle two' }),
  aLine(3002, { text: 'needle' }),
  ...someLines(3003, 3010),
];

describe('a search beyond the page', () => {
  it('looks for words where the lines are, with their case or without', async () => {
    const fake = new FakeLog(lines);
    const { find, seen } = setUp(fake);
    expect(await find(NEEDLE, 'older', 'one/3010')).toBe('one/3001');
    expect(await find({ ...NEEDLE, matchesCase: false }, 'older', 'one/3010')).toBe('one/3002');
    expect(await find(NEEDLE, 'newer', 'one/3001')).toBeUndefined();
    expect(seen.tested).toBe(0);
    expect(fake.asked.every((query) => 'text' in query)).toBe(true);
  });

  it('matches a pattern in slices of half a frame, the nearest line first', async () => {
    const { find, seen, hunt } = setUp(new FakeLog(lines));
    const pattern = { words: '^Needle', isRegex: true, matchesCase: true };
    expect(await find(pattern, 'older', 'one/3010')).toBe('one/3001');
    expect(await find(pattern, 'older', 'one/3001')).toBe('one/1');
    expect(await find(pattern, 'newer', 'one/1')).toBe('one/3001');
    expect(await find(pattern, 'newer', 'one/3001')).toBeUndefined();
    expect(hunt.state.getState()).toEqual({ phase: 'ended', side: 'newer', scannedLines: 9 });
    expect(seen.most).toBeLessThan(20);
  });

  it('is given up between two slices', async () => {
    const { find, seen, hunt, pausing } = setUp(new FakeLog(someLines(1, 2000)));
    pausing(hunt.cancel);
    const pattern = { words: '^Needle', isRegex: true, matchesCase: true };
    expect(await find(pattern, 'older', 'one/2000')).toBeUndefined();
    expect(hunt.state.getState()).toEqual({ phase: 'idle' });
    expect(seen.tested).toBeLessThan(20);
  });
});
