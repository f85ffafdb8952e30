import { memo } from 'react';
import { curvePaths } from '../charts/curve-path.ts';
import styles from './clients.module.css';

const FRAME = { width: 90, height: 18 };
/** A client that calls now and then is drawn as what it is, not as a mountain. */
const LEAST_TOP = 4;

/** The calls of a client per minute in the last hour, in miniature. Its words stand in the tip of what holds it. */
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

/** Blocks of counts by the minute, oldest first, because a count between two minutes does not exist. */
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
