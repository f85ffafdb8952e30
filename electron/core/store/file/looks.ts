import { historyMetrics } from '../../../../shared/history.ts';
import { KEPT_PER_MS, ONE_LOOK, sampleFigures, type Figures, type Stat } from '../figures.ts';
import type { Batch, CallsMessage, LookMessage } from '../store-messages.ts';
import type { FigureRecord } from './records.ts';
import type { SeriesNames } from './series-names.ts';

/** A row of the file: all measurements of one point in time. The key of a record is the number of its series. */
export interface Look {
  readonly at: number;
  readonly records: readonly FigureRecord[];
}

/** Rows of one batch. */
interface BatchRows {
  /** One row for each sample of all servers. Calls are added to the last row of their minute: a second of activity is one row. */
  readonly looks: readonly Look[];
  /** Calls of minutes without a sample in the batch, one row for each minute. */
  readonly calls: readonly Look[];
}

export function rowsOf({ looks, calls }: Batch, names: SeriesNames): BatchRows {
  const rows: Look[] = looks.map((look) => ({
    at: Math.trunc(look.at),
    // Samples are counted, because the average use of a server includes the time when it was not running.
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

/** True if both times are in the same minute. Calls are only counted by the minute, so their exact time does not matter. */
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
  // Sum, minimum and maximum are rounded separately. The sum is limited, so that rounding cannot make it smaller than all calls
  // at their minimum or larger than all at their maximum.
  const sum = Math.min(Math.max(Math.round(sumMs * KEPT_PER_MS), timed * min), timed * max);
  return [failed, { count: timed, min, sum, max }];
}
