import type { ReactNode } from 'react';
import type { SpanTotal } from '../../shared/history.ts';
import { formatSpan } from '../format/durations.ts';
import { formatInstant } from '../format/moments.ts';
import { useView } from '../services.ts';
import {
  absenceWords,
  type ChartRows,
  type Gap,
  knownGapAt,
  peakOf,
  rowAt,
  type TimeWindow,
} from './downsample.ts';
import type { CallCurve } from './call-curves.ts';
import type { FigureLook } from './figures.ts';
import { bandWords, comparedAt } from './chart-cursor.ts';
import type { ComparedCurve } from './series.ts';
import { changeWords } from '../format/figures.ts';
import { DAY_MS } from '../../shared/units.ts';

/** Data and time window of a curve as drawn, from which its readout is made. */
interface ReadCurve {
  readonly data: ChartRows;
  readonly bucketMs: number;
  readonly absences: readonly Gap[];
  readonly window: TimeWindow;
  /** Whether the time window reaches up to now, so that the latest value counts for the peak. */
  readonly isLive: boolean;
  /** Peak and average of the figure over the time window; undefined until they have been loaded. */
  readonly total: SpanTotal | undefined;
  readonly compared: ComparedCurve | undefined;
  /** Average of the compared time; undefined where there is none, or where it is not known well enough. */
  readonly averageBefore: number | undefined;
}

interface ChartReadoutProps {
  readonly figure: FigureLook;
  readonly server: string;
  readonly latest: number | undefined;
  /** Curve as drawn; if undefined, the readout has no peak. */
  readonly curve?: ReadCurve;
}

/** Readout of a chart: its title, the latest value, and either the peak or the value at the cursor. */
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
    <div className="flex flex-col pt-4 whitespace-nowrap">
      <span className="caption" {...(meaning !== undefined && { 'data-tip': meaning })}>
        {title} now
      </span>
      <span role="group" aria-label={`${title} of ${server}`} className="text-16/24 font-semibold">
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
  readonly window: TimeWindow;
}

/** Readout of a curve of calls: a summary of the time window, or the value at the cursor. */
export function CallReadout({ curve, server, latest, window }: CallReadoutProps) {
  const cursorAt = useView((state) => state.cursorAt ?? state.pinnedAt);
  return (
    <Readout figure={curve.figure} server={server} latest={latest}>
      <Lines
        lines={
          cursorAt === undefined
            ? ofWindow(window, curve.told)
            : besideCompared([curve.at(cursorAt)], curve, cursorAt, curve.bucketMs ?? 0)
        }
      />
    </Readout>
  );
}

/** Minimum height in px of a chart whose readout has room for a second line of text. */
const ROOMY_PX = 80;

interface PeakOrCursorProps extends ReadCurve {
  readonly figure: FigureLook;
  readonly latest: number | undefined;
}

function PeakOrCursor({ figure, latest, ...curve }: PeakOrCursorProps) {
  const cursorAt = useView((state) => state.cursorAt ?? state.pinnedAt);
  const lines =
    cursorAt === undefined
      ? ofWindow(curve.window, [
          `peak ${figure.format(peakIn(curve.total, curve.data.rows, curve.isLive ? latest : undefined))}`,
          ...(curve.total === undefined ? [] : [averageWords(figure, curve.total, curve.averageBefore)]),
        ])
      : besideCompared(linesAt(cursorAt, figure, curve), { figure, ...curve }, cursorAt, curve.bucketMs);
  return <Lines lines={figure.heightPx >= ROOMY_PX ? lines : lines.slice(0, 1)} />;
}

/** Lines at the cursor with that of the compared time; where there is room for one line, it has both values. */
function besideCompared(
  lines: readonly string[],
  curve: Pick<ReadCurve, 'data'> & Parameters<typeof comparedAt>[0],
  at: number,
  bucketMs: number,
): readonly string[] {
  const compared = comparedAt(curve, at, bucketMs);
  if (compared === undefined) return lines;
  const { figure, data } = curve;
  if (figure.heightPx >= ROOMY_PX) return [...lines, compared];
  return [`${figure.format(rowAt(data.rows, at, bucketMs * 2)?.average ?? undefined)} · ${compared}`];
}

function averageWords({ format }: FigureLook, { average }: SpanTotal, before: number | undefined): string {
  const change = changeWords(average, before);
  return `avg ${format(average)}${change === undefined ? '' : ` (${change})`}`;
}

const Lines = ({ lines }: { readonly lines: readonly string[] }) =>
  lines.map((words) => (
    <span key={words} className="text-12/16 text-faint">
      {words}
    </span>
  ));

/**
 * Lines of text with the length of the time window before the first, "7 d: peak 215 MiB", because the value above them is the
 * latest one.
 */
const ofWindow = ({ from, to }: TimeWindow, lines: readonly string[]): readonly string[] =>
  lines.map((words, index) => (index === 0 ? `${formatSpan(roundedMs(to - from))}: ${words}` : words));

/** A span that is told in whole days from two days on. */
const roundedMs = (ms: number): number => (ms < 2 * DAY_MS ? ms : Math.round(ms / DAY_MS) * DAY_MS);

/**
 * Peak of a time window: from the history's totals, so that all views agree, else from the rows. @param latest latest value,
 * which is shown beside the peak and may be newer than totals and rows
 */
export const peakIn = (
  total: SpanTotal | undefined,
  rows: ChartRows['rows'],
  latest?: number,
): number | undefined => (total === undefined ? peakOf(rows, latest) : Math.max(total.peak, latest ?? 0));

/** Lines of text for a curve at an instant; for several samples their average, and below it the minimum and maximum. */
function linesAt(
  at: number,
  figure: FigureLook,
  { data, bucketMs, absences, window }: ReadCurve,
): readonly string[] {
  const when = formatInstant(at, window.to - window.from);
  const absence = knownGapAt(absences, at);
  if (absence !== undefined) return [absenceWords[absence.reason]];
  // The row must lie within two buckets because beyond that the cursor stands in a gap.
  const row = rowAt(data.rows, at, bucketMs * 2);
  const value = figure.format(row?.average ?? undefined);
  const band = row && bandWords(row, data.isBanded, figure.format);
  if (band === undefined) return [`${value} at ${when}`];
  return figure.heightPx >= ROOMY_PX ? [`average ${value}`, band] : [`${value}, ${band}`];
}
