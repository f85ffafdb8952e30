import { memo, useId, useMemo } from 'react';
import { AxisFrame } from '../charts/axis-frame.tsx';
import { STRIP_BOTTOM_PX, STRIP_TOP_PX } from '../charts/curve-look.ts';
import { PLOT_LEFT_PX, plotWidthOf } from '../charts/plot-frame.ts';
import {
  bandPaths,
  expandOthers,
  otherLines,
  type StackScale,
  type UsageStack,
} from '../overview/usage-stack.ts';
import { colourOf, type ColourSlots } from '../charts/colour-slots.ts';
import type { StripFrame } from '../charts/strip-place.ts';
import { stripScale, type Buckets } from './stack-place.ts';
import { bandKey, type BandKey } from './usage-cursor.ts';
import styles from './usage-charts.module.css';

interface StackStripProps extends StripFrame {
  readonly stack: UsageStack;
  readonly slots: ColourSlots;
  readonly buckets: Buckets;
  readonly format: (figure: number | undefined) => string;
  readonly pointed: BandKey | undefined;
}

/**
 * Stacked areas of one figure. They are at most as many as there are colours, so that plain paths are enough for any
 * number of servers; only the classes change when a band is pointed at.
 */
export const StackStrip = memo(function StackStrip(props: StackStripProps) {
  const { stack, slots, axis, format, window, width, height, buckets, pointed } = props;
  const clip = useId();
  const scale = useMemo(
    () => stripScale({ window, axis, width, height }, buckets),
    [window, axis, width, height, buckets],
  );
  const paths = useMemo(() => bandPaths(stack, scale), [stack, scale]);
  const lines = useMemo(() => (areOthersApart(stack, scale) ? otherLines(stack, scale) : ''), [stack, scale]);
  const other = useMemo(() => otherPath(stack, scale, pointed), [stack, scale, pointed]);
  return (
    <div className={styles.strip} style={{ height }}>
      <AxisFrame axis={axis} format={format} width={width} height={height} />
      <svg
        className={pointed === undefined ? styles.bands : `${styles.bands} ${styles.hasPointed}`}
        width={width}
        height={height}
        aria-hidden="true"
      >
        <clipPath id={clip}>
          <rect
            x={PLOT_LEFT_PX}
            y={STRIP_TOP_PX}
            width={plotWidthOf(width)}
            height={Math.max(0, height - STRIP_TOP_PX - STRIP_BOTTOM_PX)}
          />
        </clipPath>
        <g clipPath={`url(#${clip})`}>
          {stack.bands.map(({ server }, band) => (
            <path
              key={bandKey(server)}
              d={paths[band]}
              data-band={bandKey(server)}
              className={bandKey(server) === pointed ? styles.pointed : styles.band}
              style={{ fill: colourOf(server, slots) }}
            />
          ))}
          {lines !== '' && <path className={styles.between} d={lines} />}
          {other !== undefined && <path className={styles.other} d={other} />}
        </g>
      </svg>
    </div>
  );
});

/** Least height of a band that is told from the next one. */
const APART_PX = 2;

function areOthersApart({ bands, others, isKnown }: UsageStack, { yOf }: StackScale): boolean {
  const last = bands.at(-1);
  if (last === undefined || others.length === 0) return false;
  const average = last.figures.reduce((sum, figure) => sum + figure, 0) / isKnown.filter(Boolean).length;
  return (yOf(0) - yOf(average)) / others.length >= APART_PX;
}

/** Path of a server among the others while it is pointed at. */
function otherPath(stack: UsageStack, scale: StackScale, pointed: BandKey | undefined): string | undefined {
  if (!stack.others.some(({ server }) => server === pointed)) return undefined;
  const { bands, ...rest } = expandOthers(stack);
  const place = bands.findIndex(({ server }) => server === pointed);
  // Only the path of this one is made, on top of the sum of what lies below it.
  const below = bands.slice(0, place);
  const floor = rest.isKnown.map((_, step) =>
    below.reduce((sum, { figures }) => sum + (figures[step] ?? 0), 0),
  );
  return bandPaths({ ...rest, bands: [{ server: undefined, figures: floor }, bands[place]!] }, scale)[1];
}
