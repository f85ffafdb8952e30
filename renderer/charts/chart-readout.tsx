import type { ReactNode } from 'react';
import { formatClockTime } from '../format/moments.ts';
import { useView } from '../services.ts';
import type { CallCurve } from './call-curves.ts';
import type { FigureLook } from './chart-figures.ts';
import { peakOf, rowAt, type ChartRow } from './downsample.ts';
import styles from './chart-stack.module.css';

interface ChartReadoutProps {
  readonly figure: FigureLook;
  readonly server: string;
  readonly latest: number | undefined;
  /** What is drawn; nothing is said of a peak without it. */
  readonly curve?: { readonly rows: readonly ChartRow[]; readonly bucketMs: number };
}

/** A chart in words: its title, the latest figure, and the peak, or what was at the cursor. */
export function ChartReadout({ figure, server, latest, curve }: ChartReadoutProps) {
  return (
    <Readout figure={figure} server={server} latest={figure.format(latest)}>
      {curve !== undefined && <PeakOrCursor figure={figure} latest={latest} {...curve} />}
    </Readout>
  );
}

interface ReadoutProps {
  readonly figure: Pick<FigureLook, 'title' | 'meaning'>;
  readonly server: string;
  readonly latest: string;
  readonly children: ReactNode;
}

function Readout({ figure: { title, meaning }, server, latest, children }: ReadoutProps) {
  return (
    <div className={styles.readout}>
      <span className={styles.title} {...(meaning !== undefined && { 'data-tip': meaning })}>
        {title}
      </span>
      <span role="group" aria-label={`${title} of ${server}`} className={styles.latest}>
        {latest}
      </span>
      {children}
    </div>
  );
}

interface CallReadoutProps {
  readonly curve: CallCurve;
  readonly server: string;
  readonly latest: string;
}

/** The same of calls: what there was in the window, or in the minute at the cursor. */
export function CallReadout({ curve, server, latest }: CallReadoutProps) {
  const cursorAt = useView((state) => state.cursorAt);
  return (
    <Readout figure={curve.figure} server={server} latest={latest}>
      <span className={styles.peak}>{cursorAt === undefined ? curve.told : curve.at(cursorAt)}</span>
    </Readout>
  );
}

interface PeakOrCursorProps {
  readonly figure: FigureLook;
  readonly latest: number | undefined;
  readonly rows: readonly ChartRow[];
  readonly bucketMs: number;
}

function PeakOrCursor({ figure, latest, rows, bucketMs }: PeakOrCursorProps) {
  const cursorAt = useView((state) => state.cursorAt);
  // Within two rows: beyond that the cursor stands in a gap.
  const row = cursorAt === undefined ? undefined : rowAt(rows, cursorAt, bucketMs * 2);
  return (
    <span className={styles.peak}>
      {cursorAt === undefined
        ? `peak ${figure.format(peakOf(rows, latest))}`
        : `${figure.format(row?.average ?? undefined)} at ${formatClockTime(cursorAt)}`}
    </span>
  );
}
