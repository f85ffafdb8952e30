import { useElementSize, useViewportSize } from '@mantine/hooks';
import { useMemo, type ReactNode } from 'react';
import type { PanelEvent, Sample, ServerView } from '../../shared/domain.ts';
import { useHistoryFills, useNow, useServices } from '../store/services.ts';
import { absencesOf } from './absences.ts';
import { ChartReadout } from './chart-readout.tsx';
import { axisWithin, figuresOf, heightIn, type ChartFigure, type ChartLimit } from './chart-figures.ts';
import { peakOf, toChartRows, type ChartRows, type TimeWindow } from './downsample.ts';
import { StripChart } from './strip-chart.tsx';
import { bucketMsFor, windowEndingAt } from './time-axis.ts';
import type { ValueAxis } from './value-axis.ts';
import { MARK_LANE_PX, TIME_AXIS_PX, TimeGrid, TimeOverlay } from './time-overlay.tsx';
import styles from './chart-stack.module.css';

interface ChartStackProps {
  readonly server: ServerView;
  /** Of this server, oldest first. */
  readonly events: readonly PanelEvent[];
  readonly spanMs: number;
  /** What stands in the corner, left of the event marks. */
  readonly children: ReactNode;
}

/** The charts of one server under each other on one time axis, with one cursor and the events through all of them. */
export function ChartStack({ server, events, spanMs, children }: ChartStackProps) {
  const { name, sample } = server;
  const { ref, width } = useElementSize();
  const { height: windowHeight } = useViewportSize();
  const bucketMs = bucketMsFor(spanMs);
  const to = useNow((now) => windowEndingAt(now, spanMs, bucketMs).to);
  const window = useMemo(() => ({ from: to - spanMs, to }), [to, spanMs]);
  const absences = useMemo(() => absencesOf(events), [events]);
  const curves = useCurves(server, window, bucketMs, absences);
  const height =
    MARK_LANE_PX +
    TIME_AXIS_PX +
    figuresOf(server.transport).reduce((sum, figure) => sum + heightIn(figure, windowHeight), 0);

  return (
    <div className={styles.stack}>
      <div className={styles.readouts}>
        <div className={styles.lane} style={{ height: MARK_LANE_PX }}>
          {children}
        </div>
        {curves.map(({ figure, data }) => (
          <div key={figure.id} style={{ height: heightIn(figure, windowHeight) }}>
            <ChartReadout
              figure={figure}
              server={name}
              latest={sample === undefined ? undefined : figure.pick(sample)}
              curve={{ rows: data.rows, bucketMs }}
            />
          </div>
        ))}
      </div>
      <div ref={ref} className={styles.plots} style={{ height, paddingTop: MARK_LANE_PX }}>
        {width > 0 && (
          <>
            <TimeGrid window={window} width={width} height={height} absences={absences} />
            {curves.map((curve) => (
              <div
                key={curve.figure.id}
                className={styles.plot}
                role="img"
                aria-label={describeCurve(curve, sample)}
              >
                <StripChart
                  {...curve}
                  window={window}
                  width={width}
                  height={heightIn(curve.figure, windowHeight)}
                />
              </div>
            ))}
            <TimeOverlay events={events} window={window} width={width} height={height} />
          </>
        )}
      </div>
    </div>
  );
}

interface Curve {
  readonly figure: ChartFigure;
  readonly data: ChartRows;
  readonly limit: ChartLimit | undefined;
  readonly axis: ValueAxis;
}

function useCurves(
  { name, limits, transport }: ServerView,
  window: TimeWindow,
  bucketMs: number,
  absences: readonly TimeWindow[],
): readonly Curve[] {
  const { history } = useServices();
  const fills = useHistoryFills(name);
  // One by one, since every push brings them in a new object.
  const { maxMemoryMiB, maxCpuPercent, maxOpenFiles } = limits;
  return useMemo(() => {
    // Stands for the ring, which changes in place; between fills the window moves on with every bucket.
    void fills;
    const samples = history.since(name, window.from);
    return figuresOf(transport).map((figure) => {
      const rules = { absences, isSparse: figure.isSparse === true };
      const data = toChartRows(samples, figure.pick, window, bucketMs, rules);
      const limit = figure.limit?.({ maxMemoryMiB, maxCpuPercent, maxOpenFiles });
      return { figure, data, limit, axis: axisWithin(figure, peakOf(data.rows), limit) };
    });
  }, [
    history,
    name,
    window,
    bucketMs,
    absences,
    fills,
    maxMemoryMiB,
    maxCpuPercent,
    maxOpenFiles,
    transport,
  ]);
}

function describeCurve({ figure, data, limit }: Curve, sample: Sample | undefined): string {
  const latest = figure.format(sample === undefined ? undefined : figure.pick(sample));
  const facts = [`latest ${latest}`, `peak ${figure.format(peakOf(data.rows))}`, limit?.words];
  return `${figure.title} over time: ${facts.filter((words) => words !== undefined).join(', ')}`;
}
