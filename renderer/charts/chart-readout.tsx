import type { ReactNode } from 'react';
import { formatInstant } from '../format/moments.ts';
import { useView } from '../services.ts';
import { absenceAt, absenceWords, type Absence } from './absences.ts';
import type { CallCurve } from './call-curves.ts';
import type { FigureLook } from './chart-figures.ts';
import { bandWords } from './chart-cursor.ts';
import { averageOf, peakOf, rowAt, type ChartRows, type TimeWindow } from './downsample.ts';
import styles from './chart-stack.module.css';

/** A curve as drawn, for its figures in words. */
interface ReadCurve {
  readonly data: ChartRows;
  readonly bucketMs: number;
  readonly absences: readonly Absence[];
  readonly window: TimeWindow;
  /** Whether it goes up to now, so that the latest figure is one of it. */
  readonly isLive: boolean;
}

interface ChartReadoutProps {
  readonly figure: FigureLook;
  readonly server: string;
  readonly latest: number | undefined;
  /** Curve as drawn; without it, no peak is told. */
  readonly curve?: ReadCurve;
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

/** Height from which a strip has room for a line more. */
const ROOMY_PX = 80;

interface PeakOrCursorProps extends ReadCurve {
  readonly figure: FigureLook;
  readonly latest: number | undefined;
}

function PeakOrCursor({ figure, latest, ...curve }: PeakOrCursorProps) {
  const cursorAt = useView((state) => state.cursorAt ?? state.pinnedAt);
  const isRoomy = figure.heightPx >= ROOMY_PX;
  const lines =
    cursorAt === undefined
      ? [
          `peak ${figure.format(peakOf(curve.data.rows, curve.isLive ? latest : undefined))}`,
          ...(isRoomy && curve.data.rows.length > 0
            ? [`average ${figure.format(averageOf(curve.data.rows))}`]
            : []),
        ]
      : linesAt(cursorAt, figure, curve);
  return (isRoomy ? lines : lines.slice(0, 1)).map((words) => (
    <span key={words} className={styles.peak}>
      {words}
    </span>
  ));
}

/** What a curve shows at an instant; of several samples their average, and below it the least and the most. */
function linesAt(
  at: number,
  figure: FigureLook,
  { data, bucketMs, absences, window }: ReadCurve,
): readonly string[] {
  const when = formatInstant(at, window.to - window.from);
  const absence = absenceAt(absences, at);
  if (absence !== undefined) return [absenceWords[absence.reason]];
  // The row must lie within two buckets because beyond that the cursor stands in a gap.
  const row = rowAt(data.rows, at, bucketMs * 2);
  const value = figure.format(row?.average ?? undefined);
  const band = row && bandWords(row, data.isBanded, figure.format);
  if (band === undefined) return [`${value} at ${when}`];
  return figure.heightPx >= ROOMY_PX ? [`average ${value}`, band] : [`${value}, ${band}`];
}
