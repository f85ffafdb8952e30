import { TITLE_PX } from '../usage/stack-place.ts';
import type { CompareChart } from './comparison.ts';

/** Room for the labels of six lines, together with the title. */
const LEAST_PX = 78;

/** Heights of the charts within a room: those that are always shown get more of it, because they are asked about first. */
export function heightsOf(
  charts: readonly Pick<CompareChart, 'figure'>[],
  roomPx: number,
): readonly number[] {
  const free = roomPx - charts.length * TITLE_PX;
  const weights = charts.map(({ figure }) => (figure.isAlwaysShown ? 3 : 2));
  const heights = shared(free, weights);
  const low = heights.map((px) => px < LEAST_PX);
  const left = free - low.filter(Boolean).length * LEAST_PX;
  const rest = shared(
    left,
    weights.map((weight, place) => (low[place] === true ? 0 : weight)),
  );
  return rest.map((px, place) => (low[place] === true ? LEAST_PX : Math.max(LEAST_PX, px)));
}

function shared(roomPx: number, weights: readonly number[]): readonly number[] {
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => (sum === 0 ? 0 : Math.floor((roomPx * weight) / sum)));
}
