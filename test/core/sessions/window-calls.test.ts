import { describe, expect, it } from 'vitest';
import type { CallProgress } from '../../../shared/domain.ts';
import { nextTurn } from '../../../electron/core/next-turn.ts';
import { WindowCalls } from '../../../electron/core/sessions/window-calls.ts';
import type { RawResult } from '../../../electron/core/mcp/long-message.ts';
import { createFakeClock } from '../fake-clock.ts';
import type { LongReader } from '../../../electron/core/mcp/worker/questions.ts';
import { longResult, rawResults } from '../long-message.ts';

const call = { callId: '1', name: 'one', method: 'tools/call', params: {} } as const;

/** Calls to a server that answers with `result`, after one report of progress with `words`. */
function callsTo(result: RawResult, words = '') {
  const reported: CallProgress[] = [];
  let releases = 0;
  const calls = new WindowCalls({
    clock: createFakeClock(),
    onProgress: (progress) => reported.push(progress),
    acquire: async () => ({
      hasEnded: false,
      requestRaw: async (_method, _params, options) => {
        options?.onProgress?.({ progress: 1, message: words });
        return result;
      },
      release: async () => void (releases += 1),
    }),
  });
  return { calls, reported, releases: () => releases };
}

describe.each(rawResults)('the outcome of a call whose result comes %s', (_how, raw) => {
  it('is the result as it came, a picture of megabytes too', async () => {
    const result = {
      content: [
        { type: 'text', text: 'x'.repeat(200_000) },
        { type: 'image', mimeType: 'image/png', data: 'A'.repeat(5_000_000) },
      ],
      structuredContent: { list: Array.from({ length: 1000 }, (_, index) => ({ index })) },
    };
    const outcome = await callsTo(raw(result)).calls.call(call);
    expect(outcome).toEqual({ result, durationMs: 0 });
  });

  it('is a part of an answer of many small objects, and says what is missing', async () => {
    const { calls, releases } = callsTo(raw({ list: Array.from({ length: 100_000 }, (_, a) => ({ a })) }));
    const { result, leftOut } = await calls.call(call);
    expect(result['list']).toHaveLength(5000);
    expect(leftOut).toEqual({ characters: 95_000, values: 190_000, isAtLeast: false });
    expect(releases()).toBe(1);
  });

  it('is the beginning of a text of megabytes, which says so itself', async () => {
    const { calls } = callsTo(raw({ content: [{ type: 'text', text: 'word '.repeat(3_000_000) }] }));
    const { result, leftOut } = await calls.call(call);
    const [{ text }] = result['content'] as [{ text: string }];
    expect(text).toMatch(/^word .*… \[147\d{5} characters left out\]$/);
    expect(text.length).toBeLessThanOrEqual(256 * 1024);
    expect(leftOut).toMatchObject({ values: 0, isAtLeast: false });
  });

  it('has no part of a picture that is too large: half of one is none', async () => {
    const { calls } = callsTo(raw({ content: [{ type: 'image', data: 'A'.repeat(9_000_000) }] }));
    expect(await calls.call(call)).toMatchObject({
      result: { content: [{ type: 'image', data: '…' }] },
      leftOut: { characters: 9_000_000 },
    });
  });

  it('comes after progress of which the words are cut to a line', async () => {
    const { calls, reported } = callsTo(raw({}), 'word '.repeat(1_000_000));
    await calls.call(call);
    expect(reported).toHaveLength(1);
    expect(reported[0]?.message).toMatch(/^word .{900,1000}$/);
  });
});

describe('the outcome of a call', () => {
  const DEPTH = 100_000;

  function nested(): Record<string, unknown> {
    let deep: Record<string, unknown> = {};
    for (let level = 0; level < DEPTH; level += 1) deep = { deep };
    return deep;
  }

  it.each<[string, RawResult]>([
    ['parsed', { kind: 'parsed', result: nested() }],
    ['long', longResult(`${'{"deep":'.repeat(DEPTH)}{}${'}'.repeat(DEPTH)}`)],
  ])('can be cloned, however deeply the answer is nested (%s)', async (_how, raw) => {
    const outcome = await callsTo(raw).calls.call(call);
    expect(structuredClone(outcome)).toEqual(outcome);
    expect(outcome.leftOut).toMatchObject({ values: 99_937 });
  });

  it('has what stands beside a list of millions of values, too, and says that more was left out than counted', async () => {
    const list = '[{"a":[1,2,3]}],'.repeat(200_000);
    const raw = longResult(`{"list":[${list}0],"content":[{"type":"text","text":"said"}],"isError":false}`);
    const { result, leftOut } = await callsTo(raw).calls.call(call);
    expect(result).toMatchObject({ content: [{ type: 'text', text: 'said' }], isError: false });
    expect(result['list']).toHaveLength(5000);
    expect(leftOut).toMatchObject({ isAtLeast: true });
  });

  it('is not waited for when the caller cancels meanwhile', async () => {
    const neverRead: LongReader = { ask: () => new Promise<never>(() => undefined) };
    const { calls, releases } = callsTo(longResult('{}', neverRead));
    const outcome = calls.call(call);
    await nextTurn();
    calls.cancel('1');
    await expect(outcome).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(releases()).toBe(1);
  });
});
