import { expect, it } from 'vitest';
import type { CallUsageRow } from '../../../shared/call-usage.ts';
import { calledServers } from '../../../renderer/store/called.ts';
import { anEvent } from '../builders.ts';

const row = (server: string, lastAt: number) => ({ server, lastAt }) as CallUsageRow;
const bucket = (index: number, calls: number, errors = 0) => ({ index, calls, errors });
const hourOf = (server: string) => ({
  ...{ from: 1000, stepMs: 10 },
  buckets: server === 'a' ? [bucket(2, 3), bucket(5, 4, 1)] : [],
});
const starts = [
  anEvent('1', { at: 50, kind: 'started', server: 'c' }),
  anEvent('2', { at: 70, kind: 'started', server: 'c' }),
];
const of = (rows: readonly CallUsageRow[] | undefined, name: string) =>
  calledServers({ names: ['a', 'b', 'c', 'd'], rows, starts, hourOf }).get(name);

it('the last use is the last call, of this hour or of those before', () => {
  expect(of([row('a', 500)], 'a')).toEqual({ calls: 7, errors: 1, lastAt: 1060, unusedSince: 1060 });
  expect(of([row('b', 500)], 'b')).toEqual({ calls: 0, errors: 0, lastAt: 500, unusedSince: 500 });
});

it('a server without a call is unused since its first start that is known, if others were called', () => {
  expect(of([row('a', 500)], 'c')).toMatchObject({ lastAt: undefined, unusedSince: 50 });
  expect(of([row('a', 500)], 'd')?.unusedSince).toBeUndefined();
  expect(of([], 'c')?.unusedSince).toBeUndefined();
  expect(of(undefined, 'c')?.unusedSince).toBeUndefined();
});
