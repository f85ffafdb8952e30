import { useElementSize, useMergedRef } from '@mantine/hooks';
import { useCallback, useMemo, useState, type KeyboardEvent } from 'react';
import type { SeriesReply } from '../../shared/history.ts';
import { withPastAbsences } from '../charts/absences.ts';
import { changesWindow } from '../charts/cursor-control.tsx';
import { instantAt } from '../charts/plot-frame.ts';
import { NowMark, TIME_AXIS_PX, TimeGrid } from '../charts/time-grid.tsx';
import type { ColourSlots } from '../overview/colour-slots.ts';
import { serverHref } from '../store/route-store.ts';
import { formatInstant } from '../format/moments.ts';
import { NOT_IN_PICTURES } from '../usage/dom-picture.ts';
import { figureAtY, TITLE_PX } from '../usage/stack-place.ts';
import { UsageOverlay } from '../usage/usage-overlay.tsx';
import { useEscape } from '../charts/use-escape.ts';
import type { SpanWindow } from '../charts/use-span-window.ts';
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
  /** Takes the element that a picture is made of. */
  readonly ref: (element: HTMLDivElement | null) => void;
}

/** Room for the names and figures at the ends of the lines. */
const LABELS_PX = 176;
/** Farthest from a line that a pointer still means it. */
const NEAR_PX = 14;

/** Charts of several servers under each other, with one cursor whose figures stand at the ends of the lines. */
export function CompareCharts({ charts, reply, slots, span, ref: picture }: CompareChartsProps) {
  const { window, control } = span;
  const { hold, release, zoom, back } = control;
  const spanMs = window.to - window.from;
  const { ref, width: whole, height } = useElementSize();
  const [at, setAt] = useState<number>();
  /** Whether the keyboard placed the cursor, so that Escape takes it away before it goes back. */
  const [isKeyed, setKeyed] = useState(false);
  const [pointed, setPointed] = useState<string>();
  const absences = useMemo(() => withPastAbsences([], reply.absences), [reply.absences]);
  const width = Math.max(0, whole - LABELS_PX);
  const heights = heightsOf(charts, height - TIME_AXIS_PX, charts[0]?.lines.length ?? 0);
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
    if (!changesWindow(event.key, { control, window, at })) {
      const moved = movedInstant(at, event.key, instantsOf(charts));
      if (moved === undefined) return;
      hold();
      setAt(moved);
      setKeyed(true);
    }
    event.preventDefault();
  };
  const leave = useCallback(() => {
    if (isKeyed) setAt(undefined);
    else back();
    setKeyed(false);
  }, [isKeyed, back]);
  useEscape(isKeyed || control.isZoomed, leave);

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
              setKeyed(false);
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
              {formatInstant(at, spanMs)}
            </p>
          )}
          <div
            role="slider"
            {...{ [NOT_IN_PICTURES]: '' }}
            tabIndex={0}
            className={styles.control}
            aria-label="Time cursor of the servers compared"
            aria-valuemin={Math.round(window.from)}
            aria-valuemax={Math.round(window.to)}
            aria-valuenow={Math.round(at ?? window.to)}
            aria-valuetext={at === undefined ? 'not placed' : wordsAt(charts, at, spanMs)}
            onKeyDown={press}
            onBlur={() => {
              setKeyed(false);
              setAt(undefined);
            }}
          />
        </>
      )}
    </div>
  );
}
