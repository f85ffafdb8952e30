import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LogLine } from '../../../shared/log-lines.ts';
import { LogWindow } from '../../../renderer/logs/log-window.ts';
import { aLine, FakeLog, someLines } from './fake-log.ts';

const caps = { lines: 3000, characters: 1e6 };

function setUp(lines = someLines(1, 10_000)) {
  const fake = new FakeLog(lines);
  const log = new LogWindow(fake, caps);
  return { fake, log };
}

const textsOf = (log: LogWindow) => log.state.getState().lines.map(({ text }) => text);

describe('the window of a log', () => {
  it('shows a part of it without a gap, whatever way it is moved, and never more than it may hold', async () => {
    const move = fc.oneof(
      fc.constantFrom('older', 'newer', 'tick', 'newest', 'leave', 'follow'),
      fc.record({ at: fc.nat(12_000_000) }),
      fc.record({ add: fc.nat(2500) }),
    );
    const property = fc.asyncProperty(fc.array(move, { maxLength: 30 }), async (moves) => {
      const { fake, log } = setUp();
      await log.open({});
      for (const one of moves) {
        if (one === 'older' || one === 'newer') await log.more(one);
        else if (one === 'tick') await log.tick();
        else if (one === 'newest') await log.open({});
        else if (one === 'leave' || one === 'follow') log.follow(one === 'follow');
        else if ('at' in one) await log.open({}, one);
        else fake.lines = [...fake.lines, ...someLines(fake.lines.length + 1, fake.lines.length + one.add)];
        const { lines, hasOlder, problem } = log.state.getState();
        expect(problem).toBeUndefined();
        expect(lines.length).toBeLessThanOrEqual(caps.lines);
        const first = Number(lines[0]?.key.replace('one/', ''));
        expect(hasOlder).toBe(first > 1);
        expect(lines.map(({ key }) => key)).toEqual(lines.map((_, nth) => `one/${first + nth}`));
        expect(lines.every(({ id }, nth) => nth === 0 || id > lines[nth - 1]!.id)).toBe(true);
      }
      await log.open({});
      expect(textsOf(log).at(-1)).toBe(fake.lines.at(-1)?.text);
    });
    await fc.assert(property, { numRuns: 30 });
  }, 60_000);

  it('opens at a moment with the lines on both sides of it', async () => {
    const { log } = setUp();
    const id = await log.open({}, { at: 5_000_500 });
    const { lines, hasNewer, hasOlder } = log.state.getState();
    expect(lines.find((line) => line.id === id)?.text).toBe('line 5001');
    expect({ hasNewer, hasOlder }).toEqual({ hasNewer: true, hasOlder: true });
  });

  it('drops no line that is read while others come, says that there are more, and goes on to them', async () => {
    const { fake, log } = setUp(someLines(1, 2900));
    await log.open({});
    await log.more('older');
    await log.more('older');
    log.follow(false);
    fake.lines = someLines(1, 3500);
    await log.tick();
    expect(textsOf(log)[0]).toBe('line 1');
    expect(log.state.getState().hasNewer).toBe(true);
    await log.more('newer');
    expect(textsOf(log).at(-1)).toBe('line 3500');
    fake.lines = someLines(1, 3501);
    log.follow(true);
    await log.tick();
    expect(textsOf(log).at(-1)).toBe('line 3501');
  });

  it('drops none for long ones either, and takes them once its reader follows', async () => {
    const long = (first: number, last: number) =>
      someLines(first, last).map((line) => ({ ...line, text: line.text.padEnd(1000) }));
    const { fake, log } = setUp(long(1, 900));
    await log.open({});
    log.follow(false);
    fake.lines = long(1, 1200);
    await log.tick();
    expect(log.state.getState().lines[0]?.key).toBe('one/1');
    expect(log.state.getState().hasNewer).toBe(true);
    await log.open({});
    fake.lines = long(1, 1300);
    await log.tick();
    expect(log.state.getState().lines.map(({ key }) => key)).toEqual(long(301, 1300).map(({ key }) => key));
  });

  it('asks for what came since it looked last, whether or not its filter let something pass', async () => {
    const { fake, log } = setUp(someLines(1, 10));
    await log.open({ sources: ['mcp'] });
    const add = (...lines: readonly LogLine[]) => (fake.lines = [...fake.lines, ...lines]);
    const asked = () => fake.asked.splice(0).map((query) => 'beside' in query && query.beside);
    asked();
    add(...someLines(11, 20));
    await log.tick();
    add(aLine(21, { source: 'mcp' }), aLine(22));
    await log.tick();
    await log.tick();
    expect(asked()).toEqual(['tail/10', 'tail/20', 'tail/22'].map((key) => ({ key, side: 'newer' })));
    expect(textsOf(log)).toEqual(['line 21']);
    expect(log.state.getState()).toMatchObject({ hasOlder: false, hasNewer: false });
  });

  it('shows what comes after the clock was set back below, and each line once in its place when one goes there', async () => {
    const { fake, log } = setUp();
    await log.open({});
    const late = someLines(1, 1500).map((line) => ({ ...line, key: `late/${line.key}`, at: 8_500_000.5 }));
    fake.lines = [...fake.lines, ...late];
    await log.tick();
    expect(textsOf(log).slice(-1501)).toEqual(['line 10000', ...late.map(({ text }) => text)]);
    const edge = log.state.getState().lines[0]!;
    await log.more('older');
    const { lines, placeId, windowId } = log.state.getState();
    expect(lines.find(({ id }) => id === placeId)?.key).toBe(edge.key);
    expect(new Set(lines.map(({ key }) => key)).size).toBe(lines.length);
    await log.more('older');
    expect(log.state.getState().windowId).toBe(windowId);
    expect(log.state.getState().lines.map(({ at }) => at)).toEqual(
      log.state
        .getState()
        .lines.map(({ at }) => at)
        .sort((one, other) => one - other),
    );
  });

  it('opens where it was to be when the core answers again', async () => {
    const { fake, log } = setUp();
    fake.gate = Promise.reject(new Error('It is starting'));
    await log.open({}, { at: 5_000_500 });
    expect(log.state.getState().problem?.message).toBe('It is starting');
    fake.gate = Promise.resolve();
    await log.tick();
    const { lines, placeId, problem } = log.state.getState();
    expect(problem).toBeUndefined();
    expect(lines.find(({ id }) => id === placeId)?.text).toBe('line 5001');
  });

  it('drops an answer that comes after another choice was made', async () => {
    const { fake, log } = setUp(someLines(1, 10));
    let answer = () => {};
    fake.gate = new Promise<void>((resolve) => (answer = resolve));
    const first = log.open({});
    fake.gate = Promise.resolve();
    await log.open({ servers: ['two'] });
    answer();
    await first;
    expect(textsOf(log)).toEqual([]);
  });

  it('keeps its lines and tells why, when the core does not answer', async () => {
    const { fake, log } = setUp(someLines(1, 10));
    await log.open({});
    fake.gate = Promise.reject(new Error('It is closing'));
    await log.tick();
    expect(textsOf(log).length).toBe(10);
    expect(log.state.getState().problem?.message).toBe('It is closing');
    fake.gate = Promise.resolve();
    await log.tick();
    expect(log.state.getState().problem).toBeUndefined();
  });
});
