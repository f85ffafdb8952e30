import { memo } from 'react';
import { minuteShape } from './minute-shape.ts';
import styles from './clients.module.css';

const FRAME = { width: 90, height: 18 };

/** The calls of a client per minute in the last hour, in miniature. Its words stand in the tip of what holds it. */
export const MinuteCurve = memo(function MinuteCurve({ counts }: { readonly counts: readonly number[] }) {
  const shape = minuteShape(counts, FRAME);
  return (
    <svg
      className={styles.curve}
      viewBox={`0 0 ${FRAME.width} ${FRAME.height}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <path className={styles.base} d={`M0 ${FRAME.height - 0.5}H${FRAME.width}`} />
      {shape !== undefined && <path className={styles.bars} d={shape} />}
    </svg>
  );
});
