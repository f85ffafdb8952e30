import type { SeriesReply } from '../../../../shared/history.ts';
import { bucketSpan, type BucketSpan } from '../../../../shared/buckets.ts';
import { LEVELS, LOOKS_KEPT_MS, type Level } from './levels.ts';

const SECOND_MS = 1000;

export interface Resolution {
  readonly span: BucketSpan;
  readonly resolution: SeriesReply['resolution'];
  /** Level to read; undefined for single samples. */
  readonly level: Level | undefined;
}

export interface Wanted {
  readonly from: number;
  readonly to: number;
  readonly maxBuckets: number;
}

/**
 * Chooses buckets no shorter than the steps that cover the whole span, and their source: the coarsest figures that fill whole
 * buckets, because they give the same result as finer ones with fewer records.
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
