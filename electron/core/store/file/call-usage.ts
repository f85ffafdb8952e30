import type { CallUsage, CallUsageKey, CallUsageQuery, CallUsageRow } from '../../../../shared/call-usage.ts';
import { isError, isTimed } from '../../telemetry/calls/call-totals.ts';
import type { AuditEntry } from '../store-messages.ts';
import type { Database } from './open-file.ts';
import { HOUR_MS } from '../../../../shared/units.ts';
/**
 * Maximum number of combinations of server, tool and client that are counted separately. Beyond it, calls of the least used
 * combinations are counted under the tool and client `(other)` of their server.
 */
export const MAX_TOOL_SERIES = 5000;
/** To make room, at least one fiftieth of the combinations is merged, because finding the least used ones reads all hours. */
const ROOM_SHARE = 50;
const OTHER = '(other)';

/**
 * Number of histogram steps per doubling of the duration. Each step is 2^¼ times the previous one, and a duration counts for
 * the nearest step, so that a percentile is off by 9 % at most.
 */
const STEPS_PER_DOUBLING = 4;
const stepOf = (ms: number): number =>
  Math.max(0, Math.round(Math.log2(Math.max(ms, 1)) * STEPS_PER_DOUBLING));
const msOf = (step: number): number => 2 ** (step / STEPS_PER_DOUBLING);

/** Calls of one tool by one client within an hour. `times` contains the number of calls by histogram step. */
interface Sum {
  calls: number;
  toolErrors: number;
  errors: number;
  bytesIn: number;
  bytesOut: number;
  lastAt: number;
  readonly times: Map<number, number>;
}

type Stored = Omit<Sum, 'times'> & { readonly times: string };

const nothing = (): Sum => ({
  ...{ calls: 0, toolErrors: 0, errors: 0, bytesIn: 0, bytesOut: 0, lastAt: 0 },
  times: new Map(),
});

/**
 * Adds the calls of a batch to the hourly sums of their tools. @param most maximum number of combinations of server, tool and
 * client that have their own row
 */
export function writeCallUsage(db: Database, entries: readonly AuditEntry[], most = MAX_TOOL_SERIES): void {
  const hours: Hours = new Map();
  const keyed = entries.map((entry) => [seriesKey(entry), entry] as const);
  const ids = seriesIds(db, keyed, most);
  for (const [key, entry] of keyed)
    addCall(sumAt(hours, Math.floor(entry.at / HOUR_MS), ids.get(key)!), entry);
  writeHours(db, hours);
}

type Hours = Map<string, { readonly hour: number; readonly series: number; readonly sum: Sum }>;

function sumAt(hours: Hours, hour: number, series: number): Sum {
  const key = `${hour} ${series}`;
  const known = hours.get(key) ?? { hour, series, sum: nothing() };
  hours.set(key, known);
  return known.sum;
}

/** Adds sums to the stored ones. */
function writeHours(db: Database, hours: Hours): void {
  const find = db.prepare(`SELECT ${FIELDS} FROM tool_hours WHERE hour = ? AND series = ?`);
  const put = db.prepare('INSERT OR REPLACE INTO tool_hours VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)');
  for (const { hour, series, sum } of hours.values()) {
    const before = find.get(hour, series) as Stored | undefined;
    if (before) addStored(sum, before);
    const { calls, toolErrors, errors, bytesIn, bytesOut, lastAt, times } = sum;
    put.run(hour, series, calls, toolErrors, errors, bytesIn, bytesOut, lastAt, JSON.stringify([...times]));
  }
}

const FIELDS =
  'calls, tool_errors AS toolErrors, errors, bytes_in AS bytesIn, bytes_out AS bytesOut, last_at AS lastAt, times';

type Series = Pick<AuditEntry, 'server' | 'tool' | 'client'>;
const seriesKey = ({ server, tool, client }: Series): string => JSON.stringify([server, tool, client]);

/**
 * Returns the ids of the series (combinations of server, tool and client) in a batch, by key. New series get their own row
 * while there is room, starting with those that have the most calls. The others are counted as `(other)`.
 */
function seriesIds(
  db: Database,
  keyed: readonly (readonly [key: string, Series])[],
  most: number,
): ReadonlyMap<string, number> {
  const find = db.prepare('SELECT id FROM tool_series WHERE server = ? AND tool = ? AND client = ?');
  const insert = db.prepare('INSERT INTO tool_series (server, tool, client) VALUES (?, ?, ?)');
  const idOf = ({ server, tool, client }: Series) =>
    (find.get(server, tool, client) as { id: number } | undefined)?.id;
  const added = ({ server, tool, client }: Series) =>
    Number(insert.run(server, tool, client).lastInsertRowid);
  const otherOf = ({ server }: Pick<Series, 'server'>): number => {
    const other = { server, tool: OTHER, client: OTHER };
    return idOf(other) ?? added(other);
  };
  const ids = new Map<string, number>();
  const unknown = new Map<string, { readonly entry: Series; calls: number }>();
  for (const [key, entry] of keyed) {
    const id = ids.get(key) ?? idOf(entry);
    if (id !== undefined) ids.set(key, id);
    else if (unknown.has(key)) unknown.get(key)!.calls += 1;
    else unknown.set(key, { entry, calls: 1 });
  }
  if (unknown.size === 0) return ids;
  let room = most - countSeries(db);
  if (room < unknown.size)
    room += displace(db, Math.max(unknown.size - room, Math.floor(most / ROOM_SHARE)), ids, otherOf);
  for (const [key, { entry }] of [...unknown].sort(([, one], [, other]) => other.calls - one.calls))
    ids.set(key, (room -= 1) >= 0 ? added(entry) : otherOf(entry));
  return ids;
}

const NAMED = `NOT (tool = '${OTHER}' AND client = '${OTHER}')`;

const countSeries = (db: Database): number =>
  (db.prepare(`SELECT count(*) AS count FROM tool_series WHERE ${NAMED}`).get() as { count: number }).count;

/**
 * Merges the series with the fewest calls into the `(other)` series of their server; among equals, those with the oldest last
 * call come first. @param kept series that must not be merged @returns number of merged series
 */
function displace(
  db: Database,
  wanted: number,
  kept: ReadonlyMap<string, number>,
  otherOf: (series: Pick<Series, 'server'>) => number,
): number {
  const stay = new Set(kept.values());
  const least = db
    .prepare(
      `SELECT id, server FROM tool_series LEFT JOIN tool_hours ON series = id WHERE ${NAMED}
       GROUP BY id ORDER BY coalesce(sum(calls), 0), max(last_at)`,
    )
    .all() as { id: number; server: string }[];
  const leaving = least.filter(({ id }) => !stay.has(id)).slice(0, wanted);
  const goesTo = new Map(leaving.map((series) => [series.id, otherOf(series)]));
  const hours: Hours = new Map();
  const rows = db.prepare(`SELECT hour, series, ${FIELDS} FROM tool_hours`);
  for (const row of rows.iterate() as Iterable<Stored & { hour: number; series: number }>) {
    const other = goesTo.get(row.series);
    if (other !== undefined) addStored(sumAt(hours, row.hour, other), row);
  }
  writeHours(db, hours);
  const forgetHours = db.prepare('DELETE FROM tool_hours WHERE series = ?');
  const forget = db.prepare('DELETE FROM tool_series WHERE id = ?');
  for (const { id } of leaving) {
    forgetHours.run(id);
    forget.run(id);
  }
  return leaving.length;
}

function addCall(
  sum: Sum,
  { at, durationMs, outcome, isToolError, bytesIn = 0, bytesOut = 0 }: AuditEntry,
): void {
  sum.calls += 1;
  if (isToolError) sum.toolErrors += 1;
  if (isError({ outcome, durationMs })) sum.errors += 1;
  if (isTimed({ outcome, durationMs })) addTo(sum.times, stepOf(durationMs), 1);
  sum.bytesIn += bytesIn;
  sum.bytesOut += bytesOut;
  sum.lastAt = Math.max(sum.lastAt, Math.trunc(at));
}

function addStored(sum: Sum, { times, lastAt, ...counts }: Stored): void {
  sum.calls += counts.calls;
  sum.toolErrors += counts.toolErrors;
  sum.errors += counts.errors;
  sum.bytesIn += counts.bytesIn;
  sum.bytesOut += counts.bytesOut;
  sum.lastAt = Math.max(sum.lastAt, lastAt);
  for (const [step, calls] of JSON.parse(times) as [number, number][]) addTo(sum.times, step, calls);
}

const addTo = (times: Map<number, number>, step: number, calls: number): void =>
  void times.set(step, (times.get(step) ?? 0) + calls);

/** Columns by which calls are grouped, for each kind of grouping. */
const keys: Readonly<Record<CallUsageKey, readonly ('server' | 'tool' | 'client')[]>> = {
  tool: ['server', 'tool'],
  client: ['client'],
  server: ['server'],
  each: ['server', 'tool', 'client'],
};

/** Returns the calls of a span by tool, client or server, the most called first. */
export function readCallUsage(db: Database, { from, to, by, server }: CallUsageQuery): CallUsage {
  const [first, end] = [Math.floor(from / HOUR_MS), Math.ceil(to / HOUR_MS)];
  const rows = db
    .prepare(
      `SELECT server, tool, client, ${FIELDS} FROM tool_hours JOIN tool_series ON id = series WHERE hour >= ? AND hour < ? AND server = coalesce(?, server)`,
    )
    .iterate(first, end, server ?? null) as Iterable<Stored & Record<'server' | 'tool' | 'client', string>>;
  const found = new Map<
    string,
    { readonly names: Partial<CallUsageRow>; readonly clients: Set<string>; readonly sum: Sum }
  >();
  for (const row of rows) {
    const key = JSON.stringify(keys[by].map((field) => row[field]));
    const names = () => Object.fromEntries(keys[by].map((field) => [field, row[field]]));
    const known = found.get(key) ?? { names: names(), clients: new Set(), sum: nothing() };
    found.set(key, known);
    known.clients.add(row.client);
    addStored(known.sum, row);
  }
  return {
    from: first * HOUR_MS,
    to: end * HOUR_MS,
    rows: [...found.values()]
      .map(({ names, clients, sum: { times, ...sum } }) => ({
        ...{ ...names, clients: clients.size, ...sum },
        ...(times.size > 0 && { p50Ms: percentile(times, 0.5), p95Ms: percentile(times, 0.95) }),
      }))
      .toSorted((one, other) => other.calls - one.calls),
  };
}

/** Returns the duration that the given share of the calls did not exceed. */
function percentile(times: ReadonlyMap<number, number>, share: number): number {
  const total = [...times.values()].reduce((sum, calls) => sum + calls, 0);
  let seen = 0;
  for (const [step, calls] of [...times].sort(([one], [other]) => one - other)) {
    seen += calls;
    if (seen >= total * share) return msOf(step);
  }
  return 0;
}
