import { useElementSize } from '@mantine/hooks';
import { useMemo } from 'react';
import type { PanelEvent } from '../../shared/domain.ts';
import type { Absence } from './absences.ts';
import { Chart, type ChartSeries } from './chart.tsx';
import { groupAt, instantsOf, wordsAt } from './chart-cursor.ts';
import type { FigureLook } from './figures.ts';
import type { TimeWindow } from './downsample.ts';
import { groupEvents } from './event-groups.ts';
import { plotWidthOf } from './plot-frame.ts';
import { MARK_LANE_PX, NowMark, TIME_AXIS_PX, TimeGrid } from './time-grid.tsx';
import { TimeCursor } from './time-cursor.tsx';
import { TimeOverlay } from './time-overlay.tsx';
import type { Curve } from './series.ts';
import type { WindowControl } from './use-span-window.ts';
import styles from './chart-stack.module.css';

interface CurvePlotsProps<C extends Curve> {
  /** Accessible name of the cursor that the keyboard moves. */
  readonly cursorName: string;
  readonly curves: readonly C[];
  readonly window: TimeWindow;
  /** Events, oldest first. */
  readonly events: readonly PanelEvent[];
  readonly absences: readonly Absence[];
  readonly bucketMs: number;
  readonly heightOf: (figure: FigureLook) => number;
  /** A curve in words, for whoever cannot see it. */
  readonly describe: (curve: C) => string;
  /** Control of a window that moves with the time. Without one, the curves are of a time that is over. */
  readonly control?: WindowControl;
}

const MINUTE_MS = 60_000;
const keysWords = '← → sample · ⇧ a minute · , . event';
const zoomKeysWords = `${keysWords} · + − zoom · [ ] earlier, later · 1–5 span · Esc`;

/** Curves under each other on one time axis, with one cursor and the events through all of them. */
export function CurvePlots<C extends Curve>(props: CurvePlotsProps<C>) {
  const { cursorName, curves, window, events, absences, bucketMs, heightOf, describe, control } = props;
  const { ref, width } = useElementSize();
  const plotsHeight = curves.reduce((sum, { figure }) => sum + heightOf(figure), 0);
  const height = MARK_LANE_PX + TIME_AXIS_PX + plotsHeight;
  const groups = useMemo(() => groupEvents(events, window, plotWidthOf(width)), [events, window, width]);
  const stops = { instants: useMemo(() => instantsOf(curves), [curves]), groups, leapMs: MINUTE_MS };
  const series = useMemo(() => curves.map(seriesOf), [curves]);
  const frame = { window, width, height };
  return (
    <div
      ref={ref}
      className={styles.plots}
      style={{ height, paddingTop: MARK_LANE_PX }}
      data-charts={cursorName}
    >
      {width > 0 && (
        <>
          <TimeGrid {...frame} absences={absences} />
          {control !== undefined && <NowMark {...frame} />}
          {curves.map((curve, index) => (
            <div key={curve.figure.id} className={styles.plot} role="img" aria-label={describe(curve)}>
              <Chart
                kind={curve.figure.shape}
                series={series[index]!}
                axis={curve.axis}
                format={curve.figure.format}
                limits={curve.limits}
                marks={curve.marks}
                window={window}
                bucketMs={curve.bucketMs ?? bucketMs}
                width={width}
                height={heightOf(curve.figure)}
                grows={control !== undefined && curve.figure.shape !== 'blocks'}
              />
            </div>
          ))}
          <TimeOverlay {...frame} groups={groups} control={control} />
          <TimeCursor
            name={cursorName}
            window={window}
            stops={stops}
            words={(at) => {
              const happened = groupAt(groups, at)?.events ?? [];
              return wordsAt(at, { curves, events: happened, absences, bucketMs, window });
            }}
            keys={control === undefined ? keysWords : zoomKeysWords}
            control={control}
          />
        </>
      )}
    </div>
  );
}

const seriesOf = ({ figure: { id }, data }: Curve): readonly ChartSeries[] => [
  { ...data, key: id, colour: `var(--${id})` },
];
