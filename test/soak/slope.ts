export interface Point {
  readonly at: number;
  readonly value: number;
}

const MINUTE_MS = 60_000;

/** Growth per minute of the line that fits best (least squares). NaN for less than two moments. */
export function slopePerMinute(points: readonly Point[]): number {
  const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const meanAt = meanOf(points.map(({ at }) => at));
  const meanValue = meanOf(points.map(({ value }) => value));
  let covariance = 0;
  let variance = 0;
  for (const { at, value } of points) {
    covariance += (at - meanAt) * (value - meanValue);
    variance += (at - meanAt) ** 2;
  }
  return (covariance / variance) * MINUTE_MS;
}
