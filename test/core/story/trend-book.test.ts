import { describe, expect, it, onTestFinished } from 'vitest';
import { TrendBook } from '../../../electron/core/story/trend-book.ts';
import type { PanelEvent } from '../../../shared/events.ts';
import type { Trend } from '../../../shared/trend.ts';
import { createFakeClock } from '../fake-clock.ts';
import { HOUR_MS } from '../../../shared/units.ts';
const trend: Trend = { perDayBytes: 9e7, since: 1_799_000_000_000, confidence: 'clear' };

const begun = (kind: 'started' | 'restarted', generation: number): PanelEvent => ({
  ...{ id: '1', at: 0, server: 'leaks' },
  ...{ kind, detail: { generation } },
});

function openBook({ isTold = false, isEnded = false } = {}) {
  const clock = createFakeClock();
  const [asked, events, changed]: [string[], unknown[], string[]] = [[], [], []];
  const limits = new Map([
    ['leaks', 1000],
    ['steady', 1000],
  ]);
  const book = new TrendBook({
    clock,
    wallClock: clock,
    source: {
      trend: ({ server, limitBytes }) => {
        asked.push(`${server} ${limitBytes}`);
        if (isEnded) return Promise.reject(new Error('ended'));
        return Promise.resolve(server === 'leaks' ? trend : undefined);
      },
      events: () => Promise.resolve({ events: [], hasMore: false, total: isTold ? 1 : 0 }),
    },
    limitOf: (name) => limits.get(name),
    logEvent: (server, detail) => events.push([server, detail]),
    onRead: (name) => changed.push(name),
  });
  onTestFinished(() => book.dispose());
  return { asked, book, changed, clock, events, limits };
}

describe('the book of trends', () => {
  it('reads the trends of all servers once an hour, and writes the event of one once', async () => {
    const { asked, book, changed, clock, events } = openBook();
    book.follow(['leaks', 'steady']);
    await clock.advance(0);
    expect([book.of('leaks'), book.of('steady')]).toEqual([trend, undefined]);
    expect(changed).toEqual(['leaks']);
    await book.read('leaks');
    expect(asked).toEqual(['leaks 1000', 'steady 1000']);
    await clock.advance(3 * HOUR_MS);
    expect(asked).toHaveLength(8);
    expect(events).toEqual([['leaks', trend]]);
  });

  it('writes no event that an earlier launch of the panel has written', async () => {
    const { book, clock, events } = openBook({ isTold: true });
    book.follow(['leaks']);
    await clock.advance(HOUR_MS);
    expect(book.of('leaks')).toEqual(trend);
    expect(events).toEqual([]);
  });

  it('reads again at once when the limit changed', async () => {
    const { asked, book, clock, limits } = openBook();
    book.follow(['leaks']);
    await clock.advance(0);
    limits.set('leaks', 2000);
    book.follow(['leaks']);
    await clock.advance(0);
    expect(asked).toEqual(['leaks 1000', 'leaks 2000']);
  });

  it('forgets the trend of a server that was restarted until the next hour, and not when the panel starts it', async () => {
    const { asked, book, changed, clock } = openBook();
    book.follow(['leaks']);
    await clock.advance(0);
    book.eventHappened(begun('started', 1));
    expect(book.of('leaks')).toEqual(trend);
    book.eventHappened(begun('restarted', 2));
    expect([book.of('leaks'), await book.read('leaks')]).toEqual([undefined, undefined]);
    expect([asked, changed]).toEqual([['leaks 1000'], ['leaks', 'leaks']]);
    await clock.advance(HOUR_MS);
    expect(book.of('leaks')).toEqual(trend);
  });

  it('knows nothing of a removed or remote server, and asks nothing after its end', async () => {
    const { asked, book, clock } = openBook();
    book.follow(['leaks', 'remote']);
    await clock.advance(0);
    expect(await book.read('remote')).toBeUndefined();
    book.follow(['remote']);
    expect([book.of('leaks'), await book.read('leaks')]).toEqual([undefined, undefined]);
    book.dispose();
    await clock.advance(2 * HOUR_MS);
    expect(asked).toEqual(['leaks 1000']);
    expect(clock.pending).toBe(0);
  });

  it('has no trends while the history has ended', async () => {
    const { book } = openBook({ isEnded: true });
    book.follow(['leaks']);
    expect(await book.read('leaks')).toBeUndefined();
  });
});
