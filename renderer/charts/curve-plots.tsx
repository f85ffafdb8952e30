import { useElementSize } from '@mantine/hooks';
import type { PanelEvent } from '../../shared/domain.ts';
import type { FigureLook } from './chart-figures.ts';
import type { TimeWindow } from './downsample.ts';
import { StripChart } from './strip-chart.tsx';
import { MARK_LANE_PX, TIME_AXIS_PX, TimeGrid, TimeOverlay } from './time-overlay.tsx';
import type { ChartMark, Curve } from './use-curves.ts';
import styles from './chart-stack.module.css';

interface CurvePlotsProps<C extends Curve> {
  readonly curves: readonly C[];
  readonly window: TimeWindow;
  /** Oldest first. */
  readonly events: readonly PanelEvent[];
  readonly absences: readonly TimeWindow[];
  readonly bucketMs: number;
  readonly heightOf: (figure: FigureLook) => number;
  /** A curve in words, for whoever cannot see it. */
  readonly describe: (curve: C) => string;
}

const NO_MARKS: readonly ChartMark[] = [];

/** Curves under each other on one time axis, with one cursor and the events through all of them. */
export function CurvePlots<C extends Curve>(props: CurvePlotsProps<C>) {
  const { curves, window, events, absences, bucketMs, heightOf, describe } = props;
  const { ref, width } = useElementSize();
  const plotsHeight = curves.reduce((sum, { figure }) => sum + heightOf(figure), 0);
  const height = MARK_LANE_PX + TIME_AXIS_PX + plotsHeight;
  return (
    <div ref={ref} className={styles.plots} style={{ height, paddingTop: MARK_LANE_PX }}>
      {width > 0 && (
        <>
          <TimeGrid window={window} width={width} height={height} absences={absences} />
          {curves.map((curve) => (
            <div key={curve.figure.id} className={styles.plot} role="img" aria-label={describe(curve)}>
              <StripChart
                figure={curve.figure}
                data={curve.data}
                axis={curve.axis}
                limits={curve.limits}
                marks={curve.marks ?? NO_MARKS}
                window={window}
                bucketMs={curve.bucketMs ?? bucketMs}
                width={width}
                height={heightOf(curve.figure)}
              />
            </div>
          ))}
          <TimeOverlay events={events} window={window} width={width} height={height} />
        </>
      )}
    </div>
  );
}
