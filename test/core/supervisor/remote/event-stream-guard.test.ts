import { createParser, type EventSourceMessage } from 'eventsource-parser';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  EventStreamGuard,
  type EventStreamLimits,
  type SkippedEvent,
} from '../../../../electron/core/supervisor/remote/event-stream-guard.ts';

const KIB = 1024;

function createGuard({
  standIn = 'stand-in',
  ...limits
}: Partial<EventStreamLimits> & { standIn?: string } = {}) {
  const long: SkippedEvent[] = [];
  const data: string[] = [];
  const guard = new EventStreamGuard({
    ...limits,
    onSkipped: (event) => void long.push(event),
  });
  const events: EventSourceMessage[] = [];
  const retries: number[] = [];
  const parser = createParser({
    onEvent: (event) => void events.push(event),
    onRetry: (ms) => void retries.push(ms),
  });
  const parts: string[] = [];
  const push = (text: string | Buffer) => {
    for (const part of guard.parts(Buffer.from(text))) {
      if (!Buffer.isBuffer(part)) data.push(Buffer.concat(part.data).toString());
      const passed = Buffer.isBuffer(part) ? part.toString() : `data: ${standIn}\n\n`;
      parts.push(passed);
      parser.feed(passed);
    }
  };
  /** Messages that the SDK's transports listen to. */
  const messages = () => events.filter(({ event }) => event === undefined || event === 'message');
  return { guard, push, parts, events, messages, retries, long, data };
}

/** Cuts the text into pieces of these sizes, over and over. */
function cut(text: string, sizes: readonly number[]): string[] {
  const pieces: string[] = [];
  for (let at = 0; at < text.length; at += pieces.at(-1)!.length)
    pieces.push(text.slice(at, at + sizes[pieces.length % sizes.length]!));
  return pieces;
}

/** Events of a whole text, as the SDK's own parser finds them. */
function eventsIn(text: string): EventSourceMessage[] {
  const events: EventSourceMessage[] = [];
  createParser({ onEvent: (event) => void events.push(event) }).feed(text.replace(/\r\n?/g, '\n'));
  return events;
}

describe('EventStreamGuard', () => {
  it('passes every event on, however the stream is cut and its lines end', () => {
    const line = fc.oneof(
      fc.constantFrom('', ':', ': comment', 'data', 'data:', 'data: {"a":1}', 'data:x', 'event: message'),
      fc.constantFrom('id: 7', 'id', 'retry: 1000', 'retry: x', 'datax: y', 'dat', 'unknown'),
    );
    const end = fc.constantFrom('\n', '\r', '\r\n');
    const stream = fc.array(fc.tuple(line, end), { maxLength: 30 });
    fc.assert(
      fc.property(stream, fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }), (lines, sizes) => {
        const text = lines.flat().join('') + '\n\n';
        const bench = createGuard();
        for (const piece of cut(text, sizes)) bench.push(piece);
        bench.guard.end();
        expect(bench.events).toEqual(eventsIn(text));
        expect(bench.long).toEqual([]);
      }),
    );
  });

  it('never passes on more of one event than it may have', () => {
    const bench = createGuard({ maxEventBytes: 64 * KIB });
    for (let round = 0; round < 64; round += 1) bench.push('data: '.padEnd(16 * KIB, 'x'));
    expect(bench.parts.join('').length).toBeLessThan(65 * KIB);
  });

  it('lets comments and lines that nobody keeps go on for ever', () => {
    const bench = createGuard({ maxEventBytes: KIB, maxSkippedBytes: KIB });
    for (let round = 0; round < 1000; round += 1) bench.push(': still here\nnothing: known\n');
    bench.push('data: one\n\n');
    expect(bench.messages().map(({ data }) => data)).toEqual(['one']);
    expect(bench.long).toEqual([]);
  });

  it('finds the end of what it skips, however that is cut and its lines end', () => {
    const line = fc.constantFrom('data: x', 'data: yy', 'id: 1', ': z', 'q');
    const end = fc.constantFrom('\n', '\r', '\r\n');
    const long = fc.array(fc.tuple(line, end), { minLength: 20, maxLength: 40 });
    fc.assert(
      fc.property(
        long,
        end,
        fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1 }),
        (lines, last, sizes) => {
          const bench = createGuard({ maxEventBytes: 100 });
          const first = `data: ${'x'.repeat(200)}\n`;
          const text = `${first}${lines.flat().join('')}${last}${last}data: after\n\n`;
          for (const piece of cut(text, sizes)) bench.push(piece);
          expect(bench.messages().map(({ data }) => data)).toEqual(['after']);
          expect(bench.long).toHaveLength(1);
        },
      ),
    );
  });

  it('tells of what was skipped when the stream ends in it', () => {
    const bench = createGuard({ maxEventBytes: KIB });
    bench.push('x'.repeat(2 * KIB));
    bench.guard.end();
    expect(bench.long).toMatchObject([{ bytes: 2 * KIB }]);
  });

  it('hands on nothing of a long event but what stands for it, however small its bytes came and its lines end', () => {
    const text = 'abc\u00e4'.repeat(2 * KIB);
    const lines = Array.from({ length: 8 }, (_, line) => `"${line}${text}"`);
    const message = `{"jsonrpc":"2.0","id":5,"result":{"x":[\n${lines.join('\n,')}]}}`;
    for (const end of ['\n', '\r', '\r\n']) {
      const bench = createGuard();
      const event = `id: 7\ndata: ${message.replaceAll('\n', '\ndata: ')}\nevent: message\n\n`;
      for (const piece of cut(event.replaceAll('\n', end), [1, 7, 5000])) bench.push(piece);
      bench.push(`data: two${end}${end}`);
      expect(bench.parts.join('').length).toBeLessThan(200);
      expect(bench.messages()).toEqual([
        { id: '7', event: 'message', data: 'stand-in' },
        { id: undefined, event: undefined, data: 'two' },
      ]);
      expect(bench.data).toEqual([message]);
    }
  });

  it('keeps the id of a long event of another kind, and nothing else of it', () => {
    const bench = createGuard();
    bench.push(`id: 8\nevent: other\ndata: ${'x'.repeat(100 * KIB)}\n\n`);
    expect(bench.events.map(({ id, data }) => [id, data])).toEqual([['8', '']]);
    expect([bench.messages(), bench.data]).toEqual([[], []]);
  });

  it('leaves out what is too long of a line that is no data', () => {
    const bench = createGuard();
    for (const field of [': ', 'other: ', 'event: ']) bench.push(`${field}${'x'.repeat(5000)}\n`);
    bench.push('data: one\n\ndata: two\n\n');
    expect(bench.parts.join('').length).toBeLessThan(100);
    expect(bench.messages().map(({ data }) => data)).toEqual(['two']);
  });

  it('brings the time for reconnecting within bounds', () => {
    const bench = createGuard();
    for (const time of ['0', '1', '2000', '99999999999', '9'.repeat(400)]) bench.push(`retry: ${time}\n\n`);
    expect(bench.retries).toEqual([500, 500, 2000, 30_000, 30_000]);
  });

  it('leaves out an id that no header could carry, and keeps the rest of the event', () => {
    const bench = createGuard();
    bench.push(`id: ${'7'.repeat(5000)}\ndata: one\n\n`);
    expect(bench.messages()).toMatchObject([{ id: undefined, data: 'one' }]);
  });
});
