import type { ReactNode } from 'react';
import { formatClockTime } from '../format/moments.ts';
import { useView } from '../services.ts';
import type { CallCurve } from './call-curves.ts';
import type { FigureLook } from './chart-figures.ts';
import { averageOf, peakOf, rowAt, type ChartRow } from './downsample.ts';
import styles from './chart-stack.module.css';

interface ChartReadoutProps {
  readonly figure: FigureLook;
  readonly server: string;
  readonly latest: number | undefined;
  /** Curve as drawn; without it, no peak is told. */
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
  const cursorAt = useView((state) => state.cursorAt ?? state.pinnedAt);
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

/** Height from which a strip has room for a line more. */
const ROOMY_PX = 80;

function PeakOrCursor({ figure, latest, rows, bucketMs }: PeakOrCursorProps) {
  const cursorAt = useView((state) => state.cursorAt ?? state.pinnedAt);
  // The row must lie within two buckets because beyond that the cursor stands in a gap.
  const row = cursorAt === undefined ? undefined : rowAt(rows, cursorAt, bucketMs * 2);
  return (
    <>
      <span className={styles.peak}>
        {cursorAt === undefined
          ? `peak ${figure.format(peakOf(rows, latest))}`
          : `${figure.format(row?.average ?? undefined)} at ${formatClockTime(cursorAt)}`}
      </span>
      {figure.heightPx >= ROOMY_PX && rows.length > 0 && (
        <span className={styles.peak}>average {figure.format(averageOf(rows))}</span>
      )}
    </>
  );
}
