import { useViewportSize } from '@mantine/hooks';
import { useMemo, useState } from 'react';
import type { PanelEvent, ServerView } from '../../shared/domain.ts';
import type { CallSeriesReply, SpanTotal } from '../../shared/history.ts';
import { formatCallDuration, formatCallRate, recentCallsOf } from '../format/call-figures.ts';
import { describeCalls, latestP50Of, type CallCurve } from './call-curves.ts';
import { CallReadout, ChartReadout, peakIn } from './chart-readout.tsx';
import { figuresOf, heightIn, type FigureLook } from './figures.ts';
import { CurvePlots } from './curve-plots.tsx';
import type { TimeWindow } from './downsample.ts';
import { HistoryNote } from './history-note.tsx';
import { SpanBar } from './span-bar.tsx';
import { StackTools } from './table.tsx';
import { MARK_LANE_PX } from './time-grid.tsx';
import type { SampleCurve } from './series.ts';
import { usePastEvents } from './use-past-events.ts';
import type { SpanWindow } from './use-span-window.ts';
import type { averagesOf } from './use-compared.ts';
import { useComparedStack } from './use-compared-stack.ts';
import { useStack, type Stack } from './use-stack.ts';
import styles from './chart-stack.module.css';

interface ChartStackProps {
  readonly server: ServerView;
  /** Events of this server and of no particular server, oldest first, as the main process pushed them. */
  readonly events: readonly PanelEvent[];
  readonly shown: SpanWindow;
}

/** Number of figures drawn above the curves of calls: memory and CPU; a remote server has only the round trip. */
const FIGURES_ABOVE_CALLS = 2;
const SECOND_MS = 1000;

const inOrder = (sampled: readonly SampleCurve[], called: readonly CallCurve[]) => [
  ...sampled.slice(0, FIGURES_ABOVE_CALLS),
  ...called,
  ...sampled.slice(FIGURES_ABOVE_CALLS),
];

/** Charts of one server, stacked over one time axis, with the latest values beside them. */
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
      <div ref={setDrawn} className={styles.stack}>
        <div className={styles.readouts} style={{ paddingTop: MARK_LANE_PX }}>
          {curves.map((curve) => (
            <div key={curve.figure.id} style={{ height: heightOf(curve.figure) }}>
              <Readout {...{ curve, server, stack, averages, window, isLive }} />
            </div>
          ))}
        </div>
        <div className={styles.plotsFrame}>
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
      {hasMore && <p className={styles.note}>Marks stand for the newest events; this time has older ones.</p>}
      {stack.hourOfCalls !== undefined && called.length === 0 && !isEmpty && (
        <p className={styles.note}>{noCallsWords(stack.hourOfCalls, isLive)}</p>
      )}
    </>
  );
}

/** Text of a curve for screen readers. */
function describe(curve: SampleCurve | CallCurve, server: ServerView, stack: Stack, isLive: boolean): string {
  if (!isOfCalls(curve)) return describeCurve(curve, server, { isLive, total: totalOf(stack, curve) });
  return describeCalls(curve, latestCalls(curve, server, stack.hourOfCalls), recentCallsOf(server)?.calls);
}

interface ReadoutProps {
  readonly curve: SampleCurve | CallCurve;
  readonly server: ServerView;
  readonly stack: Stack;
  /** Averages of the compared time. */
  readonly averages: ReturnType<typeof averagesOf>;
  readonly window: TimeWindow;
  readonly isLive: boolean;
}

/** Latest value of a curve and its peak or summary over the time window. */
function Readout({ curve, server, stack, averages, window, isLive }: ReadoutProps) {
  const { name, sample } = server;
  if (isOfCalls(curve)) {
    const latest = latestCalls(curve, server, stack.hourOfCalls);
    return <CallReadout curve={curve} server={name} latest={latest} window={window} />;
  }
  const { absences, bucketMs } = stack;
  const total = totalOf(stack, curve);
  return (
    <ChartReadout
      figure={curve.figure}
      server={name}
      latest={sample?.[curve.figure.metric]}
      curve={{
        ...{ data: curve.data, compared: curve.compared, bucketMs, absences, window, isLive, total },
        averageBefore: averages[curve.figure.metric],
      }}
    />
  );
}

/** Peak and average of a figure over the time window; undefined until they have been loaded. */
const totalOf = ({ totals }: Stack, { figure }: SampleCurve): SpanTotal | undefined =>
  totals.find(({ server, metric }) => server !== null && metric === figure.metric);

const isOfCalls = (curve: SampleCurve | CallCurve): curve is CallCurve => 'told' in curve;

const noCallsWords = ({ buckets }: CallSeriesReply, isLive: boolean): string =>
  buckets.length === 0 && isLive
    ? 'No calls in this hour. How many there are, and how long they take, is drawn here.'
    : 'No calls in the time shown.';

/** Latest rate, or p50 of the last minute that had one, because an old duration says more than none. */
function latestCalls({ figure }: CallCurve, server: ServerView, calls: CallSeriesReply | undefined): string {
  return figure.id === 'calls'
    ? formatCallRate(recentCallsOf(server)?.calls)
    : `p50 ${formatCallDuration(latestP50Of(calls))}`;
}

function describeCurve(
  { figure, data, limits }: SampleCurve,
  { sample }: ServerView,
  { isLive, total }: { readonly isLive: boolean; readonly total: SpanTotal | undefined },
): string {
  const latest = sample?.[figure.metric];
  const peak = figure.format(peakIn(total, data.rows, isLive ? latest : undefined));
  const facts = [`latest ${figure.format(latest)}`, `peak ${peak}`, limits.at(-1)?.words];
  return `${figure.title} over time: ${facts.filter((words) => words !== undefined).join(', ')}`;
}
