import type { CallUsageKey, CallUsageRow } from '../../shared/call-usage.ts';
import { csvCell, csvText } from '../../shared/csv.ts';
import { formatShare } from '../charts/span-table.tsx';
import { formatCallDuration } from '../format/call-figures.ts';
import { changeWords, formatCount, formatData, MISSING } from '../format/figures.ts';
import { formatAgo } from '../format/durations.ts';

/** Row of the table of calls with its number of calls in the compared period; `before` is undefined if that is not known. */
export interface ComparedRow extends CallUsageRow {
  readonly before?: number | undefined;
}

export type CallColumn = 'calls' | 'errors' | 'p50' | 'p95' | 'bytes' | 'last' | 'change';

export const callColumns: readonly {
  readonly column: CallColumn;
  readonly title: string;
  readonly meaning: string;
}[] = [
  { column: 'calls', title: 'Calls', meaning: 'Calls of clients within the time shown' },
  {
    column: 'errors',
    title: 'Errors',
    meaning: 'Answers of the tool that say “error”, errors of the protocol, and calls without an answer',
  },
  { column: 'p50', title: 'p50', meaning: 'Half of the calls were answered in this time or less' },
  { column: 'p95', title: 'p95', meaning: '95 of 100 calls were answered in this time or less' },
  { column: 'bytes', title: 'Bytes', meaning: 'Requests and answers together' },
  { column: 'last', title: 'Last', meaning: 'Age of the last call' },
  { column: 'change', title: 'Change', meaning: 'Calls, against the time of the same length before' },
];

export const namesOf = (by: CallUsageKey): readonly ('server' | 'tool' | 'client')[] =>
  by === 'each' ? ['server', 'tool', 'client'] : by === 'tool' ? ['server', 'tool'] : [by];

export const failures = ({ toolErrors, errors }: CallUsageRow): number => toolErrors + errors;

/** Value by which the rows are sorted for each column, largest first. */
export const sortKeyOf: Readonly<Record<CallColumn, (row: ComparedRow) => number>> = {
  calls: ({ calls }) => calls,
  errors: (row) => failures(row) / row.calls,
  p50: ({ p50Ms = -1 }) => p50Ms,
  p95: ({ p95Ms = -1 }) => p95Ms,
  bytes: ({ bytesIn, bytesOut }) => bytesIn + bytesOut,
  last: ({ lastAt }) => lastAt,
  change: ({ calls, before }) => (before === undefined ? -1 : calls / Math.max(1, before)),
};

/** Text of a cell. */
export function cellWords(row: ComparedRow, column: CallColumn, now: number): string {
  switch (column) {
    case 'calls':
      return formatCount(row.calls);
    case 'errors':
      return failures(row) === 0 ? '0' : formatShare(failures(row) / row.calls);
    case 'p50':
      return formatCallDuration(row.p50Ms);
    case 'p95':
      return formatCallDuration(row.p95Ms);
    case 'bytes':
      return formatData(row.bytesIn + row.bytesOut);
    case 'last':
      return formatAgo(Math.max(0, now - row.lastAt));
    case 'change':
      return changeWords(row.calls, row.before) ?? MISSING;
  }
}

/** Adds each row's number of calls in the compared period. Rows are matched by their names (server, tool, client). */
export function comparedRows(
  rows: readonly CallUsageRow[],
  before: readonly CallUsageRow[] | undefined,
  by: CallUsageKey,
): readonly ComparedRow[] {
  if (before === undefined) return rows;
  const keyOf = (row: CallUsageRow) => JSON.stringify(namesOf(by).map((name) => row[name]));
  const earlier = new Map(before.map((row) => [keyOf(row), row.calls]));
  return rows.map((row) => ({ ...row, before: earlier.get(keyOf(row)) ?? 0 }));
}

/** Servers that are running but have not been called since a given time. @param rows calls by server */
export function unusedServers(
  running: readonly string[],
  rows: readonly CallUsageRow[],
  since: number,
): readonly string[] {
  const used = new Set(rows.filter(({ lastAt }) => lastAt >= since).map(({ server }) => server));
  return running.filter((name) => !used.has(name));
}

export function callUsageCsv(rows: readonly ComparedRow[], by: CallUsageKey): string {
  const head = [
    ...namesOf(by),
    'clients',
    'calls',
    'tool errors',
    'errors',
    'p50 ms',
    'p95 ms',
    'bytes in',
    'bytes out',
  ];
  return csvText([
    [...head, 'last call'],
    ...rows.map((row) => [
      ...namesOf(by).map((name) => csvCell(row[name])),
      ...[
        row.clients,
        row.calls,
        row.toolErrors,
        row.errors,
        row.p50Ms,
        row.p95Ms,
        row.bytesIn,
        row.bytesOut,
      ].map((figure) => (figure === undefined ? '' : String(Math.round(figure)))),
      new Date(row.lastAt).toISOString(),
    ]),
  ]);
}
