import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PanelEvent } from '../../../shared/domain.ts';
import type { PastEventsQuery } from '../../../shared/history.ts';
import { askOlderEvents, isAskedFor, type EventFilter } from '../../../renderer/store/older-events.ts';
import { anEvent } from '../builders.ts';

const TIME = { from: 1_800_000_000_000, to: 1_800_086_400_000 };

/** A history that gives no more than `most` events at once. */
function historyOf(events: readonly PanelEvent[], most = Infinity) {
  const asked: PastEventsQuery[] = [];
  const getPastEvents = async (query: PastEventsQuery) => {
    asked.push(query);
    const { server, kinds, before = '~', limit } = query;
    const all = events.filter(
      (event) =>
        event.id < before &&
        (server === undefined || event.server === server) &&
        (kinds?.includes(event.kind) ?? true),
    );
    const count = Math.min(limit, most);
    return { events: all.slice(-count), hasMore: all.length > count, total: all.length };
  };
  return { getPastEvents, asked };
}

const idOf = (number: number) => String(number).padStart(4, '0');

describe('older events', () => {
  it('are those of a time, of all servers or of one kind', async () => {
    const history = historyOf([]);
    await askOlderEvents(history, { server: null, kinds: ['crashed'] }, TIME, '0007');
    expect(history.asked).toEqual([{ ...TIME, limit: 500, kinds: ['crashed'], before: '0007' }]);
  });

  it('of a server come with those of the panel, which end its incidents', async () => {
    const history = historyOf([
      anEvent('0001', { kind: 'crashed', server: 'one' }),
      anEvent('0002', { kind: 'panel-quit', server: null }),
      anEvent('0003', { kind: 'started', server: 'two' }),
      anEvent('0004', { kind: 'started', server: 'one' }),
    ]);
    const { events } = await askOlderEvents(history, { server: 'one', kinds: null }, TIME, undefined);
    expect(events.map(({ id }) => id)).toEqual(['0001', '0002', '0004']);
  });

  it('come page by page without a gap, whoever they are of', async () => {
    const anyEvents = fc.array(
      fc.record({
        server: fc.constantFrom('one', 'two', null),
        kind: fc.constantFrom('crashed' as const, 'started' as const, 'panel-quit' as const),
      }),
      { maxLength: 40 },
    );
    const anyFilter = fc.record<EventFilter>({
      server: fc.constantFrom('one', null),
      kinds: fc.constantFrom(['crashed'] as const, ['crashed', 'panel-quit'] as const, null),
    });
    await fc.assert(
      fc.asyncProperty(anyEvents, anyFilter, fc.integer({ min: 1, max: 7 }), async (parts, filter, most) => {
        const events = parts.map((part, index) => anEvent(idOf(index), part));
        const history = historyOf(events, most);
        let found: readonly PanelEvent[] = [];
        let hasMore = true;
        while (hasMore) {
          const page = await askOlderEvents(history, filter, TIME, found[0]?.id);
          expect(page.hasMore && page.events.length === 0).toBe(false);
          found = [...page.events, ...found];
          hasMore = page.hasMore;
        }
        expect(found).toEqual(events.filter((event) => isAskedFor(event, filter)));
      }),
    );
  });
});
