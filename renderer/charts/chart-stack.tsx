import { useViewportSize } from '@mantine/hooks';
import { useMemo, useState } from 'react';
import type { PanelEvent, ServerView } from '../../shared/domain.ts';
import type { CallSeriesReply, SpanTotal } from '../../shared/history.ts';
import { formatCallDuration, formatCallRate, perSecondWords, recentCallsOf } from '../format/call-figures.ts';
import { formatSpan } from '../format/durations.ts';
import { changeWords } from '../format/figures.ts';
import { type CallCurve, latestP50Of } from './call-curves.ts';
import { linesAt } from './chart-cursor.ts';
import { ChartReadout } from './chart-readout.tsx';
import { type FigureLook, figuresOf, heightIn } from './figures.ts';
import { CurvePlots } from './curve-plots.tsx';
import { peakOf, type TimeWindow } from './downsample.ts';
import { SpanBar } from './span-bar.tsx';
import { StackTools } from './table.tsx';
import { MARK_LANE_PX } from './time-grid.tsx';
import type { SampleCurve } from './series.ts';
import { usePastEvents } from './use-past-events.ts';
import type { SpanWindow } from './use-span-window.ts';
import { type averagesOf, useComparedStack } from './use-compared.ts';
import { type Stack, useStack } from './use-stack.ts';
import { useNow, useView } from '../services.ts';
import type { ErrorReport } from '../../shared/error-codes.ts';
import { formatDay } from '../format/moments.ts';
import { ErrorNote } from '../ui/error-note.tsx';
import { TextButton } from '../ui/text-button.tsx';
import { DAY_MS, HOUR_MS, SECOND_MS } from '../../shared/units.ts';

interface ChartStackProps {
  readonly server: ServerView;
  /** Events of this server, and events that belong to no particular server, oldest first, as the main process sent them. */
  readonly events: readonly PanelEvent[];
  readonly shown: SpanWindow;
}

/** Number of charts above those of the calls: memory and CPU. A remote server has only one, the round trip. */
const FIGURES_ABOVE_CALLS = 2;

type ShownCurve = SampleCurve | CallCurve;

const inOrder = (sampled: readonly SampleCurve[], called: readonly CallCurve[]) => [
  ...sampled.slice(0, FIGURES_ABOVE_CALLS),
  ...called,
  ...sampled.slice(FIGURES_ABOVE_CALLS),
];

/** Style of a note below the charts. Its left edge is that of the plots, to the right of the readouts and the value axis. */
const NOTE = 'pt-2 pr-16 pb-4 pl-206 text-12 text-dim';

/** Charts of one server, stacked over a shared time axis, with the latest values beside them. */
export function ChartStack({ server, events: live, shown }: ChartStackProps) {
  const { name } = server;
  const { window, control, liveMs } = shown;
  const { height: windowHeight } = useViewportSize();
  const { events, hasMore } = usePastEvents(name, live, window);
  const figures = figuresOf(server.transport, server.host);
  const stack = useStack({ server, figures, window, events, isWhole: true });
  const { curves: sampled, called, absences, bucketMs } = stack;
  const { withCompared, averages } = useComparedStack({ server, figures, window, events, stack });
  const curves = useMemo(() => inOrder(sampled, called).map(withCompared), [sampled, called, withCompared]);
  const [drawn, setDrawn] = useState<HTMLDivElement | null>(null);
  const heightOf = (figure: FigureLook) => heightIn(figure, windowHeight);
  const isLive = liveMs !== undefined;
  const isEmpty = stack.isKnown && curves.every(({ data }) => data.rows.length === 0);

  return (
    <>
      <SpanBar {...shown} server={name} canCompare bucketMs={bucketMs > SECOND_MS ? bucketMs : undefined}>
        <StackTools server={name} {...{ curves, bucketMs, window, drawn }} />
      </SpanBar>
      <HistoryNote
        server={name}
        window={window}
        isEmpty={isEmpty}
        reachesBack={stack.isKnown && !stack.isCovered}
        error={stack.error}
        onAgain={stack.askAgain}
      />
      <div ref={setDrawn} className="flex pl-16">
        <div className="flex-none w-128" style={{ paddingTop: MARK_LANE_PX }}>
          {curves.map((curve) => (
            <div key={curve.figure.id} style={{ height: heightOf(curve.figure) }}>
              <Readout {...{ curve, server, stack, averages, window, isLive }} />
            </div>
          ))}
        </div>
        <div className="min-w-0 flex-1">
          <CurvePlots
            server={name}
            cursorName={`Time cursor of ${name}`}
            control={control}
            curves={curves}
            window={window}
            events={events}
            absences={absences}
            bucketMs={bucketMs}
            heightOf={heightOf}
            describe={(curve) => describe(curve, server, stack, isLive)}
          />
        </div>
      </div>
      {hasMore && <p className={NOTE}>Marks show only the newest events; this time has older ones, too.</p>}
      {stack.hourOfCalls !== undefined && called.length === 0 && !isEmpty && (
        <p className={NOTE}>{noCallsWords(stack.hourOfCalls, isLive)}</p>
      )}
    </>
  );
}

/** Returns the text of a curve for screen readers. */
function describe(curve: ShownCurve, server: ServerView, stack: Stack, isLive: boolean): string {
  const calls = curve.figure.id === 'calls' ? recentCallsOf(server)?.calls : undefined;
  const rate = calls === undefined ? '' : ` (${perSecondWords(calls)})`;
  const facts = [
    `latest ${latestOf(curve, server, stack)}${rate}`,
    ...(isOfCalls(curve)
      ? curve.told
      : [peakWords(curve, server, stack, isLive), curve.limits.at(-1)?.words]),
  ];
  return `${curve.figure.title} over time: ${facts.filter((words) => words !== undefined).join(', ')}`;
}

interface ReadoutProps {
  readonly curve: ShownCurve;
  readonly server: ServerView;
  readonly stack: Stack;
  /** Averages of the figures in the compared time, such as last week. */
  readonly averages: ReturnType<typeof averagesOf>;
  readonly window: TimeWindow;
  readonly isLive: boolean;
}

/** Latest value of a curve and its peak or summary over the time window. */
function Readout({ curve, server, stack, averages, window, isLive }: ReadoutProps) {
  const told = isOfCalls(curve)
    ? curve.told
    : [peakWords(curve, server, stack, isLive), averageWords(curve, stack, averages)];
  return (
    <ChartReadout
      figure={curve.figure}
      server={server.name}
      latest={latestOf(curve, server, stack)}
      linesAt={(cursorAt) =>
        cursorAt === undefined
          ? ofWindow(
              window,
              told.filter((words) => words !== undefined),
            )
          : linesAt(cursorAt, curve, { ...stack, window })
      }
    />
  );
}

const isOfCalls = (curve: ShownCurve): curve is CallCurve => 'told' in curve;

/** Returns a curve's latest value as text; for durations, the p50 of the last minute with calls: an old one beats none. */
function latestOf(curve: ShownCurve, server: ServerView, { hourOfCalls }: Stack): string {
  if (!isOfCalls(curve)) return curve.figure.format(server.sample?.[curve.figure.metric]);
  return curve.figure.id === 'calls'
    ? formatCallRate(recentCallsOf(server)?.calls)
    : `p50 ${formatCallDuration(latestP50Of(hourOfCalls))}`;
}

/** Returns the peak and average of a figure over the time window; undefined until they have been loaded. */
const totalOf = ({ totals }: Stack, { figure }: SampleCurve): SpanTotal | undefined =>
  totals.find(({ server, metric }) => server !== null && metric === figure.metric);

/**
 * Returns the text of the peak in the time window. It is taken from the totals that the history computes, so that all views
 * show the same peak, or from the curve's rows until the totals are loaded. In a live time window the latest value is also
 * taken into account, because the readout shows it beside the peak, and it may be newer than totals and rows.
 */
function peakWords(curve: SampleCurve, { sample }: ServerView, stack: Stack, isLive: boolean): string {
  const { figure, data } = curve;
  const latest = isLive ? sample?.[figure.metric] : undefined;
  const total = totalOf(stack, curve);
  return `peak ${figure.format(total === undefined ? peakOf(data.rows, latest) : Math.max(total.peak, latest ?? 0))}`;
}

function averageWords(
  curve: SampleCurve,
  stack: Stack,
  averages: ReturnType<typeof averagesOf>,
): string | undefined {
  const { metric, format } = curve.figure;
  const total = totalOf(stack, curve);
  if (total === undefined) return undefined;
  const change = changeWords(total.average, averages[metric]);
  return `avg ${format(total.average)}${change === undefined ? '' : ` (${change})`}`;
}

/**
 * Adds the length of the time window to the beginning of the first line, such as "7 d: peak 215 MiB". Without it, the line
 * could be mistaken for part of the latest value above it.
 */
const ofWindow = ({ from, to }: TimeWindow, lines: readonly string[]): readonly string[] =>
  lines.map((words, index) => (index === 0 ? `${formatSpan(roundedMs(to - from))}: ${words}` : words));

/** Returns the length of a time span, rounded to whole days if it is two days or longer. */
const roundedMs = (ms: number): number => (ms < 2 * DAY_MS ? ms : Math.round(ms / DAY_MS) * DAY_MS);

const noCallsWords = ({ buckets }: CallSeriesReply, isLive: boolean): string =>
  buckets.length === 0 && isLive
    ? 'No calls in this hour. Their number and duration are drawn here.'
    : 'No calls in the time shown.';

/** Tolerance in ms for deciding if a window begins over an hour ago: a live window of the last hour may begin a bit earlier. */
const LIVE_STEP_MS = 60_000;

interface HistoryNoteProps {
  readonly server: string;
  readonly window: TimeWindow;
  /** Whether the time window has no rows, as far as the page has loaded them. */
  readonly isEmpty: boolean;
  /** Whether the time window begins before the oldest loaded sample. */
  readonly reachesBack: boolean;
  readonly error: ErrorReport | undefined;
  readonly onAgain: () => void;
}

/** Reason why the charts show less than requested: an error, history kept only in memory, or no data kept for that time. */
function HistoryNote({ server, window, isEmpty, reachesBack, error, onAgain }: HistoryNoteProps) {
  // A history in memory also covers the last hour, so a note is needed only for time windows that begin earlier.
  const isLongAgo = useNow((now) => window.from < now - HOUR_MS - LIVE_STEP_MS) && reachesBack;
  const kept = useView((state) => state.kept);
  if (error !== undefined) {
    return (
      <div className="flex items-start gap-8 px-16 pb-4">
        <ErrorNote error={error} server={server} lead="The history could not be read" />
        <TextButton onClick={onAgain}>Try again</TextButton>
      </div>
    );
  }
  const words = [
    isEmpty ? emptyWords(window, isLongAgo ? kept?.oldestAt : undefined) : undefined,
    isLongAgo && kept?.keptIn === 'memory' ? memoryWords(kept.problem) : undefined,
  ].filter((part) => part !== undefined);
  return words.length === 0 ? null : (
    <p className={NOTE} role="note">
      {words.join(' ')}
    </p>
  );
}

const emptyWords = ({ to }: TimeWindow, oldestAt: number | undefined): string =>
  oldestAt !== undefined && oldestAt >= to
    ? `There is no data for this time: the history begins on ${formatDay(oldestAt)}.`
    : 'Nothing was measured in this time.';

const memoryWords = (problem: string | undefined): string =>
  `Only the last hour since the panel started is available, because the history is kept in memory${problem === undefined ? '.' : `: ${problem}`}`;
