import type { Sample } from '../../shared/domain.ts';

/** One point of a curve. All three figures are null where the data has a gap. */
export interface ChartRow {
  readonly at: number;
  readonly average: number | null;
  readonly least: number | null;
  readonly most: number | null;
}

export interface ChartRows {
  readonly rows: readonly ChartRow[];
  /** True once a row stands for several samples, so that the band between least and most says something. */
  readonly isBanded: boolean;
}

export interface TimeWindow {
  readonly from: number;
  readonly to: number;
}

export type PickFigure = (sample: Sample) => number | undefined;

/** Silence of this many intervals is a gap; fewer may be one late sample. */
const GAP_INTERVALS = 3;
/** Shorter silences are never a gap: the sampler itself slows from 1 s to 5 s when the window is hidden. */
const SHORTEST_GAP_MS = 6000;

/**
 * Rows for one curve from samples (oldest first) within the window: one row per bucket of `bucketMs`, a null row per gap.
 * Buckets lie on absolute time, so a row never changes its value only because the window moved on.
 */
export function toChartRows(
  samples: readonly Sample[],
  pick: PickFigure,
  window: TimeWindow,
  bucketMs: number,
): ChartRows {
  const rows: ChartRow[] = [];
  let bucket: Bucket | undefined;
  let previousAt: number | undefined;
  let intervalMs = SHORTEST_GAP_MS / GAP_INTERVALS;
  let isBanded = false;

  const close = () => {
    if (bucket === undefined) return;
    isBanded ||= bucket.count > 1;
    rows.push(toRow(bucket));
    bucket = undefined;
  };

  for (const sample of samples) {
    const figure = pick(sample);
    if (figure === undefined || sample.at < window.from || sample.at > window.to) continue;
    if (previousAt !== undefined) {
      const silenceMs = sample.at - previousAt;
      if (silenceMs > Math.max(SHORTEST_GAP_MS, GAP_INTERVALS * intervalMs)) {
        close();
        rows.push({ at: previousAt + silenceMs / 2, average: null, least: null, most: null });
      } else intervalMs = silenceMs;
    }
    previousAt = sample.at;
    const index = Math.floor(sample.at / bucketMs);
    if (bucket?.index !== index) close();
    bucket = addTo(bucket, index, sample.at, figure);
  }
  close();
  return { rows, isBanded };
}

/** The row nearest to an instant, or undefined when none is within `reachMs`. */
export function rowAt(rows: readonly ChartRow[], at: number, reachMs: number): ChartRow | undefined {
  let nearest: ChartRow | undefined;
  for (const row of rows) {
    if (row.average === null || Math.abs(row.at - at) > reachMs) continue;
    if (nearest === undefined || Math.abs(row.at - at) < Math.abs(nearest.at - at)) nearest = row;
  }
  return nearest;
}

/** The greatest figure of a curve, or undefined without any. */
export function peakOf(rows: readonly ChartRow[]): number | undefined {
  let peak: number | undefined;
  for (const { most } of rows) if (most !== null && (peak === undefined || most > peak)) peak = most;
  return peak;
}

interface Bucket {
  readonly index: number;
  atSum: number;
  sum: number;
  count: number;
  least: number;
  most: number;
}

function addTo(bucket: Bucket | undefined, index: number, at: number, figure: number): Bucket {
  if (bucket === undefined) return { index, atSum: at, sum: figure, count: 1, least: figure, most: figure };
  bucket.atSum += at;
  bucket.sum += figure;
  bucket.count += 1;
  bucket.least = Math.min(bucket.least, figure);
  bucket.most = Math.max(bucket.most, figure);
  return bucket;
}

function toRow({ atSum, sum, count, least, most }: Bucket): ChartRow {
  return { at: atSum / count, average: sum / count, least, most };
}
