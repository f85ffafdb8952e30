import { TITLE_PX } from '../charts/plot-frame.ts';
import { isAlwaysShown, type CompareChart } from './comparison.ts';
import { LABEL_PX } from './label-places.ts';

const LEAST_PX = 72;

/**
 * Heights of the charts in px. Charts that are always shown get more of the room, because they are the most important. No chart
 * with its title is lower than its labels.
 */
export function heightsOf(
  charts: readonly Pick<CompareChart, 'figure'>[],
  roomPx: number,
  labels: number,
): readonly number[] {
  const leastPx = Math.max(LEAST_PX, labels * LABEL_PX - TITLE_PX);
  const free = roomPx - charts.length * TITLE_PX;
  const weights = charts.map(({ figure }) => (isAlwaysShown(figure.metric) ? 3 : 2));
  const low = shared(free, weights).map((px) => px < leastPx);
  const rest = shared(
    free - low.filter(Boolean).length * leastPx,
    weights.map((weight, place) => (low[place] === true ? 0 : weight)),
  );
  return rest.map((px) => Math.max(leastPx, px));
}

function shared(roomPx: number, weights: readonly number[]): readonly number[] {
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => (sum === 0 ? 0 : Math.floor((roomPx * weight) / sum)));
}
