import { KEPT_MS } from '../../../../shared/retention.ts';
import type { SeriesReply } from '../../../../shared/history.ts';
import { bucketSpan, type BucketSpan } from '../../../../shared/buckets.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../../shared/units.ts';

/** A resolution that is kept for longer than single samples. Its figures are merged from samples, never from another level. */
export interface Level {
  /** Id stored in the file. */
  readonly id: number;
  readonly resolution: 'minute' | 'quarter-hour';
  /** Milliseconds that one record covers. */
  readonly stepMs: number;
  /** Number of records in one row. Together they take about 700 bytes, so that a page of the database contains five rows. */
  readonly stepsInBlock: number;
  /**
   * Interval in ms at which samples are merged into rows. It is longer than necessary for fewer writes, because each merge
   * writes a page per server. It is a multiple of `stepMs`.
   */
  readonly rollEveryMs: number;
  readonly keptMs: number;
}

const MINUTES: Level = {
  id: 1,
  resolution: 'minute',
  stepMs: MINUTE_MS,
  stepsInBlock: 30,
  rollEveryMs: 5 * MINUTE_MS,
  keptMs: 7 * DAY_MS,
};
export const QUARTERS: Level = {
  id: 2,
  resolution: 'quarter-hour',
  stepMs: 15 * MINUTE_MS,
  stepsInBlock: 24,
  rollEveryMs: 15 * MINUTE_MS,
  keptMs: KEPT_MS,
};
/** The stored resolutions, from the finest to the coarsest. */
export const LEVELS = [MINUTES, QUARTERS] as const;

/** Retention of events, limit changes and app runs; the same as that of the coarsest level. */
export const EVENTS_KEPT_MS = QUARTERS.keptMs;
/** Minimum retention of single samples in ms. Exceeds an hour, because a page needs some time to query "the last hour". */
export const LOOKS_KEPT_MS = HOUR_MS + MINUTE_MS;
/**
 * Maximum number of sample rows. The retention contains 3721 rows: one per second, and at most one more per minute if calls
 * come before the first sample of the minute.
 */
export const MAX_LOOKS = 4000;

export const blockMs = ({ stepMs, stepsInBlock }: Level): number => stepMs * stepsInBlock;

/** Row ids reserved per series in a level, to keep its rows adjacent. 2 ** 24 blocks of half an hour reach to the year 2926. */
const BLOCKS = 2 ** 24;
const SERIES = 2 ** 20;

/** Returns the row id of the block with this number, counted from 1970. Below 2 ** 46. */
export const blockRow = (level: Level, series: number, block: number): number =>
  (level.id * SERIES + series) * BLOCKS + Math.min(Math.max(block, 0), BLOCKS - 1);
export const blockOfRow = (row: number): number => row % BLOCKS;

export interface Resolution {
  readonly span: BucketSpan;
  readonly resolution: SeriesReply['resolution'];
  /** Level to read; undefined for single samples. */
  readonly level: Level | undefined;
}

interface Wanted {
  readonly from: number;
  readonly to: number;
  readonly maxBuckets: number;
}

/**
 * Chooses the buckets and their source. The buckets are no shorter than the steps of the finest figures that cover the whole
 * span. The source is the coarsest level whose steps fill whole buckets, because it gives the same result as a finer one with
 * fewer records.
 */
export function resolutionOf(
  { maxBuckets, ...wanted }: Wanted,
  now: number,
  finestMs = SECOND_MS,
): Resolution {
  const span = bucketSpan(wanted, maxBuckets, Math.max(finestMs, keptOf(wanted.from, now)));
  const level = LEVELS.findLast(({ stepMs }) => span.stepMs % stepMs === 0);
  return { span, level, resolution: level?.resolution ?? 'sample' };
}

function keptOf(from: number, now: number): number {
  if (from >= now - LOOKS_KEPT_MS) return SECOND_MS;
  const kept = LEVELS.find(({ keptMs, stepMs }) => from >= now - keptMs - stepMs);
  return (kept ?? LEVELS.at(-1)!).stepMs;
}
