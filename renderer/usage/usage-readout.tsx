import { xOf } from '../charts/plot-frame.ts';
import type { TimeWindow } from '../charts/downsample.ts';
import { colourOf } from '../charts/colour-slots.ts';
import { formatInstant } from '../format/moments.ts';
import { NOT_IN_PICTURES } from '../charts/dom-picture.ts';
import { bandWords, figuresAt, type UsageCursor } from './usage-cursor.ts';
import { usageMetrics } from './usage-metrics.ts';
import type { WindowUsage } from './use-span-usage.ts';
import styles from './usage-charts.module.css';

interface UsageReadoutProps {
  readonly cursor: UsageCursor;
  readonly usage: WindowUsage;
  readonly window: TimeWindow;
  readonly width: number;
}

/** Figures at the cursor, on the side where there is room: of all servers, and of the band that is pointed at. */
export function UsageReadout({ cursor, usage, window, width }: UsageReadoutProps) {
  const x = xOf(cursor.at, window, width);
  const figures = figuresAt(cursor, usage);
  const { band } = cursor;
  const row = (which: 'all' | 'band') =>
    usageMetrics.map((metric) => <span key={metric}>{figures[metric][which]}</span>);
  return (
    <div
      className={styles.readout}
      aria-hidden="true"
      {...{ [NOT_IN_PICTURES]: '' }}
      style={x > width / 2 ? { right: width - x + 10 } : { left: x + 10 }}
    >
      <strong>{formatInstant(cursor.at, window.to - window.from)}</strong>
      <span>Memory</span>
      <span>CPU</span>
      {band !== undefined && (
        <>
          <span className={styles.who}>
            <span
              className={styles.swatch}
              style={{ background: colourOf(usage.slots.has(band) ? band : undefined, usage.slots) }}
            />
            {bandWords(band)}
          </span>
          {row('band')}
        </>
      )}
      <span>All servers</span>
      {row('all')}
    </div>
  );
}
