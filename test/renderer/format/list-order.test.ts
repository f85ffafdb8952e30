import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Sample } from '../../../shared/domain.ts';
import { everyServer, nextSorting, sortColumns } from '../../../renderer/format/list-choice.ts';
import { averageOf, keepOrder, sortServers } from '../../../renderer/format/list-order.ts';
import { aSample, aServer } from '../builders.ts';

const mib = 1024 * 1024;
const servers = [
  aServer('a', { sample: aSample(10), restarts24h: 2, runningSince: 500 }),
  aServer('b', { sample: aSample(10), runningSince: 100 }),
  aServer('c', { sample: aSample(10), restarts24h: 2, state: { kind: 'failed', since: 0 } }),
  aServer('d', { transport: 'http' }),
];
const memory: Readonly<Record<string, readonly number[]>> = { a: [1, 1], b: [9, 0], c: [3, 3], d: [] };
const samplesOf = (name: string): readonly Sample[] =>
  memory[name]!.map((size, at) => aSample(at, { memoryBytes: size * mib }));
const called = new Map([
  ['a', { calls: 2, lastAt: 900 }],
  ['b', { calls: 0 }],
  ['c', { calls: 9, lastAt: 100 }],
]);
const sorted = (sortBy: (typeof sortColumns)[number], isDescending: boolean) =>
  sortServers(servers, { sortBy, isDescending }, samplesOf, called).join('');

describe('sortServers()', () => {
  it('sorts memory by the average, not by the latest figure, and what has none stands last both ways', () => {
    expect(sorted('memory', true)).toBe('bcad');
    expect(sorted('memory', false)).toBe('acbd');
  });

  it('sorts names as they come, or the other way round', () => {
    expect(sorted('name', false)).toBe('abcd');
    expect(sorted('name', true)).toBe('dcba');
  });

  it('leaves equal ones in the order of their names in both directions', () => {
    expect(sorted('restarts', true)).toBe('acbd');
    expect(sorted('restarts', false)).toBe('bdac');
  });

  it('has the worst state first, and the longest uptime where the largest come first', () => {
    expect(sorted('state', false)).toBe('cabd');
    expect(sorted('uptime', true).startsWith('cdb')).toBe(true);
  });

  it('sorts by the calls of the last hour and by the last use, what was never used last both ways', () => {
    expect(sorted('calls', true)).toBe('cabd');
    expect(sorted('lastUsed', true)).toBe('acbd');
    expect(sorted('lastUsed', false)).toBe('cabd');
  });

  it('never loses or doubles a server', () => {
    fc.assert(
      fc.property(fc.constantFrom(...sortColumns), fc.boolean(), (sortBy, isDescending) => {
        expect([...sorted(sortBy, isDescending)].toSorted().join('')).toBe('abcd');
      }),
    );
  });
});

describe('an order that is kept', () => {
  it('leaves out who left, and puts who came last', () => {
    expect(keepOrder(['c', 'a', 'gone'], ['a', 'b', 'c'])).toEqual(['c', 'a', 'b']);
  });

  it('holds each name once, whatever came and went', () => {
    const some = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e'));
    fc.assert(
      fc.property(some, some, (order, names) => {
        expect(keepOrder(order, names).toSorted()).toEqual(names.toSorted());
      }),
    );
  });
});

describe('a click on a header', () => {
  it('sorts figures the largest first, then the smallest first, then no longer', () => {
    const first = nextSorting('memory', everyServer);
    expect(first).toEqual({ sortBy: 'memory', isDescending: true });
    const second = nextSorting('memory', first);
    expect(second).toEqual({ sortBy: 'memory', isDescending: false });
    expect(nextSorting('memory', second)).toEqual({ sortBy: 'name', isDescending: false });
  });

  it('turns the names round and back', () => {
    const turned = nextSorting('name', everyServer);
    expect(turned).toEqual({ sortBy: 'name', isDescending: true });
    expect(nextSorting('name', turned)).toEqual({ sortBy: 'name', isDescending: false });
  });
});

it('averages only what was measured', () => {
  const samples = [aSample(1, { cpuPercent: 4 }), { at: 2, processCount: 1 }, aSample(3, { cpuPercent: 8 })];
  expect(averageOf(samples, ({ cpuPercent }) => cpuPercent)).toBe(6);
  expect(averageOf([], ({ cpuPercent }) => cpuPercent)).toBeUndefined();
});
