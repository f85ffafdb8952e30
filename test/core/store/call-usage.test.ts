import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { CallUsageKey } from '../../../shared/call-usage.ts';
import {
  MAX_TOOL_SERIES,
  readCallUsage,
  writeCallUsage,
} from '../../../electron/core/store/file/call-usage.ts';
import type { HistoryFile } from '../../../electron/core/store/file/history-file.ts';
import type { AuditEntry } from '../../../electron/core/store/store-messages.ts';
import { propertyRuns } from '../../support/property-runs.ts';
import { batch, DAY_MS, openHistory, START, tidyForTwoDays } from './history-fixture.ts';
import { HOUR_MS } from '../../../shared/units.ts';
const call = (given: Partial<AuditEntry> = {}): AuditEntry => ({
  ...{ at: START, client: 'Cursor', server: 'one', tool: 'echo', outcome: 'result', durationMs: 10 },
  ...given,
});
const write = (file: HistoryFile, ...audit: AuditEntry[]) => file.write(batch(START, { audit }));
const usage = (file: HistoryFile, by: CallUsageKey, from = START, to = START + HOUR_MS) =>
  readCallUsage(file.db, { from, to, by }).rows;

it('tells tools, clients and servers apart, and adds up over batches and hours', () => {
  const file = openHistory();
  write(file, call({ bytesIn: 10, bytesOut: 100 }), call({ client: 'Claude', isToolError: true }));
  write(
    file,
    call({ at: START + HOUR_MS, bytesIn: 5, bytesOut: 50 }),
    call({ tool: 'other', outcome: 'error' }),
    call({ server: 'two', outcome: 'lost', durationMs: 9000 }),
  );
  const to = START + 2 * HOUR_MS;
  expect(usage(file, 'tool', START, to)).toMatchObject([
    {
      ...{ server: 'one', tool: 'echo', clients: 2, calls: 3, toolErrors: 1, errors: 0 },
      ...{ bytesIn: 15, bytesOut: 150, lastAt: START + HOUR_MS },
    },
    { server: 'one', tool: 'other', calls: 1, toolErrors: 0, errors: 1 },
    { server: 'two', tool: 'echo', calls: 1, errors: 1 },
  ]);
  expect(usage(file, 'client', START, to)).toMatchObject([
    { client: 'Cursor', calls: 4 },
    { client: 'Claude', calls: 1 },
  ]);
  expect(usage(file, 'server', START, to)).toMatchObject([{ server: 'one' }, { server: 'two', calls: 1 }]);
  expect(usage(file, 'each', START, to)).toHaveLength(4);
  expect(readCallUsage(file.db, { from: START, to, by: 'client', server: 'one' }).rows).toMatchObject([
    { client: 'Cursor', calls: 3 },
    { client: 'Claude', calls: 1 },
  ]);
  // How long a call waited before it was lost says nothing about its tool.
  expect(usage(file, 'server', START, to)[1]).not.toHaveProperty('p50Ms');
  expect(usage(file, 'tool', START + DAY_MS, to + DAY_MS)).toEqual([]);
});

it('percentiles are within 10 % of those of the calls themselves', () => {
  const file = openHistory();
  const times = Array.from({ length: 1000 }, (_, index) => 3 + ((index * 7919) % 1000) * 1.7);
  write(file, ...times.map((durationMs) => call({ durationMs })));
  const sorted = times.toSorted((one, other) => one - other);
  const [row] = usage(file, 'tool');
  for (const [found, share] of [
    [row?.p50Ms, 0.5],
    [row?.p95Ms, 0.95],
  ] as const) {
    const exact = sorted[Math.ceil(share * sorted.length) - 1] ?? 0;
    expect(Math.abs((found ?? 0) - exact) / exact).toBeLessThan(0.1);
  }
});

it('names that strangers choose take no more than their room, and none of their calls is lost', () => {
  const file = openHistory();
  const entries = Array.from({ length: MAX_TOOL_SERIES + 50 }, (_, index) => call({ tool: `tool-${index}` }));
  write(file, ...entries);
  const rows = usage(file, 'tool');
  expect(rows).toHaveLength(MAX_TOOL_SERIES + 1);
  expect(rows[0]).toMatchObject({ server: 'one', tool: '(other)', calls: 50 });
});

it('a newcomer takes the place of what is called least', () => {
  const file = openHistory();
  write(file, ...Array.from({ length: MAX_TOOL_SERIES }, (_, index) => call({ tool: `tool-${index}` })));
  write(file, ...Array.from({ length: 3 }, () => call({ tool: 'tool-0', at: START + 1 })));
  write(file, call({ tool: 'new', at: START + 2 }));
  const rows = usage(file, 'tool');
  expect(rows.map(({ tool }) => tool)).toEqual(expect.arrayContaining(['tool-0', 'new', '(other)']));
  expect(rows.length).toBeLessThanOrEqual(MAX_TOOL_SERIES + 1);
  expect(rows.reduce((sum, { calls }) => sum + calls, 0)).toBe(MAX_TOOL_SERIES + 4);
});

it('whatever is called, no call is lost, and what goes into “other” was called no more than what stays', () => {
  const MOST = 8;
  const made = fc.record({
    ...{ tool: fc.nat(14).map((index) => `tool-${index}`), server: fc.constantFrom('one', 'two') },
    ...{ client: fc.constantFrom('Cursor', 'Claude'), at: fc.nat(3 * HOUR_MS - 1).map((ms) => START + ms) },
  });
  fc.assert(
    fc.property(fc.array(fc.array(made, { minLength: 1, maxLength: 9 }), { maxLength: 12 }), (batches) => {
      const file = openHistory();
      const named = () =>
        new Map(
          usage(file, 'each', START, START + 3 * HOUR_MS)
            .filter(({ tool }) => tool !== '(other)')
            .map(({ server, tool, client, calls }) => [JSON.stringify([server, tool, client]), calls]),
        );
      for (const entries of batches) {
        const before = named();
        writeCallUsage(file.db, entries.map(call), MOST);
        const after = named();
        expect(after.size).toBeLessThanOrEqual(MOST);
        const called = new Set(
          entries.map(({ server, tool, client }) => JSON.stringify([server, tool, client])),
        );
        const left = [...before].filter(([key]) => !after.has(key)).map(([, calls]) => calls);
        const stayed = [...before]
          .filter(([key]) => after.has(key) && !called.has(key))
          .map(([, calls]) => calls);
        expect(Math.max(0, ...left)).toBeLessThanOrEqual(Math.min(Infinity, ...stayed));
      }
      for (const server of ['one', 'two'])
        expect(
          usage(file, 'server', START, START + 3 * HOUR_MS).find((row) => row.server === server)?.calls ?? 0,
        ).toBe(batches.flat().filter((entry) => entry.server === server).length);
      file.close();
    }),
    { numRuns: propertyRuns(150) },
  );
});

it('calls are kept for ninety days', () => {
  const file = openHistory();
  write(file, call());
  tidyForTwoDays(file, START + 91 * DAY_MS);
  expect(usage(file, 'tool')).toEqual([]);
});
