import { useView } from '../store/services.ts';
import { formatClockTime } from '../format/moments.ts';
import type { ChartFigure } from './chart-figures.ts';
import { peakOf, rowAt, type ChartRows } from './downsample.ts';
import styles from './chart-stack.module.css';

interface ChartReadoutProps {
  readonly figure: ChartFigure;
  readonly server: string;
  readonly latest: number | undefined;
  readonly data: ChartRows;
  /** How far from a row the cursor may be and still read it. */
  readonly reachMs: number;
}

/** A chart in words: its title, the latest figure, and the peak, or what was at the cursor. */
export function ChartReadout({ figure, server, latest, data, reachMs }: ChartReadoutProps) {
  const cursorAt = useView((state) => state.cursorAt);
  const row = cursorAt === undefined ? undefined : rowAt(data.rows, cursorAt, reachMs);
  return (
    <div className={styles.readout}>
      <span className={styles.title}>{figure.title}</span>
      <span role="group" aria-label={`${figure.title} of ${server}`} className={styles.latest}>
        {figure.format(latest)}
      </span>
      <span className={styles.peak}>
        {cursorAt === undefined
          ? `peak ${figure.format(peakOf(data.rows))}`
          : `${figure.format(row?.average ?? undefined)} at ${formatClockTime(cursorAt)}`}
      </span>
    </div>
  );
}
