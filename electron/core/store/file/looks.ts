import { historyMetrics } from '../../../../shared/history.ts';
import { KEPT_PER_MS, ONE_LOOK, sampleFigures, type Figures, type Stat } from '../figures.ts';
import type { Batch, CallsMessage, LookMessage } from '../store-messages.ts';
import type { FigureRecord } from './records.ts';
import type { SeriesNames } from './series-names.ts';

/** A row of the file: all that was measured at one moment. The key of a record is the number of its series. */
export interface Look {
  readonly at: number;
  readonly records: readonly FigureRecord[];
}

/** What a batch brings to the file. */
export interface BatchRows {
  /** A row for each look at the servers. Calls stand in the last row of their minute, so that a second of work is one row. */
  readonly looks: readonly Look[];
  /** Calls of minutes that no look of the batch is in, a row for each minute. */
  readonly calls: readonly Look[];
}

export function rowsOf({ looks, calls }: Batch, names: SeriesNames): BatchRows {
  const rows: Look[] = looks.map((look) => ({
    at: Math.trunc(look.at),
    // Looks are counted because what a server used on average depends on how often nobody found it running.
    records: [...samplesOf(look, names), { key: names.idOf('looks', ''), figures: ONE_LOOK }],
  }));
  for (const call of calls) {
    const records = [{ key: names.idOf('calls', call.server, call.client), figures: callFigures(call) }];
    const at = Math.trunc(call.at);
    const index = rows.findLastIndex((row) => isSameMinute(row.at, at));
    if (index === -1) rows.push({ at, records });
    else rows[index] = { at: rows[index]!.at, records: [...rows[index]!.records, ...records] };
  }
  return { looks: rows.slice(0, looks.length), calls: rows.slice(looks.length) };
}

/** Calls are told by the minute: within one it does not matter when they were. */
export const isSameMinute = (one: number, other: number): boolean => minuteOf(one) === minuteOf(other);

const minuteOf = (at: number): number => Math.floor(at / 60_000);

function samplesOf({ servers, values }: LookMessage, names: SeriesNames): readonly FigureRecord[] {
  const width = historyMetrics.length;
  return servers.map((server, index) => ({
    key: names.idOf('server', server),
    figures: sampleFigures(values.subarray(index * width, (index + 1) * width)),
  }));
}

function callFigures({ calls, errors, timed, minMs, sumMs, maxMs }: CallsMessage): Figures {
  const failed: Stat = { count: calls, min: errors === calls ? 1 : 0, sum: errors, max: errors > 0 ? 1 : 0 };
  if (timed === 0) return [failed];
  const [min, max] = [Math.round(minMs * KEPT_PER_MS), Math.round(maxMs * KEPT_PER_MS)];
  // Rounding must not bring the sum below what so many of the least would be.
  const sum = Math.min(Math.max(Math.round(sumMs * KEPT_PER_MS), timed * min), timed * max);
  return [failed, { count: timed, min, sum, max }];
}
