import { formatClockTime } from '../format/moments.ts';
import { useView } from '../services.ts';
import type { ChartFigure } from './chart-figures.ts';
import { peakOf, rowAt, type ChartRow } from './downsample.ts';
import styles from './chart-stack.module.css';

interface ChartReadoutProps {
  readonly figure: ChartFigure;
  readonly server: string;
  readonly latest: number | undefined;
  /** Curve as drawn; without it, no peak is told. */
  readonly curve?: { readonly rows: readonly ChartRow[]; readonly bucketMs: number };
}

/** A chart in words: its title, the latest figure, and the peak, or what was at the cursor. */
export function ChartReadout({ figure, server, latest, curve }: ChartReadoutProps) {
  return (
    <div className={styles.readout}>
      <span className={styles.title} {...(figure.meaning !== undefined && { 'data-tip': figure.meaning })}>
        {figure.title}
      </span>
      <span role="group" aria-label={`${figure.title} of ${server}`} className={styles.latest}>
        {figure.format(latest)}
      </span>
      {curve !== undefined && <PeakOrCursor figure={figure} latest={latest} {...curve} />}
    </div>
  );
}

interface PeakOrCursorProps {
  readonly figure: ChartFigure;
  readonly latest: number | undefined;
  readonly rows: readonly ChartRow[];
  readonly bucketMs: number;
}

function PeakOrCursor({ figure, latest, rows, bucketMs }: PeakOrCursorProps) {
  const cursorAt = useView((state) => state.cursorAt);
  // The row must lie within two buckets because beyond that the cursor stands in a gap.
  const row = cursorAt === undefined ? undefined : rowAt(rows, cursorAt, bucketMs * 2);
  return (
    <span className={styles.peak}>
      {cursorAt === undefined
        ? `peak ${figure.format(peakOf(rows, latest))}`
        : `${figure.format(row?.average ?? undefined)} at ${formatClockTime(cursorAt)}`}
    </span>
  );
}
