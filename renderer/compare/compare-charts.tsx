import { useElementSize, useMergedRef } from '@mantine/hooks';
import { useMemo, useState } from 'react';
import type { SeriesReply } from '../../shared/history.ts';
import { withPastAbsences } from '../charts/absences.ts';
import { Chart, type ChartSeries } from '../charts/chart.tsx';
import { figureAtY, instantAt, TITLE_PX } from '../charts/plot-frame.ts';
import { NowMark, TIME_AXIS_PX, TimeGrid } from '../charts/time-grid.tsx';
import { colourOf, type ColourSlots } from '../charts/colour-slots.ts';
import { useServices, useView } from '../services.ts';
import { serverHref } from '../store/route-store.ts';
import { TimeCursor } from '../charts/time-cursor.tsx';
import { TimeOverlay, type Place } from '../charts/time-overlay.tsx';
import type { SpanWindow } from '../charts/use-span-window.ts';
import { describeChart, instantsOf, nearestLine, wordsAt, type CompareChart } from './comparison.ts';
import { EndLabels } from './end-labels.tsx';
import { heightsOf } from './strip-heights.ts';
import styles from './compare-charts.module.css';

interface CompareChartsProps {
  readonly charts: readonly CompareChart[];
  readonly reply: SeriesReply;
  readonly slots: ColourSlots;
  readonly span: SpanWindow;
  /** Takes the element that a picture is made of. */
  readonly ref: (element: HTMLDivElement | null) => void;
}

/** Room for the names and figures at the ends of the lines. */
const LABELS_PX = 176;
/** Farthest from a line that a pointer still means it. */
const NEAR_PX = 14;

/** Charts of several servers under each other, with one cursor whose figures stand at the ends of the lines. */
export function CompareCharts({ charts, reply, slots, span, ref: picture }: CompareChartsProps) {
  const { window } = span;
  const { ref, width: whole, height } = useElementSize();
  const { view } = useServices();
  const at = useView(({ cursorAt, pinnedAt }) => cursorAt ?? pinnedAt);
  const [pointed, setPointed] = useState<string>();
  const absences = useMemo(() => withPastAbsences([], reply.absences), [reply.absences]);
  const series = useMemo(() => charts.map((chart) => seriesOf(chart, slots)), [charts, slots]);
  const width = Math.max(0, whole - LABELS_PX);
  const heights = heightsOf(charts, height - TIME_AXIS_PX, charts[0]?.lines.length ?? 0);
  const blocks = heights.map((stripPx) => stripPx + TITLE_PX);
  const frame = { window, width, height: blocks.reduce((sum, px) => sum + px, TIME_AXIS_PX) };

  const serverAt = ({ x, y }: Place): string | undefined => {
    const instant = instantAt(x, window, width);
    let top = 0;
    const place = blocks.findIndex((px) => y < (top += px));
    const [chart, stripPx] = [charts[place], heights[place]];
    if (instant === undefined || chart === undefined || stripPx === undefined) return undefined;
    const inStrip = y - (top - stripPx);
    const figure = figureAtY(inStrip, { axis: chart.axis, height: stripPx });
    const near = nearestLine(chart, instant, figure);
    const nearFigure = (NEAR_PX / stripPx) * chart.axis.top;
    return near !== undefined && near.distance <= nearFigure ? near.server : undefined;
  };
  const instants = useMemo(() => instantsOf(charts), [charts]);
  return (
    <div ref={useMergedRef(ref, picture)} className={styles.charts} data-charts="compare">
      {width > 0 && (
        <>
          <TimeGrid {...frame} absences={absences} words="shade" />
          {span.liveMs !== undefined && <NowMark {...frame} />}
          {charts.map((chart, index) => (
            <div key={chart.figure.metric} className={styles.block}>
              <p className={styles.title} style={{ height: TITLE_PX }}>
                {chart.figure.title}
              </p>
              <div role="img" aria-label={describeChart(chart)}>
                <Chart
                  kind={chart.figure.shape === 'area' ? 'line' : chart.figure.shape}
                  series={series[index]!}
                  axis={chart.axis}
                  format={chart.figure.short}
                  window={window}
                  width={width}
                  height={heights[index]!}
                  pointed={pointed}
                  bucketMs={reply.stepMs}
                />
              </div>
              <EndLabels
                chart={chart}
                slots={slots}
                height={heights[index]!}
                left={width - 12}
                at={at}
                pointed={pointed}
                onPoint={setPointed}
              />
            </div>
          ))}
          <TimeOverlay
            {...frame}
            control={span.control}
            isOnServer={pointed !== undefined}
            onPoint={(place) => setPointed(place && serverAt(place))}
            onClick={(place) => {
              const server = serverAt(place);
              if (server !== undefined) globalThis.location.hash = serverHref(server);
            }}
          />
          <TimeCursor
            name="Time cursor of the servers compared"
            window={window}
            stops={{ instants, groups: [] }}
            words={(instant) => wordsAt(charts, instant, window.to - window.from)}
            control={span.control}
            onBlur={() => view.setState({ pinnedAt: undefined })}
          />
        </>
      )}
    </div>
  );
}

/** Lines as the chart draws them; that of the server that is pointed at has its band. */
const seriesOf = ({ lines }: CompareChart, slots: ColourSlots): readonly ChartSeries[] =>
  lines.map(({ server, rows }) => ({
    ...{ key: server, rows, isBanded: true, colour: colourOf(server, slots) },
    slot: slots.get(server),
  }));
