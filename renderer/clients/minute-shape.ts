export interface MinuteFrame {
  readonly width: number;
  readonly height: number;
}

/** A client that calls now and then is drawn as what it is, not as a mountain. */
const LEAST_TOP = 4;

/**
 * Path of the steps of counts by the minute, oldest first, closed down to the base line; undefined where all of them are 0.
 * Steps, because a count between two minutes does not exist.
 */
export function minuteShape(counts: readonly number[], { width, height }: MinuteFrame): string | undefined {
  if (!counts.some((count) => count > 0)) return undefined;
  const top = Math.max(LEAST_TOP, ...counts);
  const step = width / counts.length;
  const round = (value: number) => Math.round(value * 100) / 100;
  const steps = counts.map((count, index) => {
    const y = round(height - (count / top) * (height - 1));
    return `V${y}H${round((index + 1) * step)}`;
  });
  return `M0 ${height}${steps.join('')}V${height}Z`;
}
