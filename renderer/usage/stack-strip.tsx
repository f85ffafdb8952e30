import { memo, useMemo } from 'react';
import { Chart, type ChartSeries } from '../charts/chart.tsx';
import { colourOf } from '../format/server-colours.ts';
import { useColours } from '../services.ts';
import { yOf } from '../charts/plot-frame.ts';
import type { ChartRow, TimeWindow } from '../charts/downsample.ts';
import type { ValueAxis } from '../charts/axis.ts';
import { expandOthers, stackRows, type UsageStack } from '../overview/usage-stack.ts';
import { bandKey, type BandKey, type CursorBuckets } from './usage-cursor.ts';

interface StackStripProps {
  readonly stack: UsageStack;
  readonly buckets: CursorBuckets;
  readonly format: (figure: number | undefined) => string;
  readonly axis: ValueAxis;
  readonly window: TimeWindow;
  readonly width: number;
  readonly height: number;
  readonly pointed: BandKey | undefined;
  /** Use of all servers together in the compared period. */
  readonly compared: readonly ChartRow[] | undefined;
}

/** Colour of a highlighted server without its own band. */
const OTHER_COLOUR = 'color-mix(in srgb, var(--text) 72%, transparent)';

/** Stacked areas of one metric. The number of bands is limited by the number of colours, however many servers there are. */
export const StackStrip = memo(function StackStrip(props: StackStripProps) {
  const colours = useColours();
  const { stack, buckets, axis, height, pointed, ...frame } = props;
  const { from, stepMs } = buckets;
  const atOf = useMemo(() => (step: number) => from + step * stepMs, [from, stepMs]);
  const bands = useMemo(() => {
    const rows = stackRows(stack, atOf);
    return stack.bands.map(({ server }, band) =>
      seriesOf(server, rows[band] ?? [], colourOf(server, colours)),
    );
  }, [stack, atOf, colours]);
  const between = useMemo(
    () =>
      areOthersApart(stack, { axis, height })
        ? stackRows(expandOthers(stack), atOf).slice(-stack.others.length, -1)
        : [],
    [stack, atOf, axis, height],
  );
  const series = useMemo(() => {
    const rows = pointed === undefined ? undefined : otherRows(stack, atOf, pointed);
    return rows === undefined ? bands : [...bands, seriesOf(pointed, rows, OTHER_COLOUR)];
  }, [bands, stack, atOf, pointed]);
  return <Chart kind="stack" bucketMs={stepMs} {...{ series, between, axis, height, pointed }} {...frame} />;
});

const seriesOf = (server: string | undefined, rows: readonly ChartRow[], colour: string): ChartSeries => ({
  ...{ key: bandKey(server), rows, isBanded: true, colour },
});

/** Minimum average height in px of the servers within the band "Others" at which lines separate them. */
const APART_PX = 2;

function areOthersApart(
  { bands, others, isKnown }: UsageStack,
  frame: Pick<StackStripProps, 'axis' | 'height'>,
): boolean {
  const last = bands.at(-1);
  if (last === undefined || others.length === 0) return false;
  const average = last.figures.reduce((sum, figure) => sum + figure, 0) / isKnown.filter(Boolean).length;
  return (yOf(0, frame) - yOf(average, frame)) / others.length >= APART_PX;
}

/** Chart rows of the highlighted server if it is part of the band "Others"; otherwise undefined. */
function otherRows(stack: UsageStack, atOf: (step: number) => number, pointed: BandKey) {
  if (!stack.others.some(({ server }) => server === pointed)) return undefined;
  const { bands } = expandOthers(stack);
  return stackRows(expandOthers(stack), atOf)[bands.findIndex(({ server }) => server === pointed)];
}
