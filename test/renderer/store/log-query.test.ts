import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { filterOf, chosenSources, without, type LogQuery } from '../../../renderer/store/log-query.ts';
import { hrefOf, parseRoute } from '../../../renderer/store/route-store.ts';

const some = <T>(values: fc.Arbitrary<T>) => fc.array(values, { minLength: 1, maxLength: 4 });
const moment = fc.nat(2 ** 41);
const queries: fc.Arbitrary<LogQuery> = fc.record(
  {
    servers: some(fc.string({ unit: 'grapheme', minLength: 1 })),
    sources: fc.constantFrom(['stderr'], ['mcp', 'traffic']),
    leastLevel: fc.constantFrom('debug', 'info', 'warning', 'error'),
    generation: fc.nat(1000),
    from: moment,
    to: moment,
    withOwn: fc.constant(true),
    at: moment,
  },
  { requiredKeys: [] },
);

describe('the choice of lines in an address', () => {
  it('comes back as it went, for all servers and for one', () => {
    const property = fc.property(queries, (asked) => {
      // The time of an address is that of all views, and no part of the route.
      const query = without(asked, 'from', 'to', 'at');
      expect(parseRoute(hrefOf({ view: 'logs', query: asked }))).toEqual({ view: 'logs', query });
      const page = { view: 'server', name: 'a/b?c', tab: 'logs' } as const;
      const isEmpty = Object.keys(asked).length === 0;
      expect(parseRoute(hrefOf({ ...page, query: asked }))).toEqual(isEmpty ? page : { ...page, query });
    });
    fc.assert(property);
  });

  it('does not filter by what it does not understand', () => {
    expect(parseRoute('#/logs?level=loud&at=soon&source=radio&from=-1&x=y')).toEqual({
      view: 'logs',
      query: {},
    });
  });

  it('asks the core for all but the moment, and leaves the panel’s own traffic out', () => {
    expect(filterOf({ servers: ['one'], at: 5 })).toEqual({ servers: ['one'], withoutOwn: true });
    expect(filterOf({ withOwn: true, sources: [...chosenSources] })).toEqual({ sources: [...chosenSources] });
  });
});
