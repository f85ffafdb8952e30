import { useElementSize, useViewportSize } from '@mantine/hooks';
import { useMemo, type ReactNode } from 'react';
import type { PanelEvent, Sample } from '../../shared/domain.ts';
import { useHistoryFills, useNow, useServices } from '../store/services.ts';
import { ChartReadout } from './chart-readout.tsx';
import { chartFigures, heightIn, type ChartFigure } from './chart-figures.ts';
import { peakOf, toChartRows, type ChartRows, type TimeWindow } from './downsample.ts';
import { StripChart } from './strip-chart.tsx';
import { bucketMsFor, windowEndingAt } from './time-axis.ts';
import { MARK_LANE_PX, TIME_AXIS_PX, TimeGrid, TimeOverlay } from './time-overlay.tsx';
import styles from './chart-stack.module.css';

interface ChartStackProps {
  readonly server: string;
  readonly sample: Sample | undefined;
  /** Of this server, oldest first. */
  readonly events: readonly PanelEvent[];
  readonly spanMs: number;
  /** What stands in the corner, left of the event marks. */
  readonly children: ReactNode;
}

/** The charts of one server under each other on one time axis, with one cursor and the events through all of them. */
export function ChartStack({ server, sample, events, spanMs, children }: ChartStackProps) {
  const { ref, width } = useElementSize();
  const { height: windowHeight } = useViewportSize();
  const bucketMs = bucketMsFor(spanMs);
  const to = useNow((now) => windowEndingAt(now, spanMs, bucketMs).to);
  const window = useMemo(() => ({ from: to - spanMs, to }), [to, spanMs]);
  const curves = useCurves(server, window, bucketMs);
  const height =
    MARK_LANE_PX +
    TIME_AXIS_PX +
    chartFigures.reduce((sum, figure) => sum + heightIn(figure, windowHeight), 0);

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
              server={server}
              latest={sample === undefined ? undefined : figure.pick(sample)}
              curve={{ rows: data.rows, bucketMs }}
            />
          </div>
        ))}
      </div>
      <div ref={ref} className={styles.plots} style={{ height, paddingTop: MARK_LANE_PX }}>
        {width > 0 && (
          <>
            <TimeGrid window={window} width={width} height={height} />
            {curves.map(({ figure, data }) => (
              <div
                key={figure.id}
                className={styles.plot}
                role="img"
                aria-label={describeCurve(figure, data, sample)}
              >
                <StripChart
                  figure={figure}
                  data={data}
                  axis={figure.axisFor(peakOf(data.rows))}
                  window={window}
                  width={width}
                  height={heightIn(figure, windowHeight)}
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
}

function useCurves(server: string, window: TimeWindow, bucketMs: number): readonly Curve[] {
  const { history } = useServices();
  const fills = useHistoryFills(server);
  return useMemo(() => {
    // Stands for the ring, which changes in place; between fills the window moves on with every bucket.
    void fills;
    const samples = history.since(server, window.from);
    return chartFigures.map((figure) => ({
      figure,
      data: toChartRows(samples, figure.pick, window, bucketMs),
    }));
  }, [history, server, window, bucketMs, fills]);
}

function describeCurve(figure: ChartFigure, data: ChartRows, sample: Sample | undefined): string {
  const latest = figure.format(sample === undefined ? undefined : figure.pick(sample));
  return `${figure.title} over time: latest ${latest}, peak ${figure.format(peakOf(data.rows))}`;
}
