import { describe, expect, it } from 'vitest';
import type { OutputLine } from '../../../shared/domain.ts';
import { toPlainText } from '../../../renderer/format/plain-text.ts';
import { createClockStore } from '../../../renderer/store/clock-store.ts';
import { createOutputStore, outputCaps } from '../../../renderer/store/output-store.ts';

const aLine = (id: number): OutputLine => ({ id, at: id, generation: 1, text: `line ${id}` });

/** Requests for output that a test answers one by one. */
function setUp(caps = outputCaps as { lines: number; characters: number }) {
  const requests: {
    server: string;
    afterId: number;
    answer: (lines: OutputLine[]) => void;
    refuse: () => void;
  }[] = [];
  const earlier: {
    server: string;
    answer: (lines: OutputLine[]) => void;
    refuse: () => void;
  }[] = [];
  const clock = createClockStore(() => 0);
  const output = createOutputStore(
    {
      getOutput: (server, afterId) =>
        new Promise((resolve, reject) => {
          requests.push({ server, afterId, answer: resolve, refuse: () => reject(new Error('no')) });
        }),
      getEarlierOutput: (server) =>
        new Promise((resolve, reject) => {
          earlier.push({ server, answer: resolve, refuse: () => reject(new Error('no')) });
        }),
    },
    clock,
    caps,
  );
  let now = 0;
  const settle = () => new Promise<void>((resolve) => setTimeout(resolve));
  return {
    output,
    requests,
    earlier,
    settle,
    tick: () => clock.setState({ now: (now += 1000) }),
    ids: () => output.state.getState().lines.map((line) => line.id),
  };
}

describe('OutputStore', () => {
  it('asks for everything, then at every tick for what is new', async () => {
    const { output, requests, settle, tick, ids } = setUp();
    output.follow('a');
    expect(requests).toMatchObject([{ server: 'a', afterId: 0 }]);
    requests[0]!.answer([aLine(1), aLine(2)]);
    await settle();
    tick();
    expect(requests[1]).toMatchObject({ server: 'a', afterId: 2 });
    requests[1]!.answer([aLine(3)]);
    await settle();
    expect(ids()).toEqual([1, 2, 3]);
  });

  it('asks once for what earlier launches left, and keeps it apart', async () => {
    const { output, requests, earlier, settle, tick, ids } = setUp();
    output.follow('a');
    expect(output.state.getState().earlier).toBeUndefined();
    requests[0]!.answer([aLine(1)]);
    earlier[0]!.answer([aLine(-1), aLine(0)]);
    await settle();
    tick();
    expect(output.state.getState().earlier?.map(({ id }) => id)).toEqual([-1, 0]);
    expect(ids()).toEqual([1]);
    expect(requests[1]?.afterId).toBe(1);
    expect(earlier.map(({ server }) => server)).toEqual(['a']);
  });

  it('takes what cannot be read for nothing, and forgets an answer that nobody waits for', async () => {
    const { output, earlier, settle } = setUp();
    const leave = output.follow('a');
    leave();
    output.follow('b');
    earlier[0]!.answer([aLine(0)]);
    await settle();
    expect(output.state.getState().earlier).toBeUndefined();
    earlier[1]!.refuse();
    await settle();
    expect(output.state.getState().earlier).toEqual([]);
  });

  it('has one request under way, and outlives a failed one', async () => {
    const { output, requests, settle, tick } = setUp();
    output.follow('a');
    tick();
    tick();
    expect(requests).toHaveLength(1);
    requests[0]!.refuse();
    await settle();
    tick();
    expect(requests).toHaveLength(2);
  });

  it('does not change for an answer without lines, except to say that it is loaded', async () => {
    const { output, requests, settle, tick } = setUp();
    output.follow('a');
    requests[0]!.answer([]);
    await settle();
    const loaded = output.state.getState();
    expect(loaded).toEqual({ server: 'a', lines: [], isLoaded: true });
    tick();
    requests[1]!.answer([]);
    await settle();
    expect(output.state.getState()).toBe(loaded);
  });

  it('keeps the newest lines within its caps, whatever comes at once', async () => {
    const { output, requests, settle, tick, ids } = setUp({ lines: 100, characters: 1000 });
    output.follow('a');
    requests[0]!.answer(Array.from({ length: 110 }, (_, index) => aLine(index + 1)));
    await settle();
    expect(ids()).toHaveLength(100);
    expect(ids().at(-1)).toBe(110);
    tick();
    requests[1]!.answer([{ ...aLine(111), text: 'x'.repeat(995) }]);
    await settle();
    expect(ids()).toEqual([111]);
    tick();
    requests[2]!.answer([aLine(112), { ...aLine(113), text: 'x'.repeat(2000) }, aLine(114)]);
    await settle();
    expect(ids()).toEqual([114]);
  });

  it('holds a line that is longer than the cap, because it is the newest', async () => {
    const { output, requests, settle, ids } = setUp({ lines: 100, characters: 1000 });
    output.follow('a');
    requests[0]!.answer([aLine(1), { ...aLine(2), text: 'x'.repeat(5000) }]);
    await settle();
    expect(ids()).toEqual([2]);
  });

  it('keeps a line as the same object when others come', async () => {
    const { output, requests, settle, tick } = setUp();
    output.follow('a');
    requests[0]!.answer([aLine(1)]);
    await settle();
    const [first] = output.state.getState().lines;
    tick();
    requests[1]!.answer([aLine(2)]);
    await settle();
    expect(output.state.getState().lines[0]).toBe(first);
  });

  it('never mixes servers, and asks nothing once left', async () => {
    const { output, requests, settle, tick, ids } = setUp();
    const leave = output.follow('a');
    leave();
    output.follow('b');
    requests[0]!.answer([aLine(1)]);
    requests[1]!.answer([aLine(9)]);
    await settle();
    expect(ids()).toEqual([9]);
    leave();
    expect(output.state.getState().server).toBe('b');
    tick();
    expect(requests.map(({ server }) => server)).toEqual(['a', 'b', 'b']);
  });
});

describe('toPlainText', () => {
  it.each([
    ['plain words', 'plain words'],
    ['\u001b[31merror\u001b[0m: \u001b[1;38;5;9mboom\u001b[m', 'error: boom'],
    ['\u001b]8;;https://x\u0007link\u001b]8;;\u0007', 'link'],
    ['10 %\r50 %\r100 %', '100 %'],
    ['a\tb', 'a\tb'],
    ['bell\u0007 and null\u0000', 'bell\ufffd and null\ufffd'],
  ])('%j', (line, text) => expect(toPlainText(line)).toBe(text));
});
