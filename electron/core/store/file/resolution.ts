import type { SeriesReply } from '../../../../shared/history.ts';
import { bucketSpan, type BucketSpan } from '../../../../shared/buckets.ts';
import { LEVELS, LOOKS_KEPT_MS, type Level } from './levels.ts';

const SECOND_MS = 1000;

export interface Resolution {
  readonly span: BucketSpan;
  readonly resolution: SeriesReply['resolution'];
  /** Undefined: single looks. */
  readonly level: Level | undefined;
}

export interface Wanted {
  readonly from: number;
  readonly to: number;
  readonly maxBuckets: number;
}

/**
 * Buckets no shorter than what is kept of the whole span, and what to make them of: the coarsest figures that fill whole
 * buckets, because they give the same as finer ones and there are fewer of them.
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
