import { memo, useId, useMemo } from 'react';
import { AxisFrame } from '../charts/axis-frame.tsx';
import { STRIP_BOTTOM_PX, STRIP_TOP_PX } from '../charts/curve-look.ts';
import { curvePaths } from '../charts/curve-path.ts';
import { withStubs, type TimeWindow } from '../charts/downsample.ts';
import { PLOT_LEFT_PX, plotWidthOf, xOf } from '../charts/plot-frame.ts';
import { colourOf, type ColourSlots } from '../charts/colour-slots.ts';
import type { CompareChart } from './comparison.ts';
import styles from './compare-charts.module.css';

interface CompareStripProps {
  readonly chart: CompareChart;
  readonly slots: ColourSlots;
  readonly window: TimeWindow;
  readonly width: number;
  readonly height: number;
  readonly stepMs: number;
  /** Server whose line stands out, with the band between its least and most. */
  readonly pointed: string | undefined;
}

/** Lines of one figure on one scale. */
export const CompareStrip = memo(function CompareStrip(props: CompareStripProps) {
  const { chart, slots, window, width, height, stepMs, pointed } = props;
  const { axis, figure, lines } = chart;
  const clip = useId();
  const paths = useMemo(() => {
    const baseY = height - STRIP_BOTTOM_PX;
    const scale = {
      xOf: (at: number) => xOf(at, window, width),
      yOf: (value: number) => baseY - (value / axis.top) * (baseY - STRIP_TOP_PX),
      baseY,
    };
    return lines.map(({ server, rows }) => ({
      server,
      ...curvePaths({ rows: withStubs(rows, stepMs, window), isBanded: true }, figure.shape, scale),
    }));
  }, [lines, axis, figure, window, width, height, stepMs]);
  return (
    <div className={styles.strip} style={{ height }}>
      <AxisFrame axis={axis} format={figure.format} width={width} height={height} />
      <svg className={styles.lines} width={width} height={height} aria-hidden="true">
        <clipPath id={clip}>
          <rect
            x={PLOT_LEFT_PX}
            y={STRIP_TOP_PX - 2}
            width={plotWidthOf(width)}
            height={Math.max(0, height - STRIP_TOP_PX - STRIP_BOTTOM_PX + 4)}
          />
        </clipPath>
        <g clipPath={`url(#${clip})`}>
          {paths.map(({ server, line, band }) => (
            <g
              key={server}
              className={lookOf(server, pointed)}
              data-slot={slots.get(server)}
              style={{ color: colourOf(server, slots) }}
            >
              {server === pointed && <path className={styles.band} d={band} />}
              <path className={styles.line} data-line={server} d={line} />
            </g>
          ))}
        </g>
      </svg>
    </div>
  );
});

const lookOf = (server: string, pointed: string | undefined): string | undefined =>
  pointed === undefined ? undefined : server === pointed ? styles.pointed : styles.behind;
