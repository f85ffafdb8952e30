import { memo } from 'react';
import { curvePaths } from '../charts/curve-path.ts';
import styles from './clients.module.css';

const FRAME = { width: 90, height: 18 };
/** Lowest value at the top of the curve, so that few calls do not fill its height. */
const LEAST_TOP = 4;

/** Small chart of a client's calls per minute in the last hour. The tooltip of its parent has the text. */
export const MinuteCurve = memo(function MinuteCurve({ counts }: { readonly counts: readonly number[] }) {
  return (
    <svg
      className={styles.curve}
      viewBox={`0 0 ${FRAME.width} ${FRAME.height}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <path className={styles.base} d={`M0 ${FRAME.height - 0.5}H${FRAME.width}`} />
      {counts.some((count) => count > 0) && <path className={styles.bars} d={barsOf(counts)} />}
    </svg>
  );
});

/** Path of blocks of counts per minute, oldest first, because a count between two minutes does not exist. */
function barsOf(counts: readonly number[]): string {
  const top = Math.max(LEAST_TOP, ...counts);
  const rows = [...counts, counts.at(-1) ?? 0].map((count, at) => ({
    ...{ at, average: count, least: count, most: count },
  }));
  return curvePaths({ rows, isBanded: false }, 'blocks', {
    xOf: (at) => (at * FRAME.width) / counts.length,
    yOf: (count) => FRAME.height - (count / top) * (FRAME.height - 1),
    baseY: FRAME.height,
  }).area;
}
