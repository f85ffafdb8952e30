import { useElementSize } from '@mantine/hooks';
import { useState, type KeyboardEvent } from 'react';
import type { SeriesReply } from '../../shared/history.ts';
import { instantAt } from '../charts/plot-frame.ts';
import { NowMark, TIME_AXIS_PX, TimeGrid } from '../charts/time-grid.tsx';
import type { ColourSlots } from '../overview/colour-slots.ts';
import { useServices } from '../services.ts';
import { serverHref } from '../store/route-store.ts';
import { instantWords } from '../usage/instant-words.ts';
import { figureAtY, TITLE_PX } from '../usage/stack-place.ts';
import { UsageOverlay } from '../usage/usage-overlay.tsx';
import type { SpanWindow } from '../usage/use-span-window.ts';
import { CompareStrip } from './compare-strip.tsx';
import { describeChart, instantsOf, nearestLine, wordsAt, type CompareChart } from './comparison.ts';
import { EndLabels } from './end-labels.tsx';
import { movedInstant } from './moved-instant.ts';
import { heightsOf } from './strip-heights.ts';
import styles from './compare-charts.module.css';

interface CompareChartsProps {
  readonly charts: readonly CompareChart[];
  readonly reply: SeriesReply;
  readonly slots: ColourSlots;
  readonly span: SpanWindow;
}

/** Room for the names and figures at the ends of the lines. */
const LABELS_PX = 176;
/** Farthest from a line that a pointer still means it. */
const NEAR_PX = 14;

/** Charts of several servers under each other, with one cursor whose figures stand at the ends of the lines. */
export function CompareCharts({ charts, reply, slots, span }: CompareChartsProps) {
  const { window, hold, release, zoom } = span;
  const { clock } = useServices();
  const { ref, width: whole, height } = useElementSize();
  const [at, setAt] = useState<number>();
  const [pointed, setPointed] = useState<string>();
  const width = Math.max(0, whole - LABELS_PX);
  const heights = heightsOf(charts, height - TIME_AXIS_PX);
  const blocks = heights.map((stripPx) => stripPx + TITLE_PX);
  const frame = { window, width, height: blocks.reduce((sum, px) => sum + px, TIME_AXIS_PX) };

  const lineAt = (instant: number, y: number): string | undefined => {
    let top = 0;
    const place = blocks.findIndex((px) => y < (top += px));
    const [chart, stripPx] = [charts[place], heights[place]];
    if (chart === undefined || stripPx === undefined) return undefined;
    const inStrip = y - (top - stripPx);
    const figure = figureAtY(inStrip, { axis: chart.axis, height: stripPx });
    const near = nearestLine(chart, instant, figure);
    const nearFigure = (NEAR_PX / stripPx) * chart.axis.top;
    return near !== undefined && near.distance <= nearFigure ? near.server : undefined;
  };
  const press = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Escape' && at !== undefined) setAt(undefined);
    else {
      const moved = movedInstant(at, event.key, instantsOf(charts));
      if (moved === undefined) return;
      hold();
      setAt(moved);
    }
    event.preventDefault();
  };

  return (
    <div ref={ref} className={styles.charts} data-charts="compare">
      {width > 0 && (
        <>
          <TimeGrid {...frame} absences={reply.absences} />
          {span.liveMs !== undefined && <NowMark {...frame} />}
          {charts.map((chart, index) => (
            <div key={chart.figure.metric} className={styles.block}>
              <p className={styles.title} style={{ height: TITLE_PX }}>
                {chart.figure.title}
              </p>
              <div role="img" aria-label={describeChart(chart)}>
                <CompareStrip
                  chart={chart}
                  slots={slots}
                  window={window}
                  width={width}
                  height={heights[index]!}
                  pointed={pointed}
                  stepMs={reply.stepMs}
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
          <UsageOverlay
            {...frame}
            cursorAt={at}
            isOnServer={pointed !== undefined}
            onPoint={(place) => {
              const instant = place && instantAt(place.x, window, width);
              if (instant === undefined) release();
              else hold();
              setAt(instant);
              setPointed(instant === undefined ? undefined : lineAt(instant, place!.y));
            }}
            onClick={() => {
              if (pointed !== undefined) globalThis.location.hash = serverHref(pointed);
            }}
            onDrag={(fromX, toX) =>
              zoom({
                from: instantAt(fromX, window, width) ?? window.from,
                to: instantAt(toX, window, width) ?? window.to,
              })
            }
          />
          {at !== undefined && (
            <p className={styles.instant} style={{ left: width }} aria-hidden="true">
              {instantWords(at, reply.stepMs, clock.getState().now)}
            </p>
          )}
          <div
            role="slider"
            tabIndex={0}
            className={styles.control}
            aria-label="Time cursor of the servers compared"
            aria-valuemin={Math.round(window.from)}
            aria-valuemax={Math.round(window.to)}
            aria-valuenow={Math.round(at ?? window.to)}
            aria-valuetext={
              at === undefined ? 'not placed' : wordsAt(charts, at, reply.stepMs, clock.getState().now)
            }
            onKeyDown={press}
            onBlur={() => setAt(undefined)}
          />
        </>
      )}
    </div>
  );
}
