import { useElementSize } from '@mantine/hooks';
import { useMemo } from 'react';
import type { PanelEvent } from '../../shared/domain.ts';
import type { Gap, TimeWindow } from './downsample.ts';
import { colourOf } from '../format/server-colours.ts';
import { useColours } from '../services.ts';
import { Chart, type ChartSeries } from './chart.tsx';
import { groupAt, instantsOf, wordsAt } from './chart-cursor.ts';
import type { FigureLook } from './figures.ts';
import { groupEvents } from './event-groups.ts';
import { plotWidthOf } from './plot-frame.ts';
import { stackHeight, TimeStack, type StackBlock } from './time-stack.tsx';
import type { Curve } from './series.ts';
import type { WindowControl } from './use-span-window.ts';
import { MINUTE_MS } from '../../shared/units.ts';

interface CurvePlotsProps<C extends Curve> {
  /** Server to which these curves belong; all of them have its colour. */
  readonly server: string;
  /** Accessible name of the cursor that is moved with the keyboard. */
  readonly cursorName: string;
  readonly curves: readonly C[];
  readonly window: TimeWindow;
  /** Events, oldest first. */
  readonly events: readonly PanelEvent[];
  readonly absences: readonly Gap[];
  readonly bucketMs: number;
  readonly heightOf: (figure: FigureLook) => number;
  /** Returns the text of a curve for screen readers. */
  readonly describe: (curve: C) => string;
  /** Control of a live time window, with which the user zooms and scrolls; undefined if the time window is fixed in the past. */
  readonly control?: WindowControl;
}
const keysWords = '← → sample · ⇧ a minute · , . event';
const zoomKeysWords = `${keysWords} · + − zoom · [ ] earlier, later · 1–7 span · Esc`;

/** Curves stacked over a shared time axis, with one cursor and with event marks through all of them. */
export function CurvePlots<C extends Curve>(props: CurvePlotsProps<C>) {
  const { server, cursorName, curves, window, events, absences, bucketMs, heightOf, describe, control } =
    props;
  const { ref, width } = useElementSize();
  const groups = useMemo(() => groupEvents(events, window, plotWidthOf(width)), [events, window, width]);
  const stops = { instants: useMemo(() => instantsOf(curves), [curves]), groups, leapMs: MINUTE_MS };
  const colour = colourOf(server, useColours());
  const series = useMemo(() => curves.map((curve) => seriesOf(curve, colour)), [curves, colour]);
  const blocks = curves.map((curve, index): StackBlock => {
    const { figure, axis, limits, marks, compared } = curve;
    const height = heightOf(figure);
    const chart = (
      <Chart
        {...{ axis, limits, marks, window, width, height, kind: figure.shape, format: figure.format }}
        series={series[index]!}
        bucketMs={curve.bucketMs ?? bucketMs}
        compared={compared?.rows}
        grows={control !== undefined && figure.shape !== 'blocks'}
      />
    );
    return { key: figure.id, words: describe(curve), height, axis, chart };
  });
  return (
    <div
      ref={ref}
      className="relative min-w-0 flex-1 overflow-hidden"
      style={{ height: stackHeight(blocks) }}
      data-charts={cursorName}
      data-moment-server={server}
    >
      {width > 0 && (
        <TimeStack
          {...{ blocks, window, width, absences, groups, control }}
          cursor={{
            name: cursorName,
            stops,
            words: (at) => {
              const happened = groupAt(groups, at)?.events ?? [];
              return wordsAt(at, { curves, events: happened, absences, bucketMs, window });
            },
            keys: control === undefined ? keysWords : zoomKeysWords,
          }}
        />
      )}
    </div>
  );
}

const seriesOf = ({ figure: { id }, data }: Curve, colour: string): readonly ChartSeries[] => [
  { ...data, key: id, colour },
];
